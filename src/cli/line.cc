#include "cli/line.h"

#include <algorithm>

#include "base/go_text.h"
#include "base/printable.h"
#include "base/utf8.h"

namespace quadra::cli {
namespace {

// GoQuote without its quotes.
std::string Escaped(std::string_view character) {
  const std::string quoted = GoQuote(character);
  return quoted.substr(1, quoted.size() - 2);
}

}  // namespace

std::string OneLine(std::string_view text) {
  std::string line;
  while (!text.empty()) {
    const Rune rune = DecodeRune(text);
    const std::string_view bytes = text.substr(0, rune.size);
    line += rune.valid && IsPrintable(rune.code) ? std::string(bytes) : Escaped(bytes);
    text.remove_prefix(rune.size);
  }
  return line;
}

void PrintLine(std::ostream& out, std::string_view text) { out << OneLine(text) << '\n'; }

void PrintLines(std::ostream& out, std::string_view text) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    PrintLine(out, text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

}  // namespace quadra::cli
