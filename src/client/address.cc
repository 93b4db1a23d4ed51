#include "client/address.h"

#include <charconv>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "api/vocabulary.h"

namespace quadra::client {
namespace {

constexpr std::uint16_t kHttpPort = 80;
constexpr std::uint16_t kHttpsPort = 443;

tl::unexpected<Error> Wrong(std::string_view url, std::string message) {
  return Fail({.message = std::move(message),
               .value = std::string(url),
               .remedy = "write it as https://host:port"});
}

// What stands before `mark`, which is taken from `text` together with the mark.
std::optional<std::string_view> TakeBefore(std::string_view& text, std::string_view mark) {
  const std::size_t at = text.find(mark);
  if (at == std::string_view::npos) {
    return std::nullopt;
  }
  const std::string_view before = text.substr(0, at);
  text.remove_prefix(at + mark.size());
  return before;
}

std::optional<std::uint16_t> PortIn(std::string_view text) {
  std::uint16_t port = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), port);
  const bool whole = read.ec == std::errc() && read.ptr == text.data() + text.size();
  return whole && port > 0 ? std::optional(port) : std::nullopt;
}

// "host", "host:1", "[::1]", "[::1]:1".
bool ReadHostAndPort(std::string_view text, Address& address) {
  std::string_view port;
  if (text.starts_with('[')) {
    text.remove_prefix(1);
    const auto host = TakeBefore(text, "]");
    if (!host || (!text.empty() && text[0] != ':')) {
      return false;
    }
    address.host = *host;
    port = text;
  } else {
    const std::size_t colon = std::min(text.find(':'), text.size());
    address.host = text.substr(0, colon);
    port = text.substr(colon);
  }
  if (port.size() > 1) {
    const auto number = PortIn(port.substr(1));
    address.port = number.value_or(0);
    return number.has_value() && !address.host.empty();
  }
  return !address.host.empty();
}

}  // namespace

Result<Address> ParseAddress(std::string_view url) {
  Address address;
  std::string_view rest = url.substr(0, url.find_first_of("?#"));
  if (const auto scheme = TakeBefore(rest, "://")) {
    address.scheme = api::ToLower(*scheme);
  }
  address.port = address.scheme == "http" ? kHttpPort : kHttpsPort;
  const std::size_t slash = std::min(rest.find('/'), rest.size());
  address.path = rest.substr(slash);
  while (address.path.ends_with('/')) {
    address.path.pop_back();
  }
  const std::string_view authority = rest.substr(0, slash);
  if (authority.find('@') != std::string_view::npos) {
    return Fail({.kind = ErrorKind::kUnsupported,
                 .message = "an address with a user name or a password is not supported"});
  }
  if (!ReadHostAndPort(authority, address)) {
    return Wrong(url, "is no address");
  }
  return address;
}

Result<Address> ParseServer(std::string_view url) {
  QUADRA_TRY(Address address, ParseAddress(url));
  if (!address.scheme.empty() && address.scheme != "https") {
    return Fail(
        {.kind = ErrorKind::kUnsupported,
         .message = fmt::format("servers are reached by https alone, not by {}", address.scheme),
         .value = std::string(url),
         .remedy = "write it as https://host:port"});
  }
  return address;
}

}  // namespace quadra::client
