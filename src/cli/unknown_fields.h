// UnknownFields: what of an object nobody reads, since its kind has no field of that name.
//
// A reader passes over such a field, so a typo (resourceClaimz) silently means something else than
// was written.
#pragma once

#include <string>
#include <vector>

#include "api/object.h"
#include "json/documents.h"

namespace quadra::cli {

// What to tell about an unknown field beside upstream's words: where it belongs, the nearest
// spelling, or the version that has the object's shape. Empty: nothing.
std::string HintFor(const api::DecodeError& unknown, const json::Manifest& manifest,
                    const api::Identity& identity);

// One sentence each, with file and line. None of what a server has stored: that has dropped what it
// did not know, and may know more than we do.
std::vector<std::string> UnknownFields(const json::Manifest& manifest,
                                       const api::Identity& identity);

}  // namespace quadra::cli
