#include "diagnosis/preemption.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "placement/pod_claims.h"

namespace quadra::diagnosis {
namespace {

using placement::Examination;
using placement::NodeAnswer;
using placement::Placer;

// A pod that may be ended for the sake of another.
struct Victim {
  const api::Pod* pod = nullptr;
  std::int32_t priority = 0;

  // Who has not started yet has started last.
  Time start() const { return pod->status.start_time.value_or(Time(Time::duration::max())); }
};
using Victims = std::vector<Victim>;

bool IsMoreImportant(const Victim& a, const Victim& b) {
  return std::tuple(b.priority, a.start()) < std::tuple(a.priority, b.start());
}

// By node.
std::map<std::string_view, Victims> LowerThan(const api::Pod& pod,
                                              const placement::Cluster& cluster) {
  const std::int32_t priority = cluster.PriorityOf(pod);
  std::map<std::string_view, Victims> lower;
  for (const api::Pod& other : cluster.pods().all()) {
    const std::int32_t others = cluster.PriorityOf(other);
    if (!other.spec.node_name.empty() && !placement::IsFinished(other) && others < priority) {
      lower[other.spec.node_name].push_back({.pod = &other, .priority = others});
    }
  }
  return lower;
}

// The least important of them without whom there is room on the node; nothing where there is none
// without any.
std::optional<Victims> VictimsOn(const api::Node& node, Victims lower, const api::Pod& pod,
                                 const Placer& placer) {
  const placement::PodRequests wanted = placement::RequestsOf(pod);
  placement::NodeLoad load = placer.LoadOn(node.metadata.name, pod);
  const auto has_room = [&] { return LackOn(node, load, wanted, placer.extended()).empty(); };
  for (const Victim& each : lower) {
    load.Remove(placement::RequestsOnNode(*each.pod));
  }
  if (lower.empty() || !has_room()) {
    return std::nullopt;
  }
  std::ranges::stable_sort(lower, IsMoreImportant);
  std::erase_if(lower, [&](const Victim& each) {
    const placement::PodRequests requests = placement::RequestsOnNode(*each.pod);
    load.Add(requests);
    const bool spared = has_room();
    if (!spared) {
      load.Remove(requests);
    }
    return spared;
  });
  return lower;
}

// What ending them costs, least first: the highest priority, the sum of all, how many, and then how
// long those of the highest have run. REQUIRES: they come most important first.
auto CostOf(const Victims& victims) {
  constexpr std::int64_t kAboveNothing = std::int64_t{std::numeric_limits<std::int32_t>::max()} + 1;
  std::int64_t sum = 0;
  for (const Victim& each : victims) {
    sum += each.priority + kAboveNothing;
  }
  return std::tuple(victims.front().priority, sum, victims.size(),
                    -victims.front().start().time_since_epoch());
}

// Where they are ended, and who.
struct Choice {
  std::string node;
  Victims victims;
};

std::optional<Choice> Choose(const Examination& examined, const Placer& placer) {
  const auto lower = LowerThan(*examined.pod, placer.cluster());
  std::optional<Choice> best;
  for (const NodeAnswer& answer : examined.nodes) {
    const api::Node& node = *answer.view->node;
    const auto found = lower.find(node.metadata.name);
    if (!answer.lacks_room || !answer.fits_otherwise || found == lower.end()) {
      continue;
    }
    std::optional<Victims> victims = VictimsOn(node, found->second, *examined.pod, placer);
    if (victims && (!best || CostOf(*victims) < CostOf(best->victims))) {
      best = Choice{node.metadata.name, *std::move(victims)};
    }
  }
  return best;
}

// Whether the scheduler gets as far as preemption for the pod.
bool MayPreempt(const Examination& examined, const Placer& placer) {
  return examined.pod != nullptr && examined.pod->spec.node_name.empty() &&
         examined.pod->spec.scheduling_gates.empty() && !examined.refusal && !examined.failing &&
         !placer.nodes_are_derived();
}

bool MayPreemptOthers(const api::Pod& pod) {
  return pod.spec.preemption_policy.value_or("") != "Never";
}

bool IsBeingPreempted(const api::Pod& pod) {
  const auto& conditions = pod.status.conditions;
  const auto* const found =
      std::ranges::find(conditions, "DisruptionTarget", &api::PodCondition::type);
  return pod.metadata.deletion_timestamp && found != conditions.end() && found->status == "True" &&
         found->reason == "PreemptionByScheduler";
}

// On the node that the pod is nominated to; null where there is none.
const api::Pod* AwaitedBy(const api::Pod& pod, const Placer& placer) {
  const auto lower = LowerThan(pod, placer.cluster());
  const auto found = lower.find(pod.status.nominated_node_name);
  for (std::size_t i = 0; found != lower.end() && i < found->second.size(); ++i) {
    if (IsBeingPreempted(*found->second[i].pod)) {
      return found->second[i].pod;
    }
  }
  return nullptr;
}

std::string NamesText(const Victims& victims) {
  constexpr std::size_t kFew = 3;
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < std::min(victims.size(), kFew); ++i) {
    texts.push_back(
        fmt::format("pod {} (priority {})", api::FullNameOf(*victims[i].pod), victims[i].priority));
  }
  return fmt::format(
      "{}{}", fmt::join(texts, ", "),
      victims.size() > kFew ? fmt::format(" and {} more", victims.size() - kFew) : "");
}

// Those of lower priority that hold what the nearest node would need.
Victims HoldersBelow(const api::Pod& pod, const Placer& placer, const Diagnosis& diagnosis) {
  const placement::Cluster& cluster = placer.cluster();
  Victims below;
  for (const Holding& holding : diagnosis.nodes.front().holders) {
    const std::string ns = holding.claim.substr(0, holding.claim.find('/'));
    for (const std::string_view consumer : holding.consumers) {
      const api::Pod* holder = cluster.pods().Find(ns, consumer.substr(consumer.find('/') + 1));
      const bool lower = holder != nullptr && cluster.PriorityOf(*holder) < cluster.PriorityOf(pod);
      if (lower && std::ranges::find(below, holder, &Victim::pod) == below.end()) {
        below.push_back({.pod = holder, .priority = cluster.PriorityOf(*holder)});
      }
    }
  }
  return below;
}

}  // namespace

