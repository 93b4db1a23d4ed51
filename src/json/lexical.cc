#include "json/lexical.h"

#include <array>
#include <cstdint>
#include <cstring>

#include "base/utf8.h"

namespace quadra::json {
namespace {

std::size_t SkipDigits(std::string_view text, std::size_t at) {
  while (at < text.size() && IsDigit(text[at])) {
    ++at;
  }
  return at;
}

// Passes the digits of a fraction or an exponent at `at`; npos if there are none.
std::size_t NeedDigits(std::string_view text, std::size_t at) {
  const std::size_t end = SkipDigits(text, at);
  return end == at ? std::string_view::npos : end;
}

// What a byte is worth as a hexadecimal digit; negative if it is none.
constexpr std::array<std::int8_t, 256> kHexDigits = [] {
  std::array<std::int8_t, 256> digits{};
  digits.fill(-1);
  for (int i = 0; i < 16; ++i) {
    digits[static_cast<unsigned char>("0123456789abcdef"[i])] = static_cast<std::int8_t>(i);
    digits[static_cast<unsigned char>("0123456789ABCDEF"[i])] = static_cast<std::int8_t>(i);
  }
  return digits;
}();

// The four hexadecimal digits at the start of `text`; negative if they are not.
std::int32_t FourHexDigits(std::string_view text) {
  if (text.size() < 4) {
    return -1;
  }
  const auto digit = [&](std::size_t at) -> std::int32_t {
    return kHexDigits[static_cast<unsigned char>(text[at])];
  };
  const std::int32_t all = digit(0) | digit(1) | digit(2) | digit(3);
  return all < 0 ? -1 : (digit(0) << 12) + (digit(1) << 8) + (digit(2) << 4) + digit(3);
}

constexpr bool IsSurrogate(std::int32_t code) { return code >= 0xD800 && code <= 0xDFFF; }

// A \u escape, with a second one where both make a pair; size is 0 if it is malformed.
struct CodeEscape {
  char32_t code = 0;
  std::size_t size = 0;
};

CodeEscape ReadCodeEscape(std::string_view text) {
  const std::int32_t first = FourHexDigits(text.substr(2));
  if (first < 0) {
    return {};
  }
  if (IsSurrogate(first)) {
    const std::int32_t second =
        text.substr(6, 2) == "\\u" ? FourHexDigits(text.substr(8)) : std::int32_t{-1};
    if (first < 0xDC00 && second >= 0xDC00 && second <= 0xDFFF) {
      return {static_cast<char32_t>(0x10000 + ((first - 0xD800) << 10) + (second - 0xDC00)), 12};
    }
  }
  return {static_cast<char32_t>(first), 6};
}

// The byte that a two-byte escape stands for; 0 if there is no such escape.
char SimpleEscape(char c) {
  switch (c) {
    case '"':
    case '\\':
    case '/':
      return c;
    case 'b':
      return '\b';
    case 'f':
      return '\f';
    case 'n':
      return '\n';
    case 'r':
      return '\r';
    case 't':
      return '\t';
    default:
      return 0;
  }
}

}  // namespace

std::size_t NumberLength(std::string_view text) {
  std::size_t at = !text.empty() && text[0] == '-' ? 1 : 0;
  if (at < text.size() && text[at] == '0') {
    ++at;
  } else if (at = NeedDigits(text, at); at == std::string_view::npos) {
    return 0;
  }
  if (at < text.size() && text[at] == '.') {
    if (at = NeedDigits(text, at + 1); at == std::string_view::npos) {
      return 0;
    }
  }
  if (at < text.size() && (text[at] == 'e' || text[at] == 'E')) {
    ++at;
    if (at < text.size() && (text[at] == '+' || text[at] == '-')) {
      ++at;
    }
    if (at = NeedDigits(text, at); at == std::string_view::npos) {
      return 0;
    }
  }
  return at;
}

Unescaped Unescape(std::string_view text, char* out) {
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t escape = std::min(text.find('\\', at), text.size());
    std::memcpy(out, text.data() + at, escape - at);
    out += escape - at;
    at = escape;
    if (at == text.size()) {
      break;
    }
    const char kind = at + 1 < text.size() ? text[at + 1] : '\0';
    if (kind == 'u') {
      const CodeEscape code = ReadCodeEscape(text.substr(at));
      if (code.size == 0) {
        return {nullptr, at};
      }
      out = WriteRune(out, code.code);
      at += code.size;
    } else if (const char byte = SimpleEscape(kind); byte != 0) {
      *out++ = byte;
      at += 2;
    } else {
      return {nullptr, at};
    }
  }
  return {out, 0};
}

}  // namespace quadra::json
