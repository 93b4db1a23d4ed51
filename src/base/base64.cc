#include "base/base64.h"

#include <algorithm>
#include <array>
#include <cstdint>

namespace quadra {
namespace {

constexpr std::string_view kBase64 =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

constexpr std::array<std::int8_t, 256> kBase64Value = [] {
  std::array<std::int8_t, 256> values{};
  values.fill(-1);
  for (std::size_t i = 0; i < kBase64.size(); ++i) {
    values[static_cast<unsigned char>(kBase64[i])] = static_cast<std::int8_t>(i);
  }
  return values;
}();

std::string WithoutLineBreaks(std::string_view text) {
  std::string kept;
  for (const char c : text) {
    if (c != '\r' && c != '\n') {
      kept += c;
    }
  }
  return kept;
}

}  // namespace

std::optional<std::string> DecodeBase64(std::string_view given) {
  const std::string text = WithoutLineBreaks(given);
  if (text.size() % 4 != 0) {
    return std::nullopt;
  }
  std::size_t digits = text.size();
  while (digits > 0 && text.size() - digits < 2 && text[digits - 1] == '=') {
    --digits;
  }
  std::string bytes;
  std::uint32_t bits = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const int value = i < digits ? kBase64Value[static_cast<unsigned char>(text[i])] : 0;
    if (value < 0) {
      return std::nullopt;
    }
    bits = bits << 6 | static_cast<std::uint32_t>(value);
    if (i % 4 == 3) {
      bytes +=
          {static_cast<char>(bits >> 16), static_cast<char>(bits >> 8), static_cast<char>(bits)};
    }
  }
  bytes.resize(bytes.size() - (text.size() - digits));
  return bytes;
}

void AppendBase64(std::string& out, std::string_view bytes) {
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t bits = 0;
    const std::size_t count = std::min<std::size_t>(3, bytes.size() - i);
    for (std::size_t k = 0; k < 3; ++k) {
      bits = bits << 8 | (k < count ? static_cast<unsigned char>(bytes[i + k]) : 0U);
    }
    for (std::size_t k = 0; k < 4; ++k) {
      out += k <= count ? kBase64[bits >> (18 - 6 * k) & 63] : '=';
    }
  }
}

}  // namespace quadra