void DescribePreemption(const Placer& placer, const Examination& examined, Diagnosis& diagnosis) {
  if (!MayPreempt(examined, placer) || diagnosis.nodes.empty()) {
    return;
  }
  const api::Pod& pod = *examined.pod;
  Diagnosis::Preemption& preemption = diagnosis.preemption;
  const std::string own = fmt::format("lower than its {}", placer.cluster().PriorityOf(pod));
  if (const Victims holders = HoldersBelow(pod, placer, diagnosis); !holders.empty()) {
    preemption.sentence = fmt::format(
        "{} hold{} devices that it could use with a priority {}: preemption does not free devices",
        NamesText(holders), holders.size() == 1 ? "s" : "", own);
  }
  const std::optional<Choice> choice = Choose(examined, placer);
  if (const api::Pod* awaited = AwaitedBy(pod, placer)) {
    preemption.sentence = fmt::format(
        "kube-scheduler has preempted pod {} on {} for it, and waits until that has ended",
        api::FullNameOf(*awaited), pod.status.nominated_node_name);
  } else if (choice && !MayPreemptOthers(pod)) {
    preemption.sentence = fmt::format(
        "{} on {} would make room with a priority {}, but its preemptionPolicy is Never",
        NamesText(choice->victims), choice->node, own);
  } else if (choice) {
    preemption.node = choice->node;
    for (const Victim& each : choice->victims) {
      preemption.victims.push_back(api::FullNameOf(*each.pod));
    }
    preemption.sentence = fmt::format(
        "kube-scheduler will preempt {} on {}, whose priority is {}: it then fits there",
        NamesText(choice->victims), choice->node, own);
  }
}

}  // namespace quadra::diagnosis
