// GeneratedName: names that the server makes out of what a client asks for as their beginning.
#pragma once

#include <string>
#include <string_view>

#include "base/random.h"

namespace quadra::apiserver {

// `base`, at most 58 characters of it, and five random ones.
std::string GeneratedName(std::string_view base, Random& random);

}  // namespace quadra::apiserver
