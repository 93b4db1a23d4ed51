// Derived attributes: values computed per device, which constraints compare as if the driver had
// published them.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string_view>

#include "api/kinds.h"
#include "validation/field_error.h"
#include "validation/path.h"
#include "validation/validate.h"

namespace quadra::validation {

// Which attributes the constraints of a claim compare, by request. Views into the claim.
class ConstrainedAttributes {
 public:
  explicit ConstrainedAttributes(const api::List<api::DeviceConstraint>& constraints);

  // Whether a constraint on `attribute` reaches `request` ("request" or "request/subrequest"),
  // directly, through the request of a subrequest, or by naming no request at all.
  bool Reach(std::string_view attribute, std::string_view request) const;

 private:
  // Under the empty name: constraints on all requests.
  std::map<std::string_view, std::set<std::string_view>> by_request_;
};

// Returns the cost of all expressions together. `name` is that of the request, or
// "request/subrequest".
std::uint64_t CheckDerivedAttributes(ErrorList& errors, const Path& path,
                                     const api::List<api::DeviceDerivedAttribute>& attributes,
                                     std::string_view name,
                                     const ConstrainedAttributes& constrained,
                                     const Request& request);

}  // namespace quadra::validation
