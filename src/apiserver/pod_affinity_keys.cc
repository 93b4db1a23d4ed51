#include "apiserver/pod_affinity_keys.h"

#include <string>
#include <string_view>

#include "api/kinds.h"

namespace quadra::apiserver {
namespace {

using Labels = api::Map<std::string>;

void Require(api::LabelSelectorSpec& selector, const api::List<std::string>& keys,
             std::string_view op, const Labels& labels) {
  for (const std::string& key : keys) {
    if (const std::string* const value = labels.Find(key)) {
      api::LabelSelectorRequirement& requirement = selector.match_expressions.emplace_back();
      requirement.key = key;
      requirement.op = op;
      requirement.values.push_back(*value);
    }
  }
}

void Merge(api::PodAffinityTerm& term, const Labels& labels) {
  if (term.label_selector) {
    Require(*term.label_selector, term.match_label_keys, "In", labels);
    Require(*term.label_selector, term.mismatch_label_keys, "NotIn", labels);
  }
}

// Pod affinity and anti-affinity look alike.
template <typename Terms>
void MergeAll(std::optional<Terms>& terms, const Labels& labels) {
  if (!terms) {
    return;
  }
  for (api::PodAffinityTerm& each : terms->required) {
    Merge(each, labels);
  }
  for (api::WeightedPodAffinityTerm& each : terms->preferred) {
    Merge(each.pod_affinity_term, labels);
  }
}

}  // namespace

void MergeLabelKeys(api::Object& pod) {
  auto typed = api::ToTyped<api::Pod>(pod);
  if (!typed.spec.affinity) {
    return;
  }
  MergeAll(typed.spec.affinity->pod_affinity, typed.metadata.labels);
  MergeAll(typed.spec.affinity->pod_anti_affinity, typed.metadata.labels);
  api::Amend(pod, typed);
}

}  // namespace quadra::apiserver
