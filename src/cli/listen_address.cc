#include "cli/listen_address.h"

#include <charconv>

#include <arpa/inet.h>
#include <fmt/format.h>

namespace quadra::cli {
namespace {

bool IsAddress(const std::string& host) {
  in6_addr ignored{};
  return inet_pton(AF_INET, host.c_str(), &ignored) == 1 ||
         inet_pton(AF_INET6, host.c_str(), &ignored) == 1;
}

Error NotListenable(std::string_view flag, const std::string& text, std::string_view why) {
  return {.kind = ErrorKind::kUsage,
          .message = fmt::format("--{}: \"{}\" {}", flag, text, why),
          .remedy = "write it as 127.0.0.1:6443"};
}

std::optional<std::uint16_t> ReadPort(std::string_view text) {
  std::uint16_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool whole = !text.empty() && error == std::errc() && end == text.data() + text.size();
  return whole ? std::optional(number) : std::nullopt;
}

}  // namespace

Result<ListenAddress> ReadListenAddress(std::string_view flag, const std::string& text) {
  ListenAddress address;
  const std::size_t colon = text.rfind(':');
  std::string host = text.substr(0, colon);
  if (host.starts_with('[') && host.ends_with(']')) {
    host = host.substr(1, host.size() - 2);
  }
  if (!host.empty() && !IsAddress(host)) {
    return Fail(NotListenable(flag, text, "names no IP address"));
  }
  if (!host.empty()) {
    address.host = host;
  }
  if (colon != std::string::npos) {
    address.port = ReadPort(std::string_view(text).substr(colon + 1));
    if (!address.port) {
      return Fail(NotListenable(flag, text, "has no port from 0 to 65535"));
    }
  }
  return address;
}

}  // namespace quadra::cli
