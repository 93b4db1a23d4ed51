#include "scheduler/framework/disruption_budget.h"

#include <initializer_list>
#include <optional>
#include <string_view>
#include <utility>

#include "base/check.h"
#include "client/api.h"

namespace quadra::scheduler {
namespace {

// Null where there is nothing.
const api::Value* Member(const api::Object& object, std::string_view part, std::string_view name) {
  const api::Value* const found = object.root.Member(part);
  return found == nullptr ? nullptr : found->Member(name);
}

LabelQuery SelectorIn(const api::Object& object) {
  const api::Value* const found = Member(object, "spec", "selector");
  if (found == nullptr || found->is_nil()) {
    return {};
  }
  static const api::Struct* const schema =
      api::FindStruct("io.k8s.apimachinery.pkg.apis.meta.v1.LabelSelector");
  QUADRA_CHECK(schema != nullptr, "the tables have it");
  return LabelQuery::Of(api::ToTyped<api::LabelSelectorSpec>(*schema, *found))
      .value_or(LabelQuery());
}

}  // namespace

DisruptionBudget DisruptionBudget::Of(const api::Object& object) {
  DisruptionBudget budget{.ns = std::string(client::MarksOf(object).ns),
                          .selector = SelectorIn(object)};
  const api::Value* const allowed = Member(object, "status", "disruptionsAllowed");
  if (const auto* const number = allowed == nullptr ? nullptr : allowed->As<std::int64_t>()) {
    budget.allowed = *number;
  }
  const api::Value* const pods = Member(object, "status", "disruptedPods");
  if (const auto* const entries = pods == nullptr ? nullptr : pods->As<api::Value::Entries>()) {
    for (const auto& [name, time] : *entries) {
      budget.disrupted.insert(name);
    }
  }
  return budget;
}

bool DisruptionBudget::IsAbout(const api::Pod& pod) const {
  return pod.metadata.ns == ns && !pod.metadata.labels.empty() && !selector.SelectsEverything() &&
         selector.Matches(pod.metadata.labels) && !disrupted.contains(pod.metadata.name);
}

}  // namespace quadra::scheduler
