// Formats: what names, keys and values of the API look like, with upstream's sentences about what
// is wrong.
//
// `...Problems` functions return the sentences; none: the value is fine. Pure. Cost: one pass.
//
//   for (const std::string& problem : DnsLabelProblems(name)) { … "must not contain dots" … }
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace quadra::api {

using Problems = std::vector<std::string>;

// Upstream has two copies of the DNS formats that differ in one word: "no more than 63 characters"
// or "bytes".
enum class Wording : std::uint8_t { kCharacters, kBytes };

Problems DnsLabelProblems(std::string_view value, Wording wording = Wording::kCharacters);
Problems DnsSubdomainProblems(std::string_view value, Wording wording = Wording::kCharacters);
Problems CaselessDnsSubdomainProblems(std::string_view value);
Problems LabelKeyProblems(std::string_view value);  // [prefix/]name; also called qualified name
Problems LabelValueProblems(std::string_view value);
Problems CIdentifierProblems(std::string_view value);
// What may stand between two slashes of a URL; `prefix`: only the start of it is given.
Problems PathSegmentProblems(std::string_view value, bool prefix);
// A name or, with `prefix`, a generateName.
Problems SubdomainNameProblems(std::string_view value, bool prefix);
Problems LabelNameProblems(std::string_view value, bool prefix);

// 8-4-4-4-12 lower-case hexadecimal digits.
bool IsLowerCaseUuid(std::string_view value);
// Strict semver 2.0.0, numbers of any size.
bool IsSemver(std::string_view value);

inline constexpr std::size_t kMaxDriverNameLength = 63;
inline constexpr std::size_t kMaxPoolNameLength = 253;
inline constexpr std::size_t kMaxIdentifierLength = 32;
inline constexpr std::size_t kMaxDomainLength = 63;
inline constexpr std::size_t kMaxLabelLength = 63;

std::vector<std::string_view> Split(std::string_view text, char separator);
// Go's strings.ToLower, as far as the result is ASCII.
std::string ToLower(std::string_view text);

}  // namespace quadra::api
