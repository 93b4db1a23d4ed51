#include "validation/claim_derived_attributes.h"

#include "validation/claim_expressions.h"
#include "validation/claim_lists.h"

namespace quadra::validation {
namespace {

std::uint64_t CheckDerivedAttribute(ErrorList& errors, const Path& path,
                                    const api::DeviceDerivedAttribute& attribute,
                                    std::string_view name, const ConstrainedAttributes& constrained,
                                    const Request& request) {
  if (!attribute.name.empty() && !constrained.Reach(attribute.name, name)) {
    errors.Invalid(path.Child("name"), Named(attribute.name),
                   "must be referenced by at least one matchAttribute or distinctAttribute "
                   "constraint targeting this request");
  }
  if (attribute.expression.empty()) {
    return 0;
  }
  return CheckExpression(errors, path.Child("expression"), attribute.expression,
                         CelUse::kDerivedAttribute, request);
}

}  // namespace

ConstrainedAttributes::ConstrainedAttributes(const api::List<api::DeviceConstraint>& constraints) {
  for (const api::DeviceConstraint& constraint : constraints) {
    const auto& attribute =
        constraint.match_attribute ? constraint.match_attribute : constraint.distinct_attribute;
    if (!attribute) {
      continue;
    }
    for (const std::string& request : constraint.requests) {
      by_request_[request].insert(*attribute);
    }
    if (constraint.requests.empty()) {
      by_request_[""].insert(*attribute);
    }
  }
}

bool ConstrainedAttributes::Reach(std::string_view attribute, std::string_view request) const {
  for (const std::string_view target :
       {std::string_view(), request, request.substr(0, request.find('/'))}) {
    const auto attributes = by_request_.find(target);
    if (attributes != by_request_.end() && attributes->second.contains(attribute)) {
      return true;
    }
  }
  return false;
}

std::uint64_t CheckDerivedAttributes(ErrorList& errors, const Path& path,
                                     const api::List<api::DeviceDerivedAttribute>& attributes,
                                     std::string_view name,
                                     const ConstrainedAttributes& constrained,
                                     const Request& request) {
  std::uint64_t cost = 0;
  for (std::size_t i = 0; i < attributes.size(); ++i) {
    cost += CheckDerivedAttribute(errors, path.Index(i), attributes[i], name, constrained, request);
  }
  for (const std::size_t i : RepeatedItems(attributes, kSameName)) {
    errors.Duplicate(path.Index(i), attributes[i].name);
  }
  return cost;
}

}  // namespace quadra::validation
