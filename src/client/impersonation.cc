#include "client/impersonation.h"

#include <string>
#include <string_view>

#include <fmt/format.h>

#include "absl/strings/ascii.h"

namespace quadra::client {
namespace {

// Bytes that the name of a header may have; a percent sign begins what is escaped.
bool IsPlain(char byte) {
  return absl::ascii_isalnum(static_cast<unsigned char>(byte)) ||
         std::string_view("!#$&'*+-.^_`|~").find(byte) != std::string_view::npos;
}

std::string Escaped(std::string_view key) {
  std::string escaped;
  for (const char byte : key) {
    if (IsPlain(byte)) {
      escaped += byte;
    } else {
      escaped += fmt::format("%{:02X}", static_cast<unsigned char>(byte));
    }
  }
  return escaped;
}

}  // namespace

net::Headers ImpersonationOf(const ClusterAccess& access) {
  net::Headers headers;
  if (access.as.empty()) {
    return headers;
  }
  headers.Add("impersonate-user", access.as);
  if (!access.as_uid.empty()) {
    headers.Add("impersonate-uid", access.as_uid);
  }
  for (const std::string& group : access.as_groups) {
    headers.Add("impersonate-group", group);
  }
  for (const auto& [key, values] : access.as_extra) {
    for (const std::string& value : values) {
      headers.Add("impersonate-extra-" + Escaped(key), value);
    }
  }
  return headers;
}

}  // namespace quadra::client
