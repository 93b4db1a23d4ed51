// Go's way of showing text, which error messages keep.
#pragma once

#include <string>
#include <string_view>

namespace quadra {

// One character of UTF-8 at the start of `text` and the bytes it takes. Bytes that are no UTF-8
// come one by one, as U+FFFD with `valid` false. REQUIRES: `text` is not empty.
struct Rune {
  char32_t value;
  std::size_t size;
  bool valid;
};
Rune FirstRune(std::string_view text);

// How many characters `text` has, each bad byte counting as one.
std::size_t CountRunes(std::string_view text);

// fmt's %q: quoted as in Go source.
std::string GoQuote(std::string_view text);

}  // namespace quadra
