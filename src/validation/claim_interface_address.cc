#include "validation/claim_interface_address.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <vector>

#include <fmt/format.h>

#include "api/vocabulary.h"

namespace quadra::validation {
namespace {

constexpr int kIpv4Bits = 32;
constexpr int kIpv6Bits = 128;
constexpr std::size_t kGroups = 8;

// Eight groups of 16 bits. IPv4 addresses are mapped: ::ffff:a.b.c.d.
using Groups = std::array<std::uint16_t, kGroups>;

// A number without sign, digits only, at most `limit`.
std::optional<std::uint16_t> ParseNumber(std::string_view text, int base, unsigned limit) {
  std::uint32_t value = 0;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (error != std::errc() || stop != text.data() + text.size() || value > limit) {
    return std::nullopt;
  }
  return static_cast<std::uint16_t>(value);
}

std::optional<std::uint32_t> ParseIpv4(std::string_view text) {
  const std::vector<std::string_view> octets = api::Split(text, '.');
  if (octets.size() != 4) {
    return std::nullopt;
  }
  std::uint32_t address = 0;
  for (const std::string_view octet : octets) {
    const auto value = ParseNumber(octet, 10, 255);
    if (!value) {
      return std::nullopt;
    }
    address = address << 8 | *value;
  }
  return address;
}

void AppendIpv4(std::uint32_t address, std::vector<std::uint16_t>& groups) {
  groups.push_back(static_cast<std::uint16_t>(address >> 16));
  groups.push_back(static_cast<std::uint16_t>(address));
}

// Groups between colons, the last of which may be an IPv4 address that counts for two.
std::optional<std::vector<std::uint16_t>> ParseGroups(std::string_view text) {
  std::vector<std::uint16_t> groups;
  if (text.empty()) {
    return groups;
  }
  const std::vector<std::string_view> parts = api::Split(text, ':');
  for (const std::string_view& part : parts) {
    if (const auto group = ParseNumber(part, 16, 0xffff)) {
      groups.push_back(*group);
    } else if (const auto ipv4 = ParseIpv4(part); ipv4 && &part == &parts.back()) {
      AppendIpv4(*ipv4, groups);
    } else {
      return std::nullopt;
    }
  }
  return groups;
}

std::optional<Groups> ParseIpv6(std::string_view text) {
  const std::size_t gap = text.find("::");
  const auto head = ParseGroups(text.substr(0, gap));
  const auto tail = ParseGroups(gap == text.npos ? "" : text.substr(gap + 2));
  if (!head || !tail || text.empty()) {
    return std::nullopt;
  }
  const std::size_t given = head->size() + tail->size();
  // A gap stands for at least one group, and nothing may stand in front of it that ends in IPv4.
  if (gap == text.npos ? given != kGroups : given >= kGroups) {
    return std::nullopt;
  }
  if (gap != text.npos && text.substr(0, gap).find('.') != text.npos) {
    return std::nullopt;
  }
  Groups groups{};
  std::ranges::copy(*head, groups.begin());
  std::ranges::copy_backward(*tail, groups.end());
  return groups;
}

bool IsMappedIpv4(const Groups& groups) {
  return std::all_of(groups.begin(), groups.begin() + 5, [](auto group) { return group == 0; }) &&
         groups[5] == 0xffff;
}

struct Run {
  std::size_t begin = 0;
  std::size_t end = 0;
  std::size_t size() const { return end - begin; }
};

// The first of the longest runs of zero groups, if it is worth shortening.
Run LongestZeroRun(const Groups& groups) {
  Run longest;
  for (std::size_t i = 0; i < kGroups; ++i) {
    Run run{i, i};
    while (run.end < kGroups && groups[run.end] == 0) {
      ++run.end;
    }
    if (run.size() >= 2 && run.size() > longest.size()) {
      longest = run;
    }
  }
  return longest;
}

std::string FormatGroups(const Groups& groups) {
  const Run zeros = LongestZeroRun(groups);
  std::string text;
  for (std::size_t i = 0; i < kGroups; ++i) {
    if (zeros.size() > 0 && i == zeros.begin) {
      text += "::";
      i = zeros.end - 1;
      continue;
    }
    text += fmt::format("{}{:x}", text.empty() || text.back() == ':' ? "" : ":", groups[i]);
  }
  return text;
}

std::string FormatIpv4(const Groups& groups) {
  return fmt::format("{}.{}.{}.{}", groups[6] >> 8, groups[6] & 0xff, groups[7] >> 8,
                     groups[7] & 0xff);
}

Groups MapIpv4(std::uint32_t address) {
  return {0,
          0,
          0,
          0,
          0,
          0xffff,
          static_cast<std::uint16_t>(address >> 16),
          static_cast<std::uint16_t>(address)};
}

}  // namespace

std::optional<std::string> CanonicalInterfaceAddress(std::string_view text) {
  const std::size_t slash = text.find('/');
  if (slash == text.npos) {
    return std::nullopt;
  }
  const std::string_view address = text.substr(0, slash);
  const auto ipv4 = ParseIpv4(address);
  const auto groups = ipv4 ? MapIpv4(*ipv4) : ParseIpv6(address);
  const auto prefix = ParseNumber(text.substr(slash + 1), 10, ipv4 ? kIpv4Bits : kIpv6Bits);
  if (!groups || !prefix) {
    return std::nullopt;
  }
  if (!IsMappedIpv4(*groups)) {
    return fmt::format("{}/{}", FormatGroups(*groups), *prefix);
  }
  return fmt::format("{}/{}", FormatIpv4(*groups),
                     *prefix > kIpv4Bits ? *prefix - (kIpv6Bits - kIpv4Bits) : *prefix);
}

}  // namespace quadra::validation
