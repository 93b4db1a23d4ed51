// Node selectors: the rules of core/v1.
#include "validation/object_meta.h"

namespace quadra::validation {
namespace {

constexpr std::string_view kBadOperator = "not a valid selector operator";

// How many values an operator wants.
void CheckValueCount(ErrorList& errors, const Path& path,
                     const api::NodeSelectorRequirement& requirement) {
  const std::size_t count = requirement.values.size();
  const std::string& op = requirement.op;
  if (op == "In" || op == "NotIn") {
    if (count == 0) {
      errors.Required(path.Child("values"), "must be specified when `operator` is 'In' or 'NotIn'");
    }
  } else if (op == "Exists" || op == "DoesNotExist") {
    if (count > 0) {
      errors.Forbidden(path.Child("values"),
                       "may not be specified when `operator` is 'Exists' or 'DoesNotExist'");
    }
  } else if (op == "Gt" || op == "Lt") {
    if (count != 1) {
      errors.Required(path.Child("values"),
                      "must be specified single value when `operator` is 'Lt' or 'Gt'");
    }
  } else {
    errors.Invalid(path.Child("operator"), Named(op), kBadOperator);
  }
}

void CheckLabelRequirement(ErrorList& errors, const Path& path,
                           const api::NodeSelectorRequirement& requirement) {
  CheckValueCount(errors, path, requirement);
  CheckLabelKey(errors, path.Child("key"), requirement.key);
  for (std::size_t i = 0; i < requirement.values.size(); ++i) {
    CheckLabelValue(errors, path.Child("values", i), requirement.values[i]);
  }
}

// The only field to select by is the node's name.
void CheckFieldRequirement(ErrorList& errors, const Path& path,
                           const api::NodeSelectorRequirement& requirement) {
  if (requirement.op != "In" && requirement.op != "NotIn") {
    errors.Invalid(path.Child("operator"), Named(requirement.op), kBadOperator);
  } else if (requirement.values.size() != 1) {
    errors.Required(
        path.Child("values"),
        "must be only one value when `operator` is 'In' or 'NotIn' for node field selector");
  }
  if (requirement.key != "metadata.name") {
    errors.Invalid(path.Child("key"), requirement.key, "not a valid field selector key");
    return;
  }
  for (std::size_t i = 0; i < requirement.values.size(); ++i) {
    CheckNodeName(errors, path.Child("values", i), requirement.values[i]);
  }
}

}  // namespace

void CheckNodeSelector(ErrorList& errors, const Path& path, const api::NodeSelector& selector) {
  const Path terms = path.Child("nodeSelectorTerms");
  if (selector.node_selector_terms.empty()) {
    errors.Required(terms, "must have at least one node selector term");
  }
  for (std::size_t i = 0; i < selector.node_selector_terms.size(); ++i) {
    const Path term = terms.Index(i);
    const api::NodeSelectorTerm& rules = selector.node_selector_terms[i];
    for (std::size_t j = 0; j < rules.match_expressions.size(); ++j) {
      CheckLabelRequirement(errors, term.Child("matchExpressions", j), rules.match_expressions[j]);
    }
    for (std::size_t j = 0; j < rules.match_fields.size(); ++j) {
      CheckFieldRequirement(errors, term.Child("matchFields", j), rules.match_fields[j]);
    }
  }
}

}  // namespace quadra::validation
