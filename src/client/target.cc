#include "client/target.h"

#include <utility>

namespace quadra::client {
namespace {

bool IsUnreserved(char byte) {
  return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') ||
         (byte >= '0' && byte <= '9') || byte == '-' || byte == '.' || byte == '_' || byte == '~';
}

}  // namespace

std::string EscapeSegment(std::string_view text) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  std::string escaped;
  escaped.reserve(text.size());
  for (const char byte : text) {
    if (IsUnreserved(byte)) {
      escaped += byte;
    } else {
      const auto value = static_cast<unsigned char>(byte);
      escaped += {'%', kDigits[value >> 4U], kDigits[value & 15U]};
    }
  }
  return escaped;
}

Target& Target::With(std::string_view key, std::string_view value) {
  text_ += std::exchange(next_, '&');
  text_.append(key).append("=").append(EscapeSegment(value));
  return *this;
}

Target& Target::WithIf(std::string_view key, std::string_view value) {
  return value.empty() ? *this : With(key, value);
}

}  // namespace quadra::client
