// Text that YAML takes for something else because it has no quotes: a label `y` is a boolean.
#pragma once

#include <string>
#include <string_view>

#include "json/documents.h"

namespace quadra::cli {

// What to do about `message`, a decoder's complaint about `field`, where missing quotes are the
// cause, e.g. "YAML reads a bare y as a boolean: write \"y\""; empty where they are not.
std::string BareScalarRemedy(const json::Manifest& manifest, std::string_view field,
                             std::string_view message);

}  // namespace quadra::cli
