// IP addresses and CIDR blocks, parsed and printed as Go's net/netip does.
//
// Plain values. Errors carry upstream's words.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"

namespace quadra::cel {

// IPv4 in the first four bytes, the rest zero.
struct IpAddress {
  std::array<std::uint8_t, 16> bytes{};
  bool is_v4 = false;
  bool has_zone = false;
  int bits() const { return is_v4 ? 32 : 128; }
  // IPv4-mapped: ::ffff:a.b.c.d
  bool is_mapped() const;
  friend bool operator==(const IpAddress&, const IpAddress&) = default;
};

struct CidrBlock {
  IpAddress address;
  int length = 0;  // bits
  friend bool operator==(const CidrBlock&, const CidrBlock&) = default;
};

Result<IpAddress> ParseAddress(std::string_view text);
Result<CidrBlock> ParseBlock(std::string_view text);
std::string AddressText(const IpAddress& address);
std::string BlockText(const CidrBlock& block);

int CompareAddresses(const IpAddress& a, const IpAddress& b);
int CompareBlocks(const CidrBlock& a, const CidrBlock& b);

bool IsUnspecified(const IpAddress& address);
bool IsLoopback(const IpAddress& address);
bool IsLinkLocalUnicast(const IpAddress& address);
bool IsLinkLocalMulticast(const IpAddress& address);
bool IsGlobalUnicast(const IpAddress& address);

CidrBlock Masked(const CidrBlock& block);
bool Contains(const CidrBlock& block, const IpAddress& address);
bool Overlaps(const CidrBlock& a, const CidrBlock& b);

}  // namespace quadra::cel
