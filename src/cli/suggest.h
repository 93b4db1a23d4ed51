// Suggest: what to say about a misspelt word.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/nearest.h"

namespace quadra::cli {

// "; did you mean X?", or nothing.
std::string DidYouMean(std::string_view word, std::span<const std::string_view> known);

// The words of a space separated list.
std::vector<std::string_view> SplitWords(std::string_view list);

}  // namespace quadra::cli
