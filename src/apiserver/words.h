// Texts as lists of words.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace quadra::apiserver {

// What stands between the separators; none of an empty text.
inline std::vector<std::string_view> Words(std::string_view text, char separator = ' ') {
  std::vector<std::string_view> words;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(separator), text.size());
    words.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return words;
}

}  // namespace quadra::apiserver
