#include "inventory/placement.h"

#include <algorithm>

#include "api/vocabulary.h"

namespace quadra::inventory {
namespace {

using Requirement = api::NodeSelectorRequirement;

bool HasRightValues(const Requirement& requirement) {
  const auto& values = requirement.values;
  if (requirement.op == "In" || requirement.op == "NotIn") {
    return !values.empty();
  }
  if (requirement.op == "Exists" || requirement.op == "DoesNotExist") {
    return values.empty();
  }
  return (requirement.op == "Gt" || requirement.op == "Lt") && values.size() == 1 &&
         api::ReadSelectorInteger(values[0]);
}

bool IsReadableLabel(const Requirement& requirement) {
  return api::LabelKeyProblems(requirement.key).empty() && HasRightValues(requirement) &&
         std::ranges::all_of(requirement.values, [](const std::string& value) {
           return api::LabelValueProblems(value).empty();
         });
}

bool IsReadableField(const Requirement& requirement) {
  return requirement.key == "metadata.name" && requirement.values.size() == 1 &&
         (requirement.op == "In" || requirement.op == "NotIn");
}

bool IsReadable(const api::NodeSelector& selector) {
  return std::ranges::all_of(selector.node_selector_terms, [](const api::NodeSelectorTerm& term) {
    return std::ranges::all_of(term.match_expressions, IsReadableLabel) &&
           std::ranges::all_of(term.match_fields, IsReadableField);
  });
}

}  // namespace

bool Placement::Serves(const api::Node& serving) const {
  if (!node.empty()) {
    return node == serving.metadata.name;
  }
  return all_nodes || (selector && is_readable &&
                       api::Matches(*selector, serving.metadata.name, serving.metadata.labels));
}

Placement MakePlacement(const std::optional<std::string>& node,
                        const std::optional<bool>& all_nodes,
                        const std::optional<api::NodeSelector>& selector) {
  Placement placement{node.value_or(""), all_nodes.value_or(false), selector};
  const bool decides = placement.node.empty() && !placement.all_nodes && selector;
  placement.is_readable = !decides || IsReadable(*selector);
  return placement;
}

}  // namespace quadra::inventory
