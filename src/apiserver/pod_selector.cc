#include "apiserver/pod_selector.h"

#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "apiserver/tree.h"

namespace quadra::apiserver {

namespace {

std::vector<std::string> ValuesOf(const api::Value& expression) {
  std::vector<std::string> values;
  const std::span<const api::Value> items = ItemsAt(expression, {"values"});
  values.reserve(items.size());
  for (const api::Value& value : items) {
    values.push_back(TextAt(value, {}));
  }
  return values;
}

// One of matchExpressions as labelSelector= spells it.
Result<std::string> Spelled(const api::Value& expression) {
  std::string key = TextAt(expression, {"key"});
  const std::string op = TextAt(expression, {"operator"});
  if (op == "Exists") {
    return key;
  }
  if (op == "DoesNotExist") {
    return fmt::format("!{}", key);
  }
  if (op == "In" || op == "NotIn") {
    return fmt::format("{} {} ({})", key, op == "In" ? "in" : "notin",
                       fmt::join(ValuesOf(expression), ","));
  }
  return quadra::Fail(ErrorKind::kInvalid,
                      fmt::format("\"{}\" is not a valid label selector operator", op));
}

const api::Value::Entries& LabelsOf(const api::Value& tree) {
  static const api::Value::Entries none;
  const api::Value* const labels = Look(tree, {"matchLabels"});
  const auto* const entries = labels == nullptr ? nullptr : labels->As<api::Value::Entries>();
  return entries == nullptr ? none : *entries;
}

Result<std::string> Spelled(const std::vector<std::string>& labels, const api::Value& tree) {
  std::vector<std::string> parts = labels;
  for (const api::Value& expression : ItemsAt(tree, {"matchExpressions"})) {
    QUADRA_TRY(std::string part, Spelled(expression));
    parts.push_back(std::move(part));
  }
  return fmt::format("{}", fmt::join(parts, ","));
}

}  // namespace

Result<PodSelector> PodSelector::Read(const api::Value* tree) {
  PodSelector selector;
  if (tree == nullptr || tree->is_nil()) {
    return selector;
  }
  std::vector<std::string> labels;
  for (const auto& [key, value] : LabelsOf(*tree)) {
    labels.push_back(fmt::format("{}={}", key, TextAt(value, {})));
  }
  QUADRA_TRY(const std::string text, Spelled(labels, *tree));
  QUADRA_TRY(selector.labels_, api::LabelSelector::Parse(text));
  return selector;
}

bool PodSelector::Matches(const api::Map<std::string>& labels) const {
  return labels_ && labels_->Matches(labels);
}

std::string PodSelector::GoText(const api::Value* tree) {
  if (tree == nullptr || tree->is_nil()) {
    return "nil";
  }
  std::string labels;
  for (const auto& [key, value] : LabelsOf(*tree)) {
    labels += fmt::format("{}: {},", key, TextAt(value, {}));
  }
  std::string expressions;
  for (const api::Value& one : ItemsAt(*tree, {"matchExpressions"})) {
    expressions +=
        fmt::format("LabelSelectorRequirement{{Key:{},Operator:{},Values:[{}],}},",
                    TextAt(one, {"key"}), TextAt(one, {"operator"}), fmt::join(ValuesOf(one), " "));
  }
  return fmt::format(
      "&LabelSelector{{MatchLabels:map[string]string{{{}}},"
      "MatchExpressions:[]LabelSelectorRequirement{{{}}},}}",
      labels, expressions);
}

}  // namespace quadra::apiserver
