// Interface addresses as device status reports them: an IP address of a host with the prefix length
// of its network.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace quadra::validation {

// `text` in canonical form, or nothing when it is no address with prefix length. Reads as leniently
// as upstream: leading zeros and any spelling of IPv6 are understood, and an IPv4 address mapped
// into IPv6 becomes plain IPv4.
//
//   CanonicalInterfaceAddress("010.9.8.7/24")            == "10.9.8.7/24"
//   CanonicalInterfaceAddress("::ffff:192.168.0.1/120")  == "192.168.0.1/24"
std::optional<std::string> CanonicalInterfaceAddress(std::string_view text);

}  // namespace quadra::validation
