#include "cel/unicode.h"

#include <cstring>

namespace quadra::cel {
namespace {

bool IsContinuation(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

// Bytes announced by the first byte; 0 if none starts so.
std::size_t SequenceSize(unsigned char first) {
  if (first < 0x80) {
    return 1;
  }
  if (first >= 0xC2 && first <= 0xDF) {
    return 2;
  }
  if (first >= 0xE0 && first <= 0xEF) {
    return 3;
  }
  return first >= 0xF0 && first <= 0xF4 ? 4 : 0;
}

// Too long a form, a surrogate, or beyond the last code point.
bool IsForbidden(char32_t value, std::size_t size) {
  return (size == 3 && value < 0x800) || (size == 4 && (value < 0x10000 || value > 0x10FFFF)) ||
         (value >= 0xD800 && value <= 0xDFFF);
}

}  // namespace

Rune DecodeRune(std::string_view text) {
  const auto first = static_cast<unsigned char>(text.front());
  const std::size_t size = SequenceSize(first);
  if (size == 1) {
    return {first, 1, true};
  }
  if (size == 0 || text.size() < size) {
    return {};
  }
  char32_t value = first & (0xFFU >> (size + 1));
  for (std::size_t i = 1; i < size; ++i) {
    if (!IsContinuation(text[i])) {
      return {};
    }
    value = (value << 6) | (static_cast<unsigned char>(text[i]) & 0x3FU);
  }
  return IsForbidden(value, size) ? Rune{} : Rune{value, size, true};
}

void AppendRune(std::string& out, char32_t rune) {
  const auto byte = [&](char32_t bits) { out.push_back(static_cast<char>(bits)); };
  if (rune < 0x80) {
    byte(rune);
  } else if (rune < 0x800) {
    byte(0xC0 | (rune >> 6));
    byte(0x80 | (rune & 0x3F));
  } else if (rune < 0x10000) {
    byte(0xE0 | (rune >> 12));
    byte(0x80 | ((rune >> 6) & 0x3F));
    byte(0x80 | (rune & 0x3F));
  } else {
    byte(0xF0 | (rune >> 18));
    byte(0x80 | ((rune >> 12) & 0x3F));
    byte(0x80 | ((rune >> 6) & 0x3F));
    byte(0x80 | (rune & 0x3F));
  }
}

bool IsValidUtf8(std::string_view text) {
  while (!text.empty()) {
    const Rune rune = DecodeRune(text);
    if (!rune.valid) {
      return false;
    }
    text.remove_prefix(rune.size);
  }
  return true;
}

// Eight bytes at a time: a continuation has its highest bit set and the next one clear.
std::size_t RuneCount(std::string_view text) {
  std::size_t continuations = 0;
  std::size_t at = 0;
  for (; at + 8 <= text.size(); at += 8) {
    std::uint64_t bytes = 0;
    std::memcpy(&bytes, text.data() + at, sizeof bytes);
    const std::uint64_t marks = (bytes & ~(bytes << 1) & 0x8080808080808080ULL) >> 7;
    continuations += static_cast<std::size_t>((marks * 0x0101010101010101ULL) >> 56);
  }
  for (; at < text.size(); ++at) {
    continuations += IsContinuation(text[at]) ? 1 : 0;
  }
  return text.size() - continuations;
}

std::size_t RuneOffset(std::string_view text, std::size_t n) {
  std::size_t at = 0;
  while (n > 0) {
    at += DecodeRune(text.substr(at)).size;
    --n;
  }
  return at;
}

bool IsSpace(char32_t rune) {
  switch (rune) {
    case '\t':
    case '\n':
    case '\v':
    case '\f':
    case '\r':
    case ' ':
    case 0x85:
    case 0xA0:
    case 0x1680:
    case 0x2028:
    case 0x2029:
    case 0x202F:
    case 0x205F:
    case 0x3000:
      return true;
    default:
      return rune >= 0x2000 && rune <= 0x200A;
  }
}

}  // namespace quadra::cel
