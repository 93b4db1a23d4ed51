// Words: lists of names as the command line keeps them, in one text.
#pragma once

#include <string_view>
#include <vector>

namespace quadra::cli {

// The words of a space separated list.
std::vector<std::string_view> SplitWords(std::string_view list);

}  // namespace quadra::cli
