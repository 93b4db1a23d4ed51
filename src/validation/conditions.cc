// Conditions: the rules of meta/v1 for status.conditions.
#include <algorithm>
#include <chrono>
#include <iterator>
#include <set>

#include <fmt/format.h>

#include "validation/object_meta.h"

namespace quadra::validation {
namespace {

constexpr std::size_t kMaxReasonBytes = 1024;
constexpr std::size_t kMaxMessageBytes = std::size_t{32} * 1024;
constexpr std::string_view kStatuses[] = {"False", "True", "Unknown"};

// Go's zero time counts as absent.
bool IsZero(const std::optional<Time>& time) {
  using namespace std::chrono;
  return !time || *time == sys_days(year(1) / January / 1);
}

bool IsReason(std::string_view text) {
  const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  const auto word = [&](char c) { return letter(c) || (c >= '0' && c <= '9') || c == '_'; };
  return letter(text.front()) && word(text.back()) &&
         std::ranges::all_of(text, [&](char c) { return word(c) || c == ',' || c == ':'; });
}

void CheckReason(ErrorList& errors, const Path& path, std::string_view reason) {
  if (reason.empty()) {
    errors.Required(path);
    return;
  }
  if (!IsReason(reason)) {
    errors.Invalid(path, reason,
                   "a condition reason must start with alphabetic character, optionally followed "
                   "by a string of "
                   "alphanumeric characters or '_,:', and must end with an alphanumeric character "
                   "or '_' (e.g. "
                   "'my_name',  or 'MY_NAME',  or 'MyName',  or 'ReasonA,ReasonB',  or "
                   "'ReasonA:ReasonB', regex used "
                   "for validation is '[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?')");
  }
  if (reason.size() > kMaxReasonBytes) {
    errors.TooLong(path, kMaxReasonBytes);
  }
}

void CheckStatus(ErrorList& errors, const Path& path, std::string_view status) {
  if (status.empty()) {
    errors.Required(path);
  } else if (std::ranges::find(kStatuses, status) == std::end(kStatuses)) {
    errors.NotSupported(path, Named(status), kStatuses);
  }
}

void CheckCondition(ErrorList& errors, const Path& path, const api::Condition& condition) {
  if (condition.type.empty()) {
    errors.Required(path.Child("type"), "is required");
  } else {
    CheckLabelKey(errors, path.Child("type"), condition.type);
  }
  CheckStatus(errors, path.Child("status"), condition.status);
  if (condition.observed_generation < 0) {
    errors.Invalid(path.Child("observedGeneration"), Number(condition.observed_generation),
                   "must be greater than or equal to zero");
  }
  if (IsZero(condition.last_transition_time)) {
    errors.Required(path.Child("lastTransitionTime"));
  }
  CheckReason(errors, path.Child("reason"), condition.reason);
  if (condition.message.size() > kMaxMessageBytes) {
    errors.TooLong(path.Child("message"), kMaxMessageBytes);
  }
}

}  // namespace

void CheckConditions(ErrorList& errors, const Path& path,
                     const api::List<api::Condition>& conditions) {
  std::set<std::string_view> types;
  for (std::size_t i = 0; i < conditions.size(); ++i) {
    const Path condition = path.Index(i);
    if (!types.insert(conditions[i].type).second) {
      errors.Duplicate(condition, conditions[i].type);
    }
    CheckCondition(errors, condition, conditions[i]);
  }
}

}  // namespace quadra::validation
