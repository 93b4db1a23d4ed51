// Nearest: the known word a misspelt one probably meant.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace quadra {

// Letters to be replaced, added or removed to make one of the other, regardless of case. Cost: the
// product of lengths.
std::size_t Edits(std::string_view a, std::string_view b);

// The word of `known` with the fewest edits from `word`; empty when none is near (more than a third
// of the letters wrong). Ties go to the first.
std::string_view Nearest(std::string_view word, std::span<const std::string_view> known);

// "; did you mean X?" for the nearest word, or nothing.
std::string DidYouMean(std::string_view word, std::span<const std::string_view> known);

}  // namespace quadra
