#include "placement/node_filter.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <optional>
#include <string>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "api/vocabulary.h"

namespace quadra::placement {
namespace {

// Kubernetes taints a node with it for as long as it is cordoned.
constexpr std::string_view kCordonTaint = "node.kubernetes.io/unschedulable";

bool IsCordon(const api::Taint& taint) { return taint.key == kCordonTaint; }

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
  const api::Taint cordon{.key = std::string(kCordonTaint),
                          .value = "",
                          .effect = "NoSchedule",
                          .time_added = std::nullopt};
  return Tolerates(pod.spec.tolerations, cordon, comparisons);
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

bool MeetsAffinity(const api::Pod& pod, const api::Node& node) {
  const api::NodeSelector* required = RequiredBy(pod);
  return required == nullptr || api::Matches(*required, node.metadata.name, node.metadata.labels);
}

// --- Words.

std::string TextOf(const api::Taint& taint) {
  return taint.value.empty() ? fmt::format("{}:{}", taint.key, taint.effect)
                             : fmt::format("{}={}:{}", taint.key, taint.value, taint.effect);
}

std::string LabelText(const api::Pod& pod, const std::string& key) {
  const std::string* wanted = pod.spec.node_selector.Find(key);
  return fmt::format("{}={}", key, wanted == nullptr ? "" : *wanted);
}

api::Map<std::string> Without(const api::Map<std::string>& labels, const std::string& key) {
  api::Map<std::string> rest;
  for (const auto& [name, value] : labels) {
    if (name != key) {
      rest[name] = value;
    }
  }
  return rest;
}

api::Toleration TolerationOf(const api::Taint& taint) {
  return {.key = taint.key,
          .op = taint.value.empty() ? "Exists" : "Equal",
          .value = taint.value,
          .effect = taint.effect,
          .toleration_seconds = std::nullopt};
}

}  // namespace

bool Tolerates(const api::List<api::Toleration>& tolerations, const api::Taint& taint,
               bool comparisons) {
  return std::ranges::any_of(tolerations, [&](const api::Toleration& toleration) {
    return ToleratesOne(toleration, taint, comparisons);
  });
}

bool ToleratesTaintsOf(const api::Pod& pod, const api::Node& node, bool comparisons) {
  return std::ranges::all_of(node.spec.taints, [&](const api::Taint& taint) {
    return !KeepsAway(taint) || Tolerates(pod.spec.tolerations, taint, comparisons);
  });
}

bool Selects(const api::Pod& pod, const api::Node& node) {
  return HasLabels(node, pod.spec.node_selector) && MeetsAffinity(pod, node);
}

Obstacles ObstaclesTo(const api::Pod& pod, const api::Node& node, const api::FeatureGates& gates) {
  const bool comparisons = gates.Enabled(api::Gate::kTaintTolerationComparisonOperators);
  Obstacles found;
  found.cordon = node.spec.unschedulable && !ToleratesUnschedulable(pod, comparisons);
  for (const api::Taint& taint : node.spec.taints) {
    const bool comes_with_cordon = found.cordon && IsCordon(taint);
    if (KeepsAway(taint) && !comes_with_cordon &&
        !Tolerates(pod.spec.tolerations, taint, comparisons)) {
      found.taints.push_back(taint);
    }
  }
  for (const auto& [key, value] : pod.spec.node_selector) {
    const std::string* has = node.metadata.labels.Find(key);
    if (has == nullptr || *has != value) {
      found.labels.push_back(key);
    }
  }
  found.affinity = !MeetsAffinity(pod, node);
  return found;
}

std::string TextOf(const Obstacles& obstacles, const api::Pod& pod) {
  std::vector<std::string> texts;
  if (obstacles.cordon) {
    texts.emplace_back("cordoned");
  }
  for (const api::Taint& taint : obstacles.taints) {
    texts.push_back(TextOf(taint));
  }
  for (const std::string& key : obstacles.labels) {
    texts.push_back(fmt::format("label {} is wanted", LabelText(pod, key)));
  }
  if (obstacles.affinity) {
    texts.emplace_back("the required node affinity is not met");
  }
  if (!obstacles.lack.empty()) {
    texts.push_back(TextOf(obstacles.lack));
  }
  return fmt::format("{}", fmt::join(texts, ", "));
}

Admission AdmissionOver(const Obstacles& obstacles, const api::Pod& pod, const api::Node& node) {
  Admission admission;
  std::vector<std::string> texts;
  if (obstacles.cordon) {
    admission.node = node;
    admission.node->spec.unschedulable = false;
    admission.node->spec.taints.EraseIf(IsCordon);
    texts.push_back("uncordon node " + node.metadata.name);
  }
  api::Pod changed = pod;
  for (const api::Taint& taint : obstacles.taints) {
    changed.spec.tolerations.push_back(TolerationOf(taint));
    texts.push_back(
        fmt::format("tolerate taint {} of node {} in the pod", TextOf(taint), node.metadata.name));
  }
  for (const std::string& key : obstacles.labels) {
    changed.spec.node_selector = Without(changed.spec.node_selector, key);
    texts.push_back(fmt::format("drop {} from the pod's nodeSelector", LabelText(pod, key)));
  }
  if (obstacles.affinity && changed.spec.affinity && changed.spec.affinity->node_affinity) {
    changed.spec.affinity->node_affinity->required.reset();
    texts.emplace_back("drop the pod's required node affinity");
  }
  if (!LowerRequests(obstacles.lack, changed, texts)) {
    return {};
  }
  if (!(changed == pod)) {
    admission.pod = std::move(changed);
  }
  admission.text = fmt::format("{}", fmt::join(texts, " and "));
  return admission;
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
  if (!ToleratesTaintsOf(pod, node, comparisons)) {
    return "node(s) had untolerated taint(s)";
  }
  if (!Selects(pod, node)) {
    return "node(s) didn't match Pod's node affinity/selector";
  }
  return "";
}

}  // namespace quadra::placement
