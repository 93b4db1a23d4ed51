#include "validation/claim_node_conduct.h"

#include <algorithm>
#include <functional>
#include <utility>

#include "json/writer.h"
#include "validation/claim_lists.h"
#include "validation/formats.h"

namespace quadra::validation {
namespace {

constexpr std::string_view kSuccess = "bindingConditions";
constexpr std::string_view kFailure = "bindingFailureConditions";

bool Has(const api::List<std::string>& list, std::string_view item) {
  return std::ranges::find(list, item) != list.end();
}

Value Shown(const api::List<std::string>& list) {
  if (list.is_nil()) {
    return Null();
  }
  std::string text;
  json::Writer writer(text);
  writer.BeginArray();
  for (const std::string& item : list) {
    writer.String(item);
  }
  writer.EndArray();
  return Json(std::move(text));
}

void CheckNames(ErrorList& errors, const Path& path, const api::List<std::string>& conditions) {
  if (ReportSize(errors, path, conditions, kMaxBindingConditions)) {
    return;
  }
  for (std::size_t i = 0; i < conditions.size(); ++i) {
    CheckLabelKey(errors, path.Index(i), conditions[i]);
  }
}

}  // namespace

void CheckBindingConditions(ErrorList& errors, const Path& path,
                            const api::List<std::string>& success,
                            const api::List<std::string>& failure) {
  CheckNames(errors, path.Child(kSuccess), success);
  CheckNames(errors, path.Child(kFailure), failure);
  for (const std::size_t i : RepeatedItems(success, std::equal_to<>())) {
    errors.Duplicate(path.Child(kSuccess, i), success[i]);
  }
  const std::vector<std::size_t> repeated = RepeatedItems(failure, std::equal_to<>());
  for (std::size_t i = 0; i < failure.size(); ++i) {
    if (std::ranges::binary_search(repeated, i)) {
      errors.Duplicate(path.Child(kFailure, i), failure[i]);
    }
    if (Has(success, failure[i])) {
      errors.Invalid(path.Child(kFailure, i), failure[i],
                     "bindingFailureConditions must not overlap with bindingConditions");
    }
  }
  if (success.empty() && !failure.empty()) {
    errors.Invalid(path.Child(kSuccess), Shown(success),
                   "bindingConditions are required to use bindingFailureConditions");
  }
  if (failure.empty() && !success.empty()) {
    errors.Invalid(path.Child(kFailure), Shown(failure),
                   "bindingFailureConditions are required to use bindingConditions");
  }
}

void CheckSkipNodeOperations(ErrorList& errors, const Path& path,
                             const api::List<std::string>& operations) {
  if (Has(operations, "NodePrepareResources") && !Has(operations, "NodeUnprepareResources") &&
      !Has(operations, "*")) {
    errors.Invalid(
        path, Shown(operations),
        "NodePrepareResources cannot be skipped unless NodeUnprepareResources is also skipped");
  }
}

}  // namespace quadra::validation
