// Address: where a server or a proxy is: a URL in its parts. Private to src/client.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"

namespace quadra::client {

struct Address {
  std::string scheme;      // lower case; empty: not said
  std::string host;        // IPv6 without brackets
  std::uint16_t port = 0;  // that of the scheme where none is said
  std::string path;        // without a slash at its end
};

// scheme://host:port/path; scheme, port and path may be absent. Query and fragment are dropped, as
// client-go does; user names and passwords are refused.
Result<Address> ParseAddress(std::string_view url);

// The address of an API server: https alone, which is the default.
Result<Address> ParseServer(std::string_view url);

}  // namespace quadra::client
