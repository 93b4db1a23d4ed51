#include "scheduler/framework/label_query.h"

#include <algorithm>
#include <optional>
#include <utility>

#include <fmt/format.h>

namespace quadra::scheduler {
namespace {

bool IsOneOf(const std::vector<std::string>& values, std::string_view value) {
  return std::ranges::binary_search(values, value);
}

}  // namespace

LabelQuery LabelQuery::Everything() {
  LabelQuery query;
  query.nothing_ = false;
  return query;
}

Result<LabelQuery> LabelQuery::Of(const std::optional<api::LabelSelectorSpec>& selector) {
  if (!selector) {
    return LabelQuery();
  }
  LabelQuery query = Everything();
  for (const auto& [key, value] : selector->match_labels) {
    query.AddEquals(key, value);
  }
  for (const api::LabelSelectorRequirement& each : selector->match_expressions) {
    Requirement made{.key = each.key, .values = {each.values.begin(), each.values.end()}};
    std::ranges::sort(made.values);
    if (each.op == "In") {
      made.op = Operator::kIn;
    } else if (each.op == "NotIn") {
      made.op = Operator::kNotIn;
    } else if (each.op == "Exists") {
      made.op = Operator::kExists;
    } else if (each.op == "DoesNotExist") {
      made.op = Operator::kDoesNotExist;
    } else {
      return Fail(ErrorKind::kInvalid,
                  fmt::format("\"{}\" is not a valid label selector operator", each.op));
    }
    query.requirements_.push_back(std::move(made));
  }
  return query;
}

bool LabelQuery::Holds(const Requirement& requirement, const api::Map<std::string>& labels) {
  const std::string* const value = labels.Find(requirement.key);
  switch (requirement.op) {
    case Operator::kIn:
      return value != nullptr && IsOneOf(requirement.values, *value);
    case Operator::kNotIn:
      return value == nullptr || !IsOneOf(requirement.values, *value);
    case Operator::kExists:
      return value != nullptr;
    case Operator::kDoesNotExist:
      return value == nullptr;
  }
  return false;
}

bool LabelQuery::Matches(const api::Map<std::string>& labels) const {
  return !nothing_ && std::ranges::all_of(requirements_, [&](const Requirement& each) {
    return Holds(each, labels);
  });
}

void LabelQuery::AddEquals(std::string key, std::string value) {
  requirements_.push_back(
      {.key = std::move(key), .op = Operator::kIn, .values = {std::move(value)}});
}

void LabelQuery::Add(const LabelQuery& more) {
  nothing_ = nothing_ || more.nothing_;
  requirements_.insert(requirements_.end(), more.requirements_.begin(), more.requirements_.end());
}

}  // namespace quadra::scheduler
