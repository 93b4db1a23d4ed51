// Suggest: the known word a misspelt one probably meant.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace quadra::cli {

// The word of `known` with the fewest edits from `word`, regardless of case; empty when none is
// near (more than a third of the letters wrong). Ties go to the first. Cost: the product of
// lengths, per known word.
std::string_view Nearest(std::string_view word, std::span<const std::string_view> known);

// "; did you mean X?", or nothing.
std::string DidYouMean(std::string_view word, std::span<const std::string_view> known);

// The words of a space separated list.
std::vector<std::string_view> SplitWords(std::string_view list);

}  // namespace quadra::cli
