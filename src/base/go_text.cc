#include "base/go_text.h"

#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <iterator>

#include <fmt/format.h>

#include "base/printable.h"
#include "base/utf8.h"

namespace quadra {
namespace {

void AppendEscape(std::string& out, char32_t rune) {
  constexpr std::string_view kCodes = "\a\b\f\n\r\t\v";
  constexpr std::string_view kNames = "abfnrtv";
  if (const std::size_t at = rune < 0x80 ? kCodes.find(static_cast<char>(rune)) : kCodes.npos;
      at != kCodes.npos) {
    out += {'\\', kNames[at]};
  } else if (rune < ' ' || rune == 0x7f) {
    fmt::format_to(std::back_inserter(out), "\\x{:02x}", static_cast<std::uint32_t>(rune));
  } else if (rune < 0x10000) {
    fmt::format_to(std::back_inserter(out), "\\u{:04x}", static_cast<std::uint32_t>(rune));
  } else {
    fmt::format_to(std::back_inserter(out), "\\U{:08x}", static_cast<std::uint32_t>(rune));
  }
}

void AppendQuotedRune(std::string& out, const Rune& rune, std::string_view bytes) {
  if (!rune.valid) {
    fmt::format_to(std::back_inserter(out), "\\x{:02x}", static_cast<std::uint8_t>(bytes[0]));
  } else if (rune.code == '"' || rune.code == '\\') {
    out += {'\\', bytes[0]};
  } else if (IsPrintable(rune.code)) {
    out += bytes;
  } else {
    AppendEscape(out, rune.code);
  }
}

}  // namespace

std::size_t CountRunes(std::string_view text) {
  std::size_t count = 0;
  for (; !text.empty(); ++count) {
    text.remove_prefix(DecodeRune(text).size);
  }
  return count;
}

std::string GoQuote(std::string_view text) {
  std::string out = "\"";
  while (!text.empty()) {
    const Rune rune = DecodeRune(text);
    AppendQuotedRune(out, rune, text.substr(0, rune.size));
    text.remove_prefix(rune.size);
  }
  out += '"';
  return out;
}

std::string GoFloat(double number) {
  const double size = std::fabs(number);
  const bool plain = size == 0 || (size >= 1e-4 && size < 1e6);
  std::array<char, 512> text{};
  const auto format = plain ? std::chars_format::fixed : std::chars_format::scientific;
  return {text.begin(), std::to_chars(text.begin(), text.end(), number, format).ptr};
}

}  // namespace quadra
