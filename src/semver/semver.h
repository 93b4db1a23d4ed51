// Version: a semantic version (semver.org 2.0.0), ordered by precedence, printed as it was read.
//
// Three rules, from lenient to strict in what they call a version, all with upstream's verdicts:
//   ParseNormalized  CEL's semver(text, true): a leading "v", missing parts and leading zeros are put
//                    right first
//   Parse            CEL's semver(text): the specification, with numbers that fit uint64
//                    (github.com/blang/semver/v4)
//   MatchesSpec      what the API accepts in an attribute: the specification, with numbers of any
//                    length
// So an attribute may pass the API and still not Parse; a selector that reads it fails then, as
// upstream.
//
// Two versions that differ only in build metadata are equal and print differently: use ToString()
// to tell them apart, as matchAttribute does. Plain value; threads as std::string. Parsing does not
// allocate for versions whose pre-release and build metadata have at most 15 bytes. Nothing throws.
//
//   QUADRA_TRY(const Version driver, Version::Parse("550.54.15-rc.1+open"));
//   driver < *Version::Parse("550.54.15");  // true: a pre-release comes first
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"

namespace quadra::semver {

class Version {
 public:
  // 0.0.0
  Version() = default;

  // Errors have reason kInvalid; `message` is upstream's text up to the part it quotes, `value`
  // that part. For a number that is empty or too large the message is Go's reason alone ("value out
  // of range").
  static Result<Version> Parse(std::string_view text);
  static Result<Version> ParseNormalized(std::string_view text);

  std::uint64_t major_number() const { return major_; }
  std::uint64_t minor_number() const { return minor_; }
  std::uint64_t patch_number() const { return patch_; }
  // Without the leading '-' and '+'; empty if there is none. Valid as long as the version.
  std::string_view prerelease() const;
  std::string_view build() const;

  // The normalised text, build metadata included.
  std::string ToString() const;

  // Precedence, which ignores build metadata.
  friend bool operator==(const Version& a, const Version& b) { return (a <=> b) == 0; }
  friend std::weak_ordering operator<=>(const Version& a, const Version& b);

 private:
  std::uint64_t major_ = 0;
  std::uint64_t minor_ = 0;
  std::uint64_t patch_ = 0;
  std::string tail_;             // "-rc.1+open"
  std::size_t build_start_ = 0;  // of '+' in tail_; its size if there is none
};

// Whether `text` is what the API server takes for a version; it checks the length (64 bytes) apart.
bool MatchesSpec(std::string_view text);

}  // namespace quadra::semver
