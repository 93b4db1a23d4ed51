#include "client/proxy_variables.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include <arpa/inet.h>

#include "absl/strings/ascii.h"
#include "api/vocabulary.h"

namespace quadra::client {
namespace {

// Of 4 or 16 bytes.
using Ip = std::vector<std::uint8_t>;

std::optional<Ip> ParseIp(const std::string& text) {
  std::array<std::uint8_t, 16> bytes{};
  if (inet_pton(AF_INET, text.c_str(), bytes.data()) == 1) {
    return Ip(bytes.begin(), bytes.begin() + 4);
  }
  return inet_pton(AF_INET6, text.c_str(), bytes.data()) == 1
             ? std::optional(Ip(bytes.begin(), bytes.end()))
             : std::nullopt;
}

bool IsLoopback(const Ip& ip) {
  return ip.size() == 4 ? ip[0] == 127 : ip.back() == 1 && std::ranges::count(ip, 0) == 15;
}

// Whether the first `bits` are the same.
bool Begins(const Ip& ip, const Ip& range, std::size_t bits) {
  for (std::size_t i = 0; i < bits; ++i) {
    const auto mask = static_cast<std::uint8_t>(0x80U >> (i % 8));
    if ((ip[i / 8] & mask) != (range[i / 8] & mask)) {
      return false;
    }
  }
  return true;
}

// "10.0.0.0/8"
bool InRange(const Ip& ip, std::string_view range) {
  const std::size_t slash = range.find('/');
  if (slash == std::string_view::npos) {
    return false;
  }
  const std::optional<Ip> first = ParseIp(std::string(range.substr(0, slash)));
  const std::string_view size = range.substr(slash + 1);
  std::size_t bits = 0;
  const auto read = std::from_chars(size.data(), size.data() + size.size(), bits);
  return first && first->size() == ip.size() && read.ec == std::errc() && bits <= ip.size() * 8 &&
         Begins(ip, *first, bits);
}

// Domains and those below them; with a dot before it, only those below.
bool InDomain(std::string_view host, std::string_view domain) {
  const bool below = domain.starts_with('.');
  const std::string_view name = domain.substr(below ? 1 : 0);
  if (host == name) {
    return !below;
  }
  return host.size() > name.size() && host.ends_with(name) &&
         host[host.size() - name.size() - 1] == '.';
}

bool Matches(const Address& server, const std::string& host, const std::string& entry) {
  if (entry == "*") {
    return true;
  }
  const std::optional<Ip> ip = ParseIp(host);
  if (ip && InRange(*ip, entry)) {
    return true;
  }
  const std::optional<Ip> whole = ParseIp(entry);
  if (whole) {
    return ip == whole;
  }
  const Result<Address> named = ParseAddress(entry);
  if (!named || entry.find('/') != std::string::npos) {
    return false;
  }
  const bool has_port = entry.ends_with(":" + std::to_string(named->port));
  return (!has_port || named->port == server.port) &&
         (ip ? ip == ParseIp(named->host) : InDomain(host, named->host));
}

std::string Variable(const ProcessEnvironment& environment, const std::string& name) {
  const std::string value = environment.variable(name).value_or("");
  return value.empty() ? environment.variable(api::ToLower(name)).value_or("") : value;
}

}  // namespace

std::string ProxyFromVariables(const Address& server, const ProcessEnvironment& environment) {
  const std::string proxy = Variable(environment, "HTTPS_PROXY");
  const std::string host = api::ToLower(server.host);
  const std::optional<Ip> ip = ParseIp(host);
  if (proxy.empty() || host == "localhost" || (ip && IsLoopback(*ip))) {
    return "";
  }
  const std::string without = Variable(environment, "NO_PROXY");
  for (const std::string_view part : api::Split(without, ',')) {
    const std::string entry(absl::StripAsciiWhitespace(api::ToLower(part)));
    if (!entry.empty() && Matches(server, host, entry)) {
      return "";
    }
  }
  return proxy.find("://") == std::string::npos ? "http://" + proxy : proxy;
}

}  // namespace quadra::client
