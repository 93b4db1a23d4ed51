#include "api/node_match.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <optional>

namespace quadra::api {
namespace {

bool Contains(const List<std::string>& values, std::string_view value) {
  return std::ranges::find(values, value) != values.end();
}

// Gt and Lt compare integers; what is none does not match.
bool Compares(const NodeSelectorRequirement& requirement, const std::string& value) {
  const std::optional<std::int64_t> have = ReadSelectorInteger(value);
  const std::optional<std::int64_t> bound =
      requirement.values.size() == 1 ? ReadSelectorInteger(requirement.values[0]) : std::nullopt;
  if (!have || !bound) {
    return false;
  }
  return requirement.op == "Gt" ? *have > *bound : *have < *bound;
}

// `value` is null where the node has no such label.
bool Holds(const NodeSelectorRequirement& requirement, const std::string* value) {
  if (requirement.op == "In") {
    return value != nullptr && Contains(requirement.values, *value);
  }
  if (requirement.op == "NotIn") {
    return value == nullptr || !Contains(requirement.values, *value);
  }
  if (requirement.op == "Exists") {
    return value != nullptr;
  }
  if (requirement.op == "DoesNotExist") {
    return value == nullptr;
  }
  const bool compares = requirement.op == "Gt" || requirement.op == "Lt";
  return compares && value != nullptr && Compares(requirement, *value);
}

bool Holds(const NodeSelectorTerm& term, const std::string& node_name,
           const Map<std::string>& labels) {
  const auto label_holds = [&](const NodeSelectorRequirement& requirement) {
    return Holds(requirement, labels.Find(requirement.key));
  };
  const auto field_holds = [&](const NodeSelectorRequirement& requirement) {
    return requirement.key == "metadata.name" && Holds(requirement, &node_name);
  };
  return !(term.match_expressions.empty() && term.match_fields.empty()) &&
         std::ranges::all_of(term.match_expressions, label_holds) &&
         std::ranges::all_of(term.match_fields, field_holds);
}

}  // namespace

std::optional<std::int64_t> ReadSelectorInteger(std::string_view text) {
  if (text.starts_with('+') && !text.starts_with("+-")) {
    text.remove_prefix(1);
  }
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size() ? std::optional(number)
                                                                  : std::nullopt;
}

bool Matches(const NodeSelector& selector, std::string_view node_name,
             const Map<std::string>& labels) {
  const std::string name(node_name);
  return std::ranges::any_of(selector.node_selector_terms, [&](const NodeSelectorTerm& term) {
    return Holds(term, name, labels);
  });
}

}  // namespace quadra::api
