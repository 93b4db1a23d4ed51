// ListenAddress: HOST:PORT, [::1]:PORT, :PORT or HOST on the command line; a host is an IP address.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"

namespace quadra::cli {

struct ListenAddress {
  std::optional<std::string> host;  // absent: not said
  std::optional<std::uint16_t> port;
};

// Errors are of kind kUsage and name the flag.
Result<ListenAddress> ReadListenAddress(std::string_view flag, const std::string& text);

}  // namespace quadra::cli
