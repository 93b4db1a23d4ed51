// What is kept of an attempt for those who ask why: the log of last attempts.

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "scheduler/cycle.h"
#include "scheduler/plugins/dynamic_resources/state.h"

namespace quadra::scheduler {
namespace {

// Nodes with the same words of the same plugin, counted.
std::vector<RefusedNodes> CountRefusals(const Diagnosis& diagnosis) {
  std::map<std::pair<std::string_view, std::string>, RefusedNodes> counted;
  for (const auto& [node, status] : diagnosis.statuses.nodes) {
    RefusedNodes& entry = counted[{status.plugin(), status.Message()}];
    if (entry.nodes++ == 0) {
      entry.plugin = status.plugin();
      entry.code = NameOf(status.code());
      entry.reason = status.Message();
      entry.why = status.why() == nullptr ? "" : reasons::NameOf(status.why()->code);
    }
    entry.example = entry.example.empty() ? node : std::min(entry.example, node);
  }
  std::vector<RefusedNodes> refused;
  refused.reserve(counted.size());
  for (auto& [words, entry] : counted) {
    refused.push_back(std::move(entry));
  }
  std::ranges::sort(refused, [](const RefusedNodes& a, const RefusedNodes& b) {
    return std::tie(b.nodes, a.plugin, a.reason) < std::tie(a.nodes, b.plugin, b.reason);
  });
  return refused;
}

// Of this attempt; else of an earlier one that the pod still waits for.
std::optional<PreemptionPlan> PlanFor(const Attempt& attempt, const AttemptLog& log) {
  const api::Pod& pod = attempt.pod().pod;
  if (attempt.plan || pod.status.nominated_node_name.empty()) {
    return attempt.plan;
  }
  std::optional<LastAttempt> last = log.Find(pod.metadata.ns, pod.metadata.name);
  const bool lasts = last && last->uid == pod.metadata.uid && last->preemption &&
                     last->preemption->node == pod.status.nominated_node_name;
  return lasts ? std::move(last->preemption) : std::nullopt;
}

}  // namespace

void Cycle::Remember(const Attempt& attempt, std::string_view result, std::string message) {
  if (options_.attempts == nullptr) {
    return;
  }
  const PodInfo& pod = attempt.pod();
  const Choice& choice = attempt.choice;
  const bool refused = result == "unschedulable" || result == "error";
  const Time now = context_.api.loop().Now();
  options_.attempts->Put(
      {.ns = pod.pod.metadata.ns,
       .pod = pod.pod.metadata.name,
       .uid = pod.uid(),
       .result = std::string(result),
       .node = refused ? "" : attempt.node,
       .nominated = attempt.plan ? attempt.plan->node : pod.pod.status.nominated_node_name,
       .message = std::move(message),
       .attempt = attempt.queued.attempts,
       .at = now,
       .took = now - attempt.began,
       .nodes = choice.diagnosis.nodes,
       .evaluated = choice.evaluated,
       .feasible = choice.feasible,
       .devices = refused ? std::vector<std::string>() : DevicesIn(attempt.state),
       .evaluations = attempt.evaluations,
       .steps = StepsIn(attempt.state),
       .refused = CountRefusals(choice.diagnosis),
       .preemption = PlanFor(attempt, *options_.attempts)});
}

void Cycle::ForgetAttempts(const api::Pod& pod) {
  if (options_.attempts != nullptr) {
    options_.attempts->Remove(pod.metadata.ns, pod.metadata.name, pod.metadata.uid);
  }
}

}  // namespace quadra::scheduler
