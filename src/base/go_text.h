// Go's way of showing text, which error messages keep.
#pragma once

#include <string>
#include <string_view>

namespace quadra {

// How many characters `text` has, each bad byte counting as one.
std::size_t CountRunes(std::string_view text);

// fmt's %q: quoted as in Go source.
std::string GoQuote(std::string_view text);

// fmt's %v of a float64, e.g. 0.5, 100000, 1e+06. REQUIRES: `number` is finite.
std::string GoFloat(double number);

}  // namespace quadra
