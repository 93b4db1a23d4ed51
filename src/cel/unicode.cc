#include "cel/unicode.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>

namespace quadra::cel {
namespace {

bool IsContinuation(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

std::uint64_t EightBytes(const char* at) {
  static_assert(std::endian::native == std::endian::little, "the first is the lowest");
  std::uint64_t bytes = 0;
  std::memcpy(&bytes, at, sizeof bytes);
  return bytes;
}

// Those of eight bytes that continue a rune.
std::size_t ContinuationsIn(std::uint64_t bytes) {
  const std::uint64_t marks = (bytes & ~(bytes << 1) & 0x8080808080808080ULL) >> 7;
  return static_cast<std::size_t>((marks * 0x0101010101010101ULL) >> 56);
}

}  // namespace

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
  std::size_t left = text.size();
  for (const char* at = text.data(); left >= 8; at += 8, left -= 8) {
    continuations += ContinuationsIn(EightBytes(at));
  }
  if (text.size() >= 8) {  // the last eight, without those that were counted
    const std::uint64_t last = EightBytes(text.data() + text.size() - 8);
    return text.size() - continuations - (left > 0 ? ContinuationsIn(last >> (64 - 8 * left)) : 0);
  }
  continuations += static_cast<std::size_t>(std::ranges::count_if(text, IsContinuation));
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
