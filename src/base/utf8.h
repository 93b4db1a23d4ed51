// UTF-8 as Go reads and writes it: surrogates and overlong forms are invalid.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace quadra {

inline constexpr char32_t kReplacement = 0xFFFD;

struct Rune {
  char32_t code = kReplacement;
  std::size_t size = 1;  // bytes taken
  bool valid = false;
};

// The character at the start of `text`; an invalid byte is a kReplacement of size 1. REQUIRES:
// !text.empty().
Rune DecodeRune(std::string_view text);
// Appends `code`; surrogates and numbers beyond U+10FFFF become kReplacement.
void AppendRune(std::string& out, char32_t code);
// Writes the same at `out`, which needs room for 4 bytes, and returns the end.
char* WriteRune(char* out, char32_t code);

}  // namespace quadra
