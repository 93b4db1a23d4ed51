// The one walk over the members that say which object a text is about; for this folder's readers,
// which differ in what they do with the other members.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include "api/decode_error.h"
#include "api/identity.h"
#include "json/value.h"

namespace quadra::api {

inline DecodeError HeaderError(std::string message) {
  return {.error_class = DecodeError::Class::kHeader,
          .path = {},
          .exact = {},
          .message = std::move(message)};
}

inline DecodeError SyntaxError(const json::Reader& reader) {
  return {.error_class = DecodeError::Class::kSyntax,
          .path = {},
          .exact = {},
          .message = std::string(reader.error_what()),
          .offset = reader.error_offset()};
}

// The string at hand. What is neither string nor null is passed over and, when it is the first such
// value, becomes `error`.
void ReadHeaderMember(json::Reader& reader, std::string_view key, std::string& into,
                      std::string& error);

// Upstream finds apiVersion and kind in any case.
inline bool IsHeaderKey(std::string_view key, std::string_view name) {
  return std::ranges::equal(key, name, [](char x, char y) { return (x | 0x20) == (y | 0x20); });
}

// Reads apiVersion and kind; for each other member calls `other(key)`, which reads or passes its
// value. REQUIRES: the reader is at an object.
template <typename Other>
Header ReadHeaderMembers(json::Reader& reader, Other other, std::string& error) {
  Header header;
  std::string_view key;
  for (bool more = reader.EnterObject(); more && reader.NextKey(key);) {
    if (IsHeaderKey(key, "apiVersion")) {
      ReadHeaderMember(reader, "apiVersion", header.api_version, error);
    } else if (IsHeaderKey(key, "kind")) {
      ReadHeaderMember(reader, "kind", header.kind, error);
    } else {
      other(key);
    }
  }
  return header;
}

}  // namespace quadra::api
