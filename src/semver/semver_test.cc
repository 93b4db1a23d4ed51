#include "semver/semver.h"

#include <string>
#include <string_view>

#include <gtest/gtest.h>

namespace quadra::semver {
namespace {

Version V(std::string_view text) {
  auto parsed = Version::Parse(text);
  EXPECT_TRUE(parsed) << text;
  return parsed ? *parsed : Version();
}

// What each of the three readers makes of a text; empty means refused.
TEST(Version, HasThreeReaders) {
  struct Row {
    std::string_view text, parsed, normalized;
    bool matches;
  };
  const Row rows[] = {
      {"1.2.3", "1.2.3", "1.2.3", true},
      {"0.0.0", "0.0.0", "0.0.0", true},
      {"1.2.3-rc.1+build.5", "1.2.3-rc.1+build.5", "1.2.3-rc.1+build.5", true},
      {"1.2.3+a-b", "1.2.3+a-b", "1.2.3+a-b", true},
      {"1.2.3--", "1.2.3--", "1.2.3--", true},
      {"1.2.3-0a", "1.2.3-0a", "1.2.3-0a", true},
      {"1.2.3+001", "1.2.3+001", "1.2.3+001", true},
      {"18446744073709551615.0.0", "18446744073709551615.0.0", "18446744073709551615.0.0", true},
      {"18446744073709551616.0.0", "", "", true},
      {"1.0.0-18446744073709551616", "", "", true},
      {"v1.2.3", "", "1.2.3", false},
      {"vv1.2.3", "", "", false},
      {"1", "", "1.0.0", false},
      {"v1.2", "", "1.2.0", false},
      {"01.002.0003", "", "1.2.3", false},
      {"00.0.00-rc", "", "0.0.0-rc", false},
      {"1.2-rc", "", "", false},
      {"1.2.3-01", "", "", false},
      {"1.2.3-", "", "", false},
      {"1.2.3+", "", "", false},
      {"1.2.3-a..b", "", "", false},
      {"1.2.3.4", "", "", false},
      {"1.2.3 ", "", "", false},
      {" 1.2.3", "", "", false},
      {"1.2.3\n", "", "", false},
      {"1..3", "", "", false},
      {"", "", "", false},
      {"-1.2.3", "", "", false},
  };
  const auto printed = [](const Result<Version>& version) {
    return version ? version->ToString() : "";
  };
  for (const Row& row : rows) {
    EXPECT_EQ(printed(Version::Parse(row.text)), row.parsed) << row.text;
    EXPECT_EQ(printed(Version::ParseNormalized(row.text)), row.normalized) << row.text;
    EXPECT_EQ(MatchesSpec(row.text), row.matches) << row.text;
  }
}

TEST(Version, SaysWhatIsWrongAsUpstream) {
  struct Row {
    std::string_view text, message, value;
  };
  const Row rows[] = {
      {"", "Version string empty", ""},
      {"1.2", "No Major.Minor.Patch elements found", ""},
      {"a.b.c", "Invalid character(s) found in major number", "a"},
      {"1.02.x", "Minor number must not contain leading zeroes", "02"},
      {"1.2.x-", "Invalid character(s) found in patch number", "x"},
      {"1.2.99999999999999999999", "value out of range", "99999999999999999999"},
      {"1..3", "invalid syntax", ""},
      {"1.2.3-", "Prerelease is empty", ""},
      {"1.2.3-01", "Numeric PreRelease version must not contain leading zeroes", "01"},
      {"1.2.3-a_b", "Invalid character(s) found in prerelease", "a_b"},
      {"1.2.3+a..b", "Build meta data is empty", ""},
      {"1.2.3+a b", "Invalid character(s) found in build meta data", "a b"},
  };
  for (const Row& row : rows) {
    const auto parsed = Version::Parse(row.text);
    ASSERT_FALSE(parsed) << row.text;
    EXPECT_EQ(parsed.error().message, row.message) << row.text;
    EXPECT_EQ(parsed.error().value, row.value) << row.text;
  }
  EXPECT_EQ(Version::ParseNormalized("1-rc").error().message,
            "short version cannot contain PreRelease/Build meta data");
}

// The specification's own example and its neighbours, ascending.
TEST(Version, OrdersByPrecedence) {
  const std::string_view ascending[] = {
      "0.9.9",      "1.0.0-0",      "1.0.0-2",       "1.0.0-10",      "1.0.0-18446744073709551615",
      "1.0.0--",    "1.0.0-Z",      "1.0.0-alpha",   "1.0.0-alpha.1", "1.0.0-alpha.beta",
      "1.0.0-beta", "1.0.0-beta.2", "1.0.0-beta.11", "1.0.0-rc.1",    "1.0.0",
      "1.0.1",      "1.2.0",        "1.10.0",        "2.0.0",
  };
  for (const auto& a : ascending) {
    for (const auto& b : ascending) {
      EXPECT_EQ(V(a) <=> V(b), &a <=> &b) << a << " " << b;
    }
  }
}

TEST(Version, IgnoresBuildMetadataExceptInPrint) {
  const Version a = V("1.0.0-rc+a"), b = V("1.0.0-rc+b.c");
  EXPECT_EQ(a, b);
  EXPECT_EQ(b.prerelease(), "rc");
  EXPECT_EQ(b.build(), "b.c");
  EXPECT_EQ(b.ToString(), "1.0.0-rc+b.c");
  EXPECT_EQ(V("1.0.0").build(), "");
  EXPECT_EQ(V("1.0.0+x").prerelease(), "");
}

TEST(Version, ShowsItsNumbers) {
  const Version version = V("1.22.333");
  EXPECT_EQ(version.major_number(), 1U);
  EXPECT_EQ(version.minor_number(), 22U);
  EXPECT_EQ(version.patch_number(), 333U);
  EXPECT_EQ(Version().ToString(), "0.0.0");
}

}  // namespace
}  // namespace quadra::semver
