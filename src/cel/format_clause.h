// FormatClause: one clause of a format text ("%.2f"), for those who check and those who format.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "base/result.h"

namespace quadra::cel {

struct FormatClause {
  char verb = 's';  // one of s d f e b x X o
  std::optional<std::int64_t> precision;
};

// Takes the clause off the front of `rest`, which starts after the '%'. Errors read as upstream's:
// "unrecognized formatting clause \"q\"". REQUIRES: rest is not empty.
Result<FormatClause> TakeFormatClause(std::string_view& rest);

}  // namespace quadra::cel
