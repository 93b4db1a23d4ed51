// The parts that libraries are made of: times, zones, addresses, URLs, patterns, formats, numbers.
#include <cmath>
#include <limits>
#include <string>
#include <type_traits>

#include <gtest/gtest.h>

#include "cel/environment.h"
#include "cel/go_regex.h"
#include "cel/go_text.h"
#include "cel/ip.h"
#include "cel/named_format.h"
#include "cel/time_zone.h"
#include "cel/timestamp.h"
#include "cel/unicode.h"
#include "cel/url.h"

namespace quadra::cel {
namespace {

// A row that forgets its cost or its estimate does not compile.
using Run = std::remove_pointer_t<Implementation>&;
using CostOf = std::remove_pointer_t<CostFunction>&;
using EstimateOf = std::remove_pointer_t<EstimateFunction>&;
static_assert(std::is_constructible_v<Behaviour, Run, CostOf, EstimateOf>);
static_assert(std::is_constructible_v<Behaviour, Unbound, CostOf, EstimateOf>);
static_assert(!std::is_default_constructible_v<Behaviour>);
static_assert(!std::is_constructible_v<Behaviour, Run>);
static_assert(!std::is_constructible_v<Behaviour, Run, CostOf>);
static_assert(!std::is_constructible_v<Behaviour, Run, EstimateOf>);
static_assert(!std::is_constructible_v<Behaviour, Run, std::nullptr_t, EstimateOf>);
static_assert(!std::is_default_constructible_v<Overload>);

struct DurationRow {
  std::string_view text;
  std::optional<std::int64_t> nanoseconds;
};

TEST(Duration, ReadsWhatGoReads) {
  constexpr DurationRow kRows[] = {
      {"0", 0},
      {"1h", 3'600'000'000'000},
      {"1.5h", 5'400'000'000'000},
      {"-1m30s", -90'000'000'000},
      {"+5s", 5'000'000'000},
      {"1h1m1s1ms1us1ns", 3'661'001'001'001},
      {".5s", 500'000'000},
      {"1.s", 1'000'000'000},
      {"1\xC2\xB5s", 1'000},
      {"9223372036854775807ns", std::numeric_limits<std::int64_t>::max()},
      {"-9223372036854775808ns", std::numeric_limits<std::int64_t>::min()},
      {"9223372036854775808ns", std::nullopt},
      {"", std::nullopt},
      {"-", std::nullopt},
      {"1", std::nullopt},
      {"1d", std::nullopt},
      {".s", std::nullopt},
      {"1h ", std::nullopt},
  };
  for (const DurationRow& row : kRows) {
    EXPECT_EQ(ParseDuration(row.text), row.nanoseconds) << row.text;
  }
}

struct TextRow {
  std::string_view input;
  std::string_view output;  // empty: refused
};

TEST(Timestamp, KeepsTheOffsetItWasReadWith) {
  constexpr TextRow kRows[] = {
      {"2023-01-02T03:04:05Z", "2023-01-02T03:04:05Z"},
      {"2023-01-02T03:04:05.120Z", "2023-01-02T03:04:05.12Z"},
      {"2024-02-29T12:00:00+05:30", "2024-02-29T12:00:00+05:30"},
      {"2023-01-02T3:04:05Z", "2023-01-02T03:04:05Z"},
      {"2023-01-02T03:04:05,5Z", "2023-01-02T03:04:05.5Z"},
      {"2023-02-29T12:00:00Z", ""},
      {"2023-01-02 03:04:05Z", ""},
      {"2023-01-02T24:00:00Z", ""},
      {"2023-01-02T03:04:05", ""},
      {"2023-1-02T03:04:05Z", ""},
  };
  for (const TextRow& row : kRows) {
    const std::optional<Timestamp> time = ParseTimestamp(row.input);
    EXPECT_EQ(time ? TimestampText(*time) : "", row.output) << row.input;
  }
}

TEST(Timestamp, CalendarCoversTheWholeRange) {
  const CalendarTime first = ToCalendar(kMinUnixTime);
  EXPECT_EQ(first.year, 1);
  EXPECT_EQ(first.day_of_year, 0);
  EXPECT_EQ(first.day_of_week, 1);
  const CalendarTime last = ToCalendar(kMaxUnixTime);
  EXPECT_EQ(last.year, 9999);
  EXPECT_EQ(last.month, 11);
  EXPECT_EQ(last.day, 30);
  EXPECT_EQ(last.second, 59);
  EXPECT_FALSE(AddDuration({.seconds = kMaxUnixTime}, 1'000'000'000));
}

// A TZif file of version 2 without transitions: one zone and a rule.
std::string ZoneFile(std::int32_t offset, std::string_view rule) {
  const auto number = [](std::uint32_t value) {
    std::string bytes;
    for (int shift = 24; shift >= 0; shift -= 8) {
      bytes.push_back(static_cast<char>(value >> shift));
    }
    return bytes;
  };
  const std::string header = "TZif2" + std::string(15, '\0') + number(0) + number(0) + number(0) +
                             number(0) + number(1) + number(4);
  const std::string block =
      number(static_cast<std::uint32_t>(offset)) + std::string(2, '\0') + std::string("LMT\0", 4);
  return header + block + header + block + "\n" + std::string(rule) + "\n";
}

constexpr std::int32_t kNoOffset = -1;

struct RuleRow {
  std::string_view rule;
  std::int64_t seconds;
  std::int32_t offset;
};

TEST(TimeZone, FollowsTheRuleOfTheFooter) {
  constexpr RuleRow kRows[] = {
      {"EST5EDT,M3.2.0,M11.1.0", 1'678'604'399, -18'000},       // 2023-03-12T06:59:59Z
      {"EST5EDT,M3.2.0,M11.1.0", 1'678'604'400, -14'400},       // 2023-03-12T07:00:00Z
      {"EST5EDT,M3.2.0,M11.1.0", 1'699'163'999, -14'400},       // 2023-11-05T05:59:59Z
      {"EST5EDT,M3.2.0,M11.1.0", 1'699'164'000, -18'000},       // 2023-11-05T06:00:00Z
      {"AEST-10AEDT,M10.1.0,M4.1.0/3", 1'673'740'800, 39'600},  // January in Sydney
      {"AEST-10AEDT,M10.1.0,M4.1.0/3", 1'689'379'200, 36'000},  // July
      {"<+0545>-5:45", 0, 20'700},
      {"IST-2IDT,J60/2,J300/2", 1'688'169'600, 10'800},
  };
  for (const RuleRow& row : kRows) {
    const std::optional<ZoneRule> rule = ZoneRule::Parse(row.rule);
    EXPECT_EQ(rule ? rule->OffsetAt(row.seconds) : kNoOffset, row.offset)
        << row.rule << " at " << row.seconds;
  }
  EXPECT_FALSE(ZoneRule::Parse("E5"));
  EXPECT_FALSE(ZoneRule::Parse("EST5EDT,M13.1.0,M1.1.0"));
}

TEST(TimeZone, ReadsFilesAndRefusesBrokenOnes) {
  const std::string file = ZoneFile(-17762, "EST5EDT,M3.2.0,M11.1.0");
  const std::optional<TimeZone> zone = TimeZone::Parse(file);
  EXPECT_EQ(zone ? zone->OffsetAt(0) : kNoOffset, -17762);
  for (std::size_t size = 0; size + 40 < file.size(); ++size) {
    EXPECT_FALSE(TimeZone::Parse(std::string_view(file).substr(0, size))) << size;
  }
}

TEST(Ip, ParsesAndPrintsAsGo) {
  constexpr TextRow kRows[] = {
      {"1.2.3.4", "1.2.3.4"},
      {"::", "::"},
      {"2001:DB8:0:0:0:0:0:1", "2001:db8::1"},
      {"1:0:0:2:0:0:0:3", "1:0:0:2::3"},
      {"::ffff:1.2.3.4", "::ffff:1.2.3.4"},
      {"1.2.3", "ParseAddr(\"1.2.3\"): IPv4 address too short"},
      {"01.2.3.4", "ParseAddr(\"01.2.3.4\"): IPv4 field has octet with leading zero"},
      {"1.2.3.256", "ParseAddr(\"1.2.3.256\"): IPv4 field has value >255"},
      {"1::2::3", "ParseAddr(\"1::2::3\"): multiple :: in address (at \":3\")"},
      {"12345::", "ParseAddr(\"12345::\"): each group must have 4 or less digits (at \"12345::\")"},
      {"x", "ParseAddr(\"x\"): unable to parse IP"},
  };
  for (const TextRow& row : kRows) {
    const Result<IpAddress> address = ParseAddress(row.input);
    EXPECT_EQ(address ? AddressText(*address) : address.error().message, row.output);
  }
}

TEST(Ip, BlocksMaskAndContain) {
  const CidrBlock block = *ParseBlock("10.1.2.3/9");
  EXPECT_EQ(BlockText(Masked(block)), "10.0.0.0/9");
  EXPECT_TRUE(Contains(block, *ParseAddress("10.127.0.1")));
  EXPECT_FALSE(Contains(block, *ParseAddress("10.128.0.1")));
  EXPECT_FALSE(Contains(block, *ParseAddress("::1")));
  EXPECT_TRUE(Overlaps(block, *ParseBlock("0.0.0.0/0")));
  EXPECT_FALSE(ParseBlock("10.0.0.0/33"));
  EXPECT_FALSE(ParseBlock("10.0.0.0/08"));
}

TEST(Url, ParsesAndPrintsAsGo) {
  constexpr TextRow kRows[] = {
      {"https://user:p%20w@example.com:80/a%2Fb?x=1#f",
       "https://user:p%20w@example.com:80/a%2Fb?x=1#f"},
      {"HTTP://Host/", "http://Host/"},
      {"mailto:a@b", "mailto:a@b"},
      {"/path with space", "/path%20with%20space"},
      {"http://[::1]:8080/", "http://[::1]:8080/"},
      {"http://[fe80::1%25en0]/", "http://[fe80::1%25en0]/"},
      {"/a?", "/a?"},
      {"http://[::1/", "parse \"http://[::1/\": missing ']' in host"},
      {"http://a:b/", "parse \"http://a:b/\": invalid port \":b\" after host"},
      {"%zz", "parse \"%zz\": invalid URL escape \"%zz\""},
      {":x", "parse \":x\": missing protocol scheme"},
      {"a b:c", "parse \"a b:c\": first path segment in URL cannot contain colon"},
  };
  for (const TextRow& row : kRows) {
    const Result<Url> url = ParseUrl(row.input);
    EXPECT_EQ(url ? url->ToString() : url.error().message, row.output);
  }
  EXPECT_FALSE(ParseRequestUri("example.com"));
  EXPECT_EQ(ParseUrl("https://h?a=1&b=2&a=3&c=%zz;")->Query().size(), 3U);
}

TEST(Regex, AcceptsAndRefusesAsGo) {
  constexpr TextRow kRows[] = {
      {"a+", ""},
      {"(?<n>a)", ""},
      {"(?P<n>a)", ""},
      {"\\pL{1000}", ""},
      {"[[:alpha:]]", ""},
      {"(", "error parsing regexp: missing closing ): `(`"},
      {"a)", "error parsing regexp: unexpected ): `a)`"},
      {"[a", "error parsing regexp: missing closing ]: `[a`"},
      {"*", "error parsing regexp: missing argument to repetition operator: `*`"},
      {"a**", "error parsing regexp: invalid nested repetition operator: `**`"},
      {"\\C", "error parsing regexp: invalid escape sequence: `\\C`"},
      {"a{1001}", "error parsing regexp: invalid repeat count: `{1001}`"},
      {"(?=a)", "error parsing regexp: invalid or unsupported Perl syntax: `(?=`"},
      {"[b-a]", "error parsing regexp: invalid character class range: `b-a`"},
  };
  for (const TextRow& row : kRows) {
    const Result<Regex> regex = Regex::Compile(row.input);
    EXPECT_EQ(regex ? "" : regex.error().message, row.output) << row.input;
  }
  EXPECT_FALSE(Regex::Compile(std::string(1000, '(') + std::string(1000, ')')));
}

TEST(Regex, FindsWithoutOverlap) {
  const Regex regex = *Regex::Compile("a*");
  EXPECT_EQ(regex.FindAll("baab", -1), (std::vector<std::string_view>{"", "aa", ""}));
  EXPECT_EQ(regex.FindAll("", -1), (std::vector<std::string_view>{""}));
  EXPECT_TRUE(regex.FindAll("baab", 0).empty());
  EXPECT_EQ(regex.Find("baab"), "");
}

struct FloatRow {
  double value;
  char style;
  int precision;
  std::string_view text;
};

TEST(GoText, PrintsFloatsAsGo) {
  const FloatRow rows[] = {
      {123456.0, 'g', -1, "123456"},
      {1234567.0, 'g', -1, "1.234567e+06"},
      {0.0001, 'g', -1, "0.0001"},
      {0.00001, 'g', -1, "1e-05"},
      {-0.0, 'g', -1, "-0"},
      {HUGE_VAL, 'g', -1, "+Inf"},
      {1e21, 'f', -1, "1000000000000000000000"},
      {0.1, 'f', -1, "0.1"},
      {2.5, 'f', 0, "2"},
      {1.005, 'f', 2, "1.00"},
      {5e-324, 'g', -1, "5e-324"},
  };
  for (const FloatRow& row : rows) {
    EXPECT_EQ(GoFloat(row.value, row.style, row.precision), row.text);
  }
}

TEST(GoText, QuotesAsGo) {
  EXPECT_EQ(GoQuote("a\"\\\n\x01\xC3\xA9\xC2\x85\xFF"),
            "\"a\\\"\\\\\\n\\x01\xC3\xA9\\u0085\\xff\"");
  EXPECT_EQ(GoQuote("\xCD\xB7\xCD\xB8"), "\"\xCD\xB7\\u0378\"");  // U+0378 is not assigned
  EXPECT_EQ(GoDuration(5'415'500'000'000), "1h30m15.5s");
  EXPECT_EQ(GoDuration(1'500), "1.5\xC2\xB5s");
}

TEST(Unicode, CountsCodePoints) {
  EXPECT_EQ(RuneCount("plain ASCII of some length"), 26U);
  EXPECT_EQ(RuneCount("\xE6\x97\xA5\xE6\x9C\xAC\xE8\xAA\x9E and \xF0\x9F\x98\x80"), 9U);
  std::string text;
  for (std::size_t runes = 0; runes < 40; ++runes) {  // every length on both sides of eight bytes
    EXPECT_EQ(RuneCount(text), runes) << text;
    text += runes % 3 == 0 ? "\xE6\x97\xA5" : "a";
  }
  EXPECT_FALSE(IsValidUtf8("\xC0\x80"));
  EXPECT_FALSE(IsValidUtf8("\xED\xA0\x80"));
}

struct FormatRow {
  std::string_view format;
  std::string_view text;
  bool keeps;
};

TEST(NamedFormat, JudgesAsUpstream) {
  constexpr FormatRow kRows[] = {
      {"dns1123Label", "a-1", true},
      {"dns1123Label", "a.b", false},
      {"dns1123LabelPrefix", "a-", true},
      {"dns1123Subdomain", "a.b-c", true},
      {"dns1035Label", "1a", false},
      {"qualifiedName", "example.com/Name_1", true},
      {"qualifiedName", "a/b/c", false},
      {"labelValue", "", true},
      {"uri", "https://example.com", true},
      {"uri", "example.com", false},
      {"uuid", "123e4567-e89b-12d3-A456-426614174000", true},
      {"uuid", "123e4567e89b12d3a456426614174000", true},
      {"uuid", "123e4567", false},
      {"byte", "aGVsbG8=", true},
      {"byte", "", false},
      {"date", "2024-02-29", true},
      {"date", "2023-02-29", false},
      {"datetime", "2024-01-01T00:00:00Z", true},
      {"datetime", "2024-01-01T24:00:00Z", false},
  };
  for (const FormatRow& row : kRows) {
    const NamedFormat* format = FindNamedFormat(row.format);
    ASSERT_NE(format, nullptr);
    EXPECT_EQ(format->validate(row.text).empty(), row.keeps) << row.format << " " << row.text;
  }
  EXPECT_EQ(FindNamedFormat("nope"), nullptr);
}

}  // namespace
}  // namespace quadra::cel
