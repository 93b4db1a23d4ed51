#include "placement/node_filter.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <optional>
#include <string>

#include "api/vocabulary.h"

namespace quadra::placement {
namespace {

std::optional<std::int64_t> IntegerOf(std::string_view text) {
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool whole = error == std::errc() && end == text.data() + text.size();
  return whole ? std::optional(number) : std::nullopt;
}

bool Compares(const api::Toleration& toleration, const api::Taint& taint) {
  const std::optional<std::int64_t> limit = IntegerOf(toleration.value);
  const std::optional<std::int64_t> value = IntegerOf(taint.value);
  if (!limit || !value) {
    return false;
  }
  return toleration.op == "Lt" ? *value < *limit : *value > *limit;
}

bool ToleratesOne(const api::Toleration& toleration, const api::Taint& taint, bool comparisons) {
  if (!toleration.effect.empty() && toleration.effect != taint.effect) {
    return false;
  }
  if (!toleration.key.empty() && toleration.key != taint.key) {
    return false;
  }
  if (toleration.op.empty() || toleration.op == "Equal") {
    return toleration.value == taint.value;
  }
  if (toleration.op == "Lt" || toleration.op == "Gt") {
    return comparisons && Compares(toleration, taint);
  }
  return toleration.op == "Exists";
}

bool KeepsAway(const api::Taint& taint) {
  return taint.effect == "NoSchedule" || taint.effect == "NoExecute";
}

bool ToleratesUnschedulable(const api::Pod& pod, bool comparisons) {
  const api::Taint cordon{.key = "node.kubernetes.io/unschedulable",
                          .value = "",
                          .effect = "NoSchedule",
                          .time_added = std::nullopt};
  return Tolerates(pod.spec.tolerations, cordon, comparisons);
}

bool ToleratesAllOf(const api::Node& node, const api::Pod& pod, bool comparisons) {
  return std::ranges::all_of(node.spec.taints, [&](const api::Taint& taint) {
    return !KeepsAway(taint) || Tolerates(pod.spec.tolerations, taint, comparisons);
  });
}

bool HasLabels(const api::Node& node, const api::Map<std::string>& wanted) {
  return std::ranges::all_of(wanted, [&](const auto& label) {
    const std::string* value = node.metadata.labels.Find(label.first);
    return value != nullptr && *value == label.second;
  });
}

// Null where the pod demands nothing.
const api::NodeSelector* RequiredBy(const api::Pod& pod) {
  const auto& affinity = pod.spec.affinity;
  if (!affinity || !affinity->node_affinity) {
    return nullptr;
  }
  const auto& required = affinity->node_affinity->required;
  return required ? &*required : nullptr;
}

bool IsWantedBy(const api::Pod& pod, const api::Node& node) {
  if (!HasLabels(node, pod.spec.node_selector)) {
    return false;
  }
  const api::NodeSelector* required = RequiredBy(pod);
  return required == nullptr || api::Matches(*required, node.metadata.name, node.metadata.labels);
}

}  // namespace

bool Tolerates(const api::List<api::Toleration>& tolerations, const api::Taint& taint,
               bool comparisons) {
  return std::ranges::any_of(tolerations, [&](const api::Toleration& toleration) {
    return ToleratesOne(toleration, taint, comparisons);
  });
}

std::string_view WhyNodeRejects(const api::Pod& pod, const api::Node& node,
                                const api::FeatureGates& gates) {
  const bool comparisons = gates.Enabled(api::Gate::kTaintTolerationComparisonOperators);
  if (node.spec.unschedulable && !ToleratesUnschedulable(pod, comparisons)) {
    return "node(s) were unschedulable";
  }
  if (!pod.spec.node_name.empty() && pod.spec.node_name != node.metadata.name) {
    return "node(s) didn't match the requested node name";
  }
  if (!ToleratesAllOf(node, pod, comparisons)) {
    return "node(s) had untolerated taint(s)";
  }
  if (!IsWantedBy(pod, node)) {
    return "node(s) didn't match Pod's node affinity/selector";
  }
  return "";
}

}  // namespace quadra::placement
