// UTF-8 as Go reads it: one code point at a time, a bad byte counts as one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/utf8.h"  // IWYU pragma: export

namespace quadra::cel {

bool IsValidUtf8(std::string_view text);

// Code points; O(bytes).
std::size_t RuneCount(std::string_view text);
// Where code point `n` starts; text.size() at the end. REQUIRES: n <= RuneCount(text).
std::size_t RuneOffset(std::string_view text, std::size_t n);

// unicode.IsSpace.
bool IsSpace(char32_t rune);

}  // namespace quadra::cel
