// The lexical rules of JSON, for one token at a time: numbers and the escapes of strings.
#pragma once

#include <cstddef>
#include <string_view>

namespace quadra::json {

inline bool IsSpace(char c) { return c == ' ' || c == '\n' || c == '\t' || c == '\r'; }
inline bool IsDigit(char c) { return c >= '0' && c <= '9'; }

// Length of the JSON number that `text` begins with; 0 if there is none.
std::size_t NumberLength(std::string_view text);
// Whether all of `text` is one JSON number.
inline bool IsNumber(std::string_view text) {
  return !text.empty() && NumberLength(text) == text.size();
}

// What Unescape wrote, or where in its input the first bad escape stands.
struct Unescaped {
  char* end = nullptr;  // null if an escape is bad
  std::size_t bad_at = 0;
};

// Unescapes the inside of a JSON string to `out`, which needs as many bytes as `text` has.
Unescaped Unescape(std::string_view text, char* out);

}  // namespace quadra::json
