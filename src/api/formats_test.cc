#include "api/formats.h"

#include <gtest/gtest.h>

namespace quadra::api {
namespace {

using Function = Problems (*)(std::string_view);

constexpr Function kLabel = [](std::string_view v) { return DnsLabelProblems(v); };
constexpr Function kSubdomain = [](std::string_view v) { return DnsSubdomainProblems(v); };
constexpr Function kSegment = [](std::string_view v) { return PathSegmentProblems(v, false); };
constexpr Function kGenerate = [](std::string_view v) { return SubdomainNameProblems(v, true); };

const std::string kLabelRule =
    "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and "
    "must start and end with "
    "an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is "
    "'[a-z0-9]([-a-z0-9]*[a-z0-9])?')";
const std::string kSubdomainRule =
    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or "
    "'.', and must start and "
    "end with an alphanumeric character (e.g. 'example.com', regex used for validation is "
    "'[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
const std::string kKeyRule =
    "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an "
    "alphanumeric character "
    "(e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is "
    "'([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";
const std::string kValueRule =
    "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', "
    "and must start and "
    "end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used "
    "for validation is "
    "'(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')";

TEST(Formats, SayWhatUpstreamSays) {
  struct Row {
    Function problems;
    std::string value;
    Problems expected;
  };
  const std::string long_name(64, 'a');
  const Row rows[] = {
      {kLabel, "a-1", {}},
      {kLabel, "", {kLabelRule}},
      {kLabel, "a.b", {"must not contain dots"}},
      {kLabel, "-a", {kLabelRule}},
      {kLabel, long_name, {"must be no more than 63 characters"}},
      {kSubdomain, "a.b-c.d", {}},
      {kSubdomain, "a..b", {kSubdomainRule}},
      {kSubdomain, "A", {kSubdomainRule}},
      {LabelKeyProblems, "example.com/My_name", {}},
      {LabelKeyProblems, "", {"name part must be non-empty", "name part " + kKeyRule}},
      {LabelKeyProblems, "/a", {"prefix part must be non-empty"}},
      {LabelKeyProblems, "A/a", {"prefix part " + kSubdomainRule}},
      {LabelKeyProblems, long_name, {"name part must be no more than 63 bytes"}},
      {LabelKeyProblems,
       "a/b/c",
       {"a valid label key " + kKeyRule +
        " with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')"}},
      {LabelValueProblems, "", {}},
      {LabelValueProblems, "a b", {kValueRule}},
      {LabelValueProblems, long_name, {"must be no more than 63 bytes"}},
      {CaselessDnsSubdomainProblems, "Example.COM", {}},
      {CaselessDnsSubdomainProblems, "\u212a\u017f.com", {}},
      {kSegment, "..", {"may not be '..'"}},
      {kSegment, "a/b%", {"may not contain '/'", "may not contain '%'"}},
      {kGenerate, "abc-", {}},
      {kGenerate, "-", {kSubdomainRule}},
  };
  for (const Row& row : rows) {
    EXPECT_EQ(row.problems(row.value), row.expected) << row.value;
  }
}

TEST(Formats, SemverIsStrict) {
  for (const char* good : {"0.0.0", "1.2.3", "1.2.3-a.1+b.01", "1.0.0-0a", "1.0.0-x-y.7",
                           "99999999999999999999.0.0", "1.0.0+a-b"}) {
    EXPECT_TRUE(IsSemver(good)) << good;
  }
  for (const char* bad : {"", "1", "1.2", "1.2.3.4", "v1.2.3", "01.2.3", "1.2.3-", "1.2.3-01",
                          "1.2.3+", "1.2.3-a..b", "1.2.3 "}) {
    EXPECT_FALSE(IsSemver(bad)) << bad;
  }
}

TEST(Formats, LowerCaseIsGos) {
  EXPECT_EQ(ToLower("A\u0130\u212aZ"), "aikz");
  EXPECT_EQ(ToLower("\u017f"), "\u017f");
}

TEST(Formats, UuidsAreLowerCase) {
  EXPECT_TRUE(IsLowerCaseUuid("123e4567-e89b-12d3-a456-426614174000"));
  EXPECT_FALSE(IsLowerCaseUuid("123E4567-e89b-12d3-a456-426614174000"));
  EXPECT_FALSE(IsLowerCaseUuid("123e4567e89b12d3a456426614174000"));
  EXPECT_FALSE(IsLowerCaseUuid("123e4567-e89b-12d3-a456-42661417400"));
}

}  // namespace
}  // namespace quadra::api
