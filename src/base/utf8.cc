#include "base/utf8.h"

#include <array>

namespace quadra {
namespace {

bool IsScalarValue(char32_t code) { return code < 0xD800 || (code > 0xDFFF && code <= 0x10FFFF); }

std::size_t LengthOf(unsigned char lead) {
  if (lead >= 0xF0) {
    return lead <= 0xF4 ? 4 : 0;
  }
  if (lead >= 0xE0) {
    return 3;
  }
  return lead >= 0xC2 ? 2 : 0;
}

// The least code that needs as many bytes as the index says; below it a form is overlong.
constexpr std::array<char32_t, 5> kLeast = {0, 0, 0x80, 0x800, 0x10000};

}  // namespace

Rune DecodeRune(std::string_view text) {
  const auto lead = static_cast<unsigned char>(text[0]);
  if (lead < 0x80) {
    return {lead, 1, true};
  }
  const std::size_t size = LengthOf(lead);
  if (size == 0 || size > text.size()) {
    return {};
  }
  char32_t code = lead & (0x7FU >> size);
  for (std::size_t i = 1; i < size; ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    if ((byte & 0xC0) != 0x80) {
      return {};
    }
    code = (code << 6) | (byte & 0x3F);
  }
  if (code < kLeast[size] || !IsScalarValue(code)) {
    return {};
  }
  return {code, size, true};
}

char* WriteRune(char* out, char32_t code) {
  if (!IsScalarValue(code)) {
    code = kReplacement;
  }
  const auto put = [&out](char32_t byte) { *out++ = static_cast<char>(byte); };
  if (code < 0x80) {
    put(code);
    return out;
  }
  if (code < 0x800) {
    put(0xC0 | (code >> 6));
  } else {
    if (code < 0x10000) {
      put(0xE0 | (code >> 12));
    } else {
      put(0xF0 | (code >> 18));
      put(0x80 | ((code >> 12) & 0x3F));
    }
    put(0x80 | ((code >> 6) & 0x3F));
  }
  put(0x80 | (code & 0x3F));
  return out;
}

void AppendRune(std::string& out, char32_t code) {
  std::array<char, 4> bytes;
  out.append(bytes.data(), WriteRune(bytes.data(), code));
}

}  // namespace quadra
