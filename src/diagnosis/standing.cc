#include "diagnosis/standing.h"

#include <algorithm>
#include <set>
#include <span>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "placement/place.h"
#include "placement/pod_claims.h"

namespace quadra::diagnosis {
namespace {

constexpr std::string_view kDefaultScheduler = "default-scheduler";

bool HasRequiredAntiAffinity(const api::Pod& pod) {
  const auto& affinity = pod.spec.affinity;
  return affinity && affinity->pod_anti_affinity && !affinity->pod_anti_affinity->required.empty();
}

bool HasRoomToCompare(const placement::Placer& placer) {
  return std::ranges::any_of(placer.devices().nodes(), [](const auto& node) {
    return !placement::AllocatableOf(*node.second).empty();
  });
}

// Of what nodes have by themselves.
std::string AmountsText(const placement::ResourceAmounts& amounts) {
  std::vector<std::string> texts;
  for (const auto& [resource, count] : amounts) {
    if (resource.find('/') == std::string::npos) {
      texts.push_back(fmt::format("{}={}", resource, placement::CountText(resource, count)));
    }
  }
  return fmt::format("{}", fmt::join(texts, ", "));
}

// What may keep the pod from nodes.
std::vector<std::string> UnmodelledFilters(const api::Pod& pod, const placement::Placer& placer) {
  std::vector<std::string> found;
  if (const std::string amounts = AmountsText(placement::RequestsOf(pod).amounts);
      !amounts.empty() && !HasRoomToCompare(placer)) {
    found.push_back(amounts + " (no node says what it has)");
  }
  for (const api::Volume& volume : pod.spec.volumes) {
    if (volume.persistent_volume_claim) {
      found.push_back("volume claim " + volume.persistent_volume_claim->claim_name);
    }
  }
  const auto& spreading = pod.spec.topology_spread_constraints;
  if (std::ranges::find(spreading, "DoNotSchedule",
                        &api::TopologySpreadConstraint::when_unsatisfiable) != spreading.end()) {
    found.emplace_back("topology spread");
  }
  const auto& affinity = pod.spec.affinity;
  if (HasRequiredAntiAffinity(pod) ||
      (affinity && affinity->pod_affinity && !affinity->pod_affinity->required.empty())) {
    found.emplace_back("affinity between pods");
  }
  if (std::ranges::any_of(placer.cluster().pods().all(), [](const api::Pod& other) {
        return !other.spec.node_name.empty() && HasRequiredAntiAffinity(other);
      })) {
    found.emplace_back("anti-affinity of pods on nodes");
  }
  return found;
}

// What makes a difference among nodes that take the pod.
std::vector<std::string> UnmodelledScores(const api::Pod& pod, const placement::Placer& placer) {
  std::vector<std::string> found;
  const auto& affinity = pod.spec.affinity;
  if (affinity && affinity->node_affinity && !affinity->node_affinity->preferred.empty()) {
    found.emplace_back("preferred node affinity");
  }
  if (affinity &&
      ((affinity->pod_affinity && !affinity->pod_affinity->preferred.empty()) ||
       (affinity->pod_anti_affinity && !affinity->pod_anti_affinity->preferred.empty()))) {
    found.emplace_back("preferred affinity between pods");
  }
  const auto& spreading = pod.spec.topology_spread_constraints;
  if (std::ranges::find(spreading, "ScheduleAnyway",
                        &api::TopologySpreadConstraint::when_unsatisfiable) != spreading.end()) {
    found.emplace_back("preferred topology spread");
  }
  if (std::ranges::any_of(placer.devices().nodes(), [](const auto& node) {
        const auto& taints = node.second->spec.taints;
        return std::ranges::find(taints, "PreferNoSchedule", &api::Taint::effect) != taints.end();
      })) {
    found.emplace_back("PreferNoSchedule taints");
  }
  return found;
}

// No more than can be read.
std::string FewOf(const std::vector<std::string>& texts) {
  constexpr std::size_t kMost = 3;
  return fmt::format("{}{}", fmt::join(std::span(texts).first(std::min(texts.size(), kMost)), ", "),
                     texts.size() > kMost ? fmt::format(" and {} more", texts.size() - kMost) : "");
}

std::string TextOfAwaited(const std::vector<std::string>& awaited) {
  return fmt::format("the binding condition{} {}", awaited.size() == 1 ? "" : "s", FewOf(awaited));
}

// Whether the condition says something else than kube-scheduler would by our account. Of a gated pod
// it says nothing: the answer is what becomes of it without its gates.
bool Contradicts(const api::PodCondition& condition, const Diagnosis& diagnosis) {
  switch (diagnosis.state) {
    case Diagnosis::State::kWouldGet:
      return condition.status == "False" && condition.reason != "SchedulingGated" &&
             diagnosis.upstream_failure.empty();
    case Diagnosis::State::kWouldNot:
      return condition.status == "True" && diagnosis.key.code != reasons::Code::kUndecided &&
             diagnosis.key.code != reasons::Code::kNotScheduled;
    case Diagnosis::State::kWantsNone:
    case Diagnosis::State::kPassedOver:
    case Diagnosis::State::kHas:
      break;
  }
  return false;
}

// e.g. team/first on n1; of the pods that come before it or are its equals.
std::vector<std::string> NominatedBefore(const api::Pod& pod, const placement::Cluster& cluster) {
  std::vector<std::string> texts;
  for (const api::Pod& other : cluster.pods().all()) {
    const bool waits = other.spec.node_name.empty() && !other.status.nominated_node_name.empty();
    if (waits && !IsOver(other) && &other != &pod &&
        cluster.PriorityOf(other) >= cluster.PriorityOf(pod)) {
      texts.push_back(
          fmt::format("{} on {}", api::FullNameOf(other), other.status.nominated_node_name));
    }
  }
  return texts;
}

bool Uses(const api::Pod& pod, const api::ResourceClaim& claim) {
  return pod.metadata.ns == claim.metadata.ns &&
         std::ranges::any_of(pod.spec.resource_claims, [&](const api::PodResourceClaim& entry) {
           const auto resolved = placement::ResolveClaim(pod, entry);
           return resolved && resolved->name == claim.metadata.name;
         });
}

}  // namespace

bool IsOver(const api::Pod& pod) {
  return placement::IsFinished(pod) || pod.metadata.deletion_timestamp.has_value();
}

bool HasOtherScheduler(const api::Pod& pod) {
  const std::string& scheduler = pod.spec.scheduler_name;
  return pod.spec.node_name.empty() && !scheduler.empty() && scheduler != kDefaultScheduler;
}

std::string StandingOf(const api::Pod& pod) {
  if (placement::IsFinished(pod)) {
    return fmt::format("it is finished ({})", pod.status.phase);
  }
  if (pod.metadata.deletion_timestamp) {
    return "it is being deleted";
  }
  std::vector<std::string> gates;
  for (const api::PodSchedulingGate& gate : pod.spec.scheduling_gates) {
    gates.push_back(gate.name);
  }
  return gates.empty() ? "" : fmt::format("it has scheduling gates: {}", fmt::join(gates, ", "));
}

std::string UncheckedOf(const api::Pod& pod, const placement::Placer& placer) {
  const std::vector<std::string> filters = UnmodelledFilters(pod, placer);
  const std::vector<std::string> scores = UnmodelledScores(pod, placer);
  std::string text = fmt::format("{}", fmt::join(filters, ", "));
  if (!scores.empty()) {
    text += fmt::format("{}for the choice among nodes {}", text.empty() ? "" : "; ",
                        fmt::join(scores, ", "));
  }
  return text;
}

std::vector<std::string> RemarksOf(const api::Pod& pod, const placement::Placer& placer,
                                   const Diagnosis& diagnosis) {
  std::vector<std::string> remarks;
  if (pod.spec.node_name.empty() && !IsOver(pod)) {
    for (const std::string& resource :
         placer.extended().OfferedNowhere(pod, placer.devices().nodes())) {
      remarks.push_back(fmt::format(
          "no DeviceClass has extendedResourceName {0}, and no node offers {0}", resource));
    }
  }
  if (const std::vector<std::string> nominated = NominatedBefore(pod, placer.cluster());
      pod.spec.node_name.empty() && !IsOver(pod) && !nominated.empty()) {
    remarks.push_back("counted where they are nominated to, as its equals or betters: " +
                      FewOf(nominated));
  }
  if (HasOtherScheduler(pod)) {
    remarks.push_back(
        fmt::format("scheduler {} places it; this is what kube-scheduler would do in its place",
                    pod.spec.scheduler_name));
  }
  for (const api::ResourceClaim& claim : diagnosis.claims) {
    if (claim.metadata.deletion_timestamp) {
      remarks.push_back(fmt::format("claim {} is being deleted, and goes once the pod is gone",
                                    claim.metadata.name));
    }
    if (const std::vector<std::string> awaited = placement::AwaitedConditions(claim);
        pod.spec.node_name.empty() && !awaited.empty()) {
      remarks.push_back(fmt::format("it is bound to its node only once claim {} has {}",
                                    claim.metadata.name, TextOfAwaited(awaited)));
    }
  }
  return remarks;
}

std::vector<std::string> RemarksOfUsers(const api::ResourceClaim& claim,
                                        placement::Placer& placer) {
  constexpr std::size_t kMost = 3;
  std::vector<std::string> remarks;
  for (const api::Pod* pod : placer.queue().waiting) {
    if (!Uses(*pod, claim)) {
      continue;
    }
    const placement::Decision decision = placer.Foresee(*pod);
    if (decision.allocated()) {
      return {};
    }
    if (remarks.size() < kMost && decision.refusal) {
      remarks.push_back(fmt::format("pod {} waits for it and cannot run: {}: {}",
                                    api::FullNameOf(*pod), reasons::NameOf(decision.refusal->code),
                                    decision.sentence));
    }
  }
  return remarks;
}

std::string CountedOf(const api::Pod& pod, const placement::Placer& placer) {
  const placement::PodRequests wanted = placement::RequestsOf(pod);
  const bool compared =
      (!wanted.amounts.empty() || !wanted.ports.empty()) && HasRoomToCompare(placer);
  std::set<std::string> namespaces;
  std::size_t pods = 0;
  for (const api::Pod& other : placer.cluster().pods().all()) {
    if (!other.spec.node_name.empty() && !placement::IsFinished(other)) {
      namespaces.insert(other.metadata.ns);
      ++pods;
    }
  }
  if (!compared || namespaces.contains("kube-system")) {
    return "";
  }
  return pods == 0
             ? "none, since no pod of the files is on a node"
             : fmt::format("{} of {} {}", pods, namespaces.size() == 1 ? "namespace" : "namespaces",
                           fmt::join(namespaces, ", "));
}

void DescribeCondition(const api::Pod& pod, Diagnosis& diagnosis) {
  const auto& conditions = pod.status.conditions;
  const auto* found = std::ranges::find(conditions, "PodScheduled", &api::PodCondition::type);
  if (found != conditions.end()) {
    diagnosis.scheduled = *found;
    diagnosis.contradicted = Contradicts(*found, diagnosis);
  }
}

}  // namespace quadra::diagnosis
