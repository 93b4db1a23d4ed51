#include <charconv>
#include <optional>

#include "json/jsonpath_nodes.h"

namespace quadra::json::jsonpath {
namespace {

tl::unexpected<Error> InvalidSyntax() { return Fail(ErrorKind::kSyntax, "invalid syntax"); }

void AppendUtf8(std::string& out, std::uint32_t rune) {
  const auto tail = [&](int shift) {
    out.push_back(static_cast<char>(0x80U | ((rune >> shift) & 0x3FU)));
  };
  if (rune < 0x80) {
    out.push_back(static_cast<char>(rune));
  } else if (rune < 0x800) {
    out.push_back(static_cast<char>(0xC0U | (rune >> 6)));
    tail(0);
  } else if (rune < 0x10000) {
    out.push_back(static_cast<char>(0xE0U | (rune >> 12)));
    tail(6);
    tail(0);
  } else {
    out.push_back(static_cast<char>(0xF0U | (rune >> 18)));
    tail(12);
    tail(6);
    tail(0);
  }
}

bool IsRune(std::uint32_t value) { return value < 0xD800 || (value > 0xDFFF && value <= 0x10FFFF); }

// The number that exactly `digits` characters at the front spell; takes them away.
std::optional<std::uint32_t> TakeNumber(std::string_view& rest, std::size_t digits, int base) {
  const std::string_view text = rest.substr(0, digits);
  std::uint32_t value = 0;
  const auto [stop, problem] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (text.size() < digits || problem != std::errc() || stop != text.data() + text.size()) {
    return std::nullopt;
  }
  rest.remove_prefix(digits);
  return value;
}

std::size_t HexDigits(char letter) { return letter == 'x' ? 2 : letter == 'u' ? 4 : 8; }

bool TakeHex(std::string_view& rest, char letter, std::string& out) {
  const std::optional<std::uint32_t> value = TakeNumber(rest, HexDigits(letter), 16);
  if (!value || (letter != 'x' && !IsRune(*value))) {
    return false;
  }
  if (letter == 'x') {
    out.push_back(static_cast<char>(*value));
  } else {
    AppendUtf8(out, *value);
  }
  return true;
}

bool TakeOctal(std::string_view& rest, std::string& out) {
  const std::optional<std::uint32_t> value = TakeNumber(rest, 3, 8);
  if (!value || *value > 255) {
    return false;
  }
  out.push_back(static_cast<char>(*value));
  return true;
}

// `rest` begins behind the backslash.
bool TakeEscape(std::string_view& rest, char quote, std::string& out) {
  constexpr std::string_view kLetters = "abfnrtv\\";
  constexpr std::string_view kMeanings = "\a\b\f\n\r\t\v\\";
  if (rest.empty()) {
    return false;
  }
  const char letter = rest.front();
  if (letter >= '0' && letter <= '7') {
    return TakeOctal(rest, out);
  }
  rest.remove_prefix(1);
  if (const std::size_t at = kLetters.find(letter); at != std::string_view::npos) {
    out.push_back(kMeanings[at]);
    return true;
  }
  if (letter == quote) {
    out.push_back(quote);
    return true;
  }
  return (letter == 'x' || letter == 'u' || letter == 'U') && TakeHex(rest, letter, out);
}

}  // namespace

Result<std::string> Unquote(std::string_view quoted) {
  if (quoted.size() < 2 || quoted.front() != quoted.back()) {
    return InvalidSyntax();
  }
  const char quote = quoted.front();
  std::string_view rest = quoted.substr(1, quoted.size() - 2);
  std::string out;
  while (!rest.empty()) {
    const char c = rest.front();
    rest.remove_prefix(1);
    if (c == quote || (c == '\\' && !TakeEscape(rest, quote, out))) {
      return InvalidSyntax();
    }
    if (c != '\\') {
      out.push_back(c);
    }
  }
  return out;
}

}  // namespace quadra::json::jsonpath
