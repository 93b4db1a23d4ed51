// Unescape: the value of a quoted text as the lexer cut it out.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace quadra::cel {

// What lies between the quotes of `token`, which may have prefixes (r, b, br) and three quotes.
struct QuotedText {
  std::string_view content;
  bool raw = false;
};
QuotedText StripQuotes(std::string_view token);

// Whether the content is not already the value.
bool NeedsUnescape(const QuotedText& text);

// The value: line ends become \n, escapes what they stand for; in bytes, \x and octal escapes are
// single bytes. Nothing if an escape names no code point, or a code point in bytes.
std::optional<std::string> Unescape(const QuotedText& text, bool bytes);

}  // namespace quadra::cel
