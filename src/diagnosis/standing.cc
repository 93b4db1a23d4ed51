#include "diagnosis/standing.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "placement/place.h"

namespace quadra::diagnosis {
namespace {

// Of all containers, what nodes have by themselves: cpu, memory and the like.
placement::NodeAllocatableAmounts RequestsOf(const api::Pod& pod) {
  placement::NodeAllocatableAmounts total;
  for (const api::Container& container : pod.spec.containers) {
    for (const auto& [resource, amount] : container.resources.requests) {
      if (resource.find('/') == std::string::npos) {
        total[resource].Add(amount);
      }
    }
  }
  return total;
}

// Whether no node has so much, even if it were empty. Nodes that do not say may have it.
bool IsTooMuch(const std::string& resource, const api::Quantity& amount,
               const inventory::NodesByName& nodes) {
  bool any = false;
  for (const auto& [name, node] : nodes) {
    const api::Quantity* has = node->status.allocatable.Find(resource);
    if (has == nullptr || *has >= amount) {
      return false;
    }
    any = true;
  }
  return any;
}

// Whether the condition says something else than kube-scheduler would by our account.
bool Contradicts(const api::PodCondition& condition, const Diagnosis& diagnosis) {
  switch (diagnosis.state) {
    case Diagnosis::State::kWouldGet:
      return condition.status == "False" && diagnosis.upstream_failure.empty();
    case Diagnosis::State::kWouldNot:
      return condition.status == "True" && diagnosis.key.code != reasons::Code::kUndecided;
    case Diagnosis::State::kWantsNone:
    case Diagnosis::State::kPassedOver:
    case Diagnosis::State::kHas:
      break;
  }
  return false;
}

}  // namespace

bool IsOver(const api::Pod& pod) {
  return placement::IsFinished(pod) || pod.metadata.deletion_timestamp.has_value();
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

std::string UncheckedOf(const api::Pod& pod, const inventory::NodesByName& nodes) {
  std::vector<std::string> asked;
  std::vector<std::string> too_much;
  for (const auto& [resource, amount] : RequestsOf(pod)) {
    asked.push_back(fmt::format("{}={}", resource, amount.ToString()));
    if (IsTooMuch(resource, amount, nodes)) {
      too_much.push_back(asked.back());
    }
  }
  std::string text = fmt::format("{}", fmt::join(asked, ", "));
  if (!too_much.empty()) {
    text += fmt::format("; no node has {}, so the scheduler will not place it",
                        fmt::join(too_much, " or "));
  }
  return text;
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
