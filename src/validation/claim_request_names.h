// RequestNames: what constraints, configuration and allocation results of a claim may refer to.
#pragma once

#include <map>
#include <set>
#include <string_view>

#include "api/kinds.h"
#include "validation/field_error.h"
#include "validation/path.h"

namespace quadra::validation {

// Views into the claim it was made from. Of requests with the same name the last one counts, as
// upstream.
class RequestNames {
 public:
  explicit RequestNames(const api::DeviceClaim& claim);

  // `reference` is "request" or "request/subrequest". A request with alternatives may be named
  // alone.
  bool Has(std::string_view reference) const;

 private:
  std::map<std::string_view, std::set<std::string_view>> subrequests_;
};

// Each part of a reference is a request name, and the whole must be known.
void CheckRequestReference(ErrorList& errors, const Path& path, std::string_view reference,
                           const RequestNames& names);

// A list of references: at most 32, no duplicates.
void CheckRequestReferences(ErrorList& errors, const Path& path,
                            const api::List<std::string>& references, const RequestNames& names);

}  // namespace quadra::validation
