#include "cli/words.h"

#include <algorithm>
#include <cstddef>

namespace quadra::cli {

std::vector<std::string_view> SplitWords(std::string_view list) {
  std::vector<std::string_view> words;
  for (std::size_t start = 0; start < list.size();) {
    const std::size_t end = std::min(list.find(' ', start), list.size());
    if (end > start) {
      words.push_back(list.substr(start, end - start));
    }
    start = end + 1;
  }
  return words;
}

}  // namespace quadra::cli
