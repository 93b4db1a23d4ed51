#include "base/go_text.h"

#include <algorithm>
#include <cstdint>
#include <iterator>

#include <fmt/format.h>

#include "base/printable.h"

namespace quadra {
namespace {

// How a character starts: bytes whose masked bits are `lead` begin a sequence of `size`, worth at
// least `least`.
struct Lead {
  std::uint8_t mask, lead, size;
  char32_t least;
};
constexpr Lead kLeads[] = {
    {0x80, 0x00, 1, 0}, {0xe0, 0xc0, 2, 0x80}, {0xf0, 0xe0, 3, 0x800}, {0xf8, 0xf0, 4, 0x10000}};

constexpr Rune kBadByte{0xfffd, 1, false};

Rune Decode(std::string_view text, const Lead& lead) {
  if (text.size() < lead.size) {
    return kBadByte;
  }
  char32_t value = static_cast<std::uint8_t>(text[0]) & static_cast<std::uint8_t>(~lead.mask);
  for (const char byte : text.substr(1, lead.size - 1U)) {
    if ((static_cast<std::uint8_t>(byte) & 0xc0) != 0x80) {
      return kBadByte;
    }
    value = value << 6U | (static_cast<std::uint8_t>(byte) & 0x3fU);
  }
  const bool surrogate = value >= 0xd800 && value <= 0xdfff;
  return value < lead.least || value > 0x10ffff || surrogate ? kBadByte
                                                             : Rune{value, lead.size, true};
}

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
  } else if (rune.value == '"' || rune.value == '\\') {
    out += {'\\', bytes[0]};
  } else if (IsPrintable(rune.value)) {
    out += bytes;
  } else {
    AppendEscape(out, rune.value);
  }
}

}  // namespace

Rune FirstRune(std::string_view text) {
  const auto first = static_cast<std::uint8_t>(text[0]);
  const auto* lead =
      std::ranges::find_if(kLeads, [&](const Lead& l) { return (first & l.mask) == l.lead; });
  return lead == std::end(kLeads) ? kBadByte : Decode(text, *lead);
}

std::size_t CountRunes(std::string_view text) {
  std::size_t count = 0;
  for (; !text.empty(); ++count) {
    text.remove_prefix(FirstRune(text).size);
  }
  return count;
}

std::string GoQuote(std::string_view text) {
  std::string out = "\"";
  while (!text.empty()) {
    const Rune rune = FirstRune(text);
    AppendQuotedRune(out, rune, text.substr(0, rune.size));
    text.remove_prefix(rune.size);
  }
  out += '"';
  return out;
}

}  // namespace quadra
