#include "validation/claim_constraints.h"

#include <optional>
#include <string>

#include "validation/claim_limits.h"
#include "validation/claim_lists.h"
#include "validation/formats.h"

namespace quadra::validation {
namespace {

void CheckAttribute(ErrorList& errors, const Path& path, std::string_view name) {
  const std::size_t start = errors.size();
  CheckFullyQualifiedName(errors, path, name);
  errors.CoverSince(start);
}

// With both attributes only the first is looked at, and accepted. That the text speaks of several
// is upstream's slip.
void CheckConstraint(ErrorList& errors, const Path& path, const api::DeviceConstraint& constraint,
                     const RequestNames& names, const Request& request) {
  CheckRequestReferences(errors, path.Child("requests"), constraint.requests, names);
  if (constraint.match_attribute) {
    CheckAttribute(errors, path.Child("matchAttribute"), *constraint.match_attribute);
  } else if (constraint.distinct_attribute) {
    CheckAttribute(errors, path.Child("distinctAttribute"), *constraint.distinct_attribute);
  } else if (request.gates.Enabled(Gate::kDRAConsumableCapacity)) {
    errors.Required(
        path,
        R"(exactly one of "matchAttribute" or "distinctAttribute" is required, but multiple fields are set)");
  } else {
    errors.Required(path.Child("matchAttribute"));
  }
}

}  // namespace

void CheckConstraints(ErrorList& errors, const Path& path,
                      const api::List<api::DeviceConstraint>& constraints,
                      const RequestNames& names, const Request& request) {
  if (ReportSize(errors, path, constraints, kMaxConstraints)) {
    return;
  }
  for (std::size_t i = 0; i < constraints.size(); ++i) {
    CheckConstraint(errors, path.Index(i), constraints[i], names, request);
  }
}

}  // namespace quadra::validation
