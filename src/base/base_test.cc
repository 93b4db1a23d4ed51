#include <new>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "base/base64.h"
#include "base/check.h"
#include "base/clock.h"
#include "base/guarded.h"
#include "base/in_order.h"
#include "base/mutex.h"
#include "base/printable.h"
#include "base/random.h"
#include "base/result.h"
#include "base/time_zones.h"

namespace quadra {
namespace {

using namespace std::chrono_literals;

Result<int> Half(int n) {
  if (n % 2 != 0) {
    return Fail(ErrorKind::kInvalid, "must be even");
  }
  return n / 2;
}

Result<int> Quarter(int n) {
  QUADRA_TRY(const int half, Half(n));
  return Half(half);
}

Status BothEven(int a, int b) {
  QUADRA_RETURN_IF_ERROR(Half(a));
  QUADRA_RETURN_IF_ERROR(Half(b));
  return {};
}

TEST(Result, TryPassesTheFirstErrorOn) {
  EXPECT_EQ(Quarter(8).value(), 2);
  EXPECT_EQ(Quarter(6).error().message, "must be even");
  EXPECT_TRUE(BothEven(2, 4));
  EXPECT_FALSE(BothEven(2, 3));
}

TEST(Result, ErrorReadsAsOneSentence) {
  const struct {
    Error error;
    const char* text;
  } rows[] = {
      {{.message = "no such file"}, "no such file"},
      {{.message = "must be at least 1", .field = "spec.count", .value = "0"},
       "spec.count: must be at least 1: 0"},
      {{.message = "unknown kind", .value = "Pood", .remedy = "check the spelling"},
       "unknown kind: Pood; check the spelling"},
  };
  for (const auto& row : rows) {
    EXPECT_EQ(row.error.ToString(), row.text);
  }
}

TEST(Result, ReasonCodesAreDistinctWords) {
  std::set<std::string_view> words;
  for (int code = 0; code <= static_cast<int>(ErrorKind::kUsage); ++code) {
    words.insert(ErrorKindName(static_cast<ErrorKind>(code)));
  }
  EXPECT_EQ(words.size(), 7U);
  EXPECT_FALSE(words.contains("Unknown"));
}

TEST(CheckDeathTest, NamesConditionAndReason) {
  EXPECT_DEATH(QUADRA_CHECK(1 + 1 == 3, "arithmetic holds"), "1 \\+ 1 == 3 \\(arithmetic holds\\)");
}

TEST(Clock, ManualClockMovesOnlyWhenTold) {
  ManualClock clock(Time(1'785'586'680s));
  EXPECT_EQ(FormatSeconds(clock.Now()), "2026-08-01T12:18:00Z");
  clock.Advance(61s);
  EXPECT_EQ(FormatSeconds(clock.Now()), "2026-08-01T12:19:01Z");
  EXPECT_EQ(FormatSeconds(Time(-1us)), "1969-12-31T23:59:59Z");
}

TEST(Clock, SystemClockIsThisCentury) { EXPECT_GT(SystemClock().Now(), Time(1'700'000'000s)); }

TEST(Random, SameSeedSameNumbers) {
  SeededRandom a(7), b(7), c(8);
  EXPECT_EQ(a.Next(), b.Next());
  EXPECT_NE(a.Next(), c.Next());
}

TEST(Random, BelowStaysBelowAndReachesAll) {
  SeededRandom random(1);
  std::set<std::uint64_t> seen;
  for (int i = 0; i < 200; ++i) {
    seen.insert(random.Below(5));
  }
  EXPECT_EQ(seen, (std::set<std::uint64_t>{0, 1, 2, 3, 4}));
}

TEST(Random, UuidsAreVersionFourAndFollowTheSeed) {
  SeededRandom random(42), again(42);
  const std::string uuid = NewUuid(random);
  EXPECT_EQ(uuid, NewUuid(again));
  EXPECT_NE(uuid, NewUuid(random));
  ASSERT_EQ(uuid.size(), 36U);
  EXPECT_EQ(uuid[14], '4');
  EXPECT_NE(std::string_view("89ab").find(uuid[19]), std::string_view::npos);
}

TEST(Random, SystemNumbersDiffer) {
  SystemRandom random;
  EXPECT_NE(random.Next(), random.Next());
}

TEST(Base64, EncodesAndDecodes) {
  const struct {
    std::string bytes, text;
  } rows[] = {{"", ""},        {"f", "Zg=="},        {"fo", "Zm8="},
              {"foo", "Zm9v"}, {"foob", "Zm9vYg=="}, {std::string("\0\xff", 2), "AP8="}};
  for (const auto& row : rows) {
    std::string text;
    AppendBase64(text, row.bytes);
    EXPECT_EQ(text, row.text);
    EXPECT_EQ(DecodeBase64(row.text), row.bytes);
  }
  EXPECT_EQ(DecodeBase64("Zm\r\n9v"), "foo");
  for (const char* bad : {"Z", "Zg=", "Zg", "====", "Z===", "Zm9v!AAA", "Zg==Zg=="}) {
    EXPECT_EQ(DecodeBase64(bad), std::nullopt) << bad;
  }
}

TEST(Printable, IsWhatGoPrints) {
  for (const char32_t printed : {U' ', U'~', U'\u00A1', U'\u0377', U'\U0001FAE8', U'\U000E0100'}) {
    EXPECT_TRUE(IsPrintable(printed)) << static_cast<std::uint32_t>(printed);
  }
  for (const char32_t escaped :
       {U'\n', U'\u007F', U'\u00A0', U'\u0378', U'\uE000', U'\U0010FFFF'}) {
    EXPECT_FALSE(IsPrintable(escaped)) << static_cast<std::uint32_t>(escaped);
  }
}

// What Go says of the same names; "a zone" where it has one.
std::string Found(const TimeZones& zones, std::string_view name) {
  const Result<std::string_view> found = zones.Find(name);
  if (!found) {
    return found.error().message;
  }
  return found->starts_with("TZif") ? "a zone" : "something else";
}

TEST(SystemTimeZones, EveryNameIsAnAnswer) {
  using namespace std::string_view_literals;
  struct Row {
    std::string name;
    std::string_view found;
  };
  const Row rows[] = {
      {"Europe/Berlin", "a zone"},
      {"UTC", "a zone"},
      {"Middle/Earth", "unknown time zone Middle/Earth"},
      {"America", "is a directory"},
      {"America/", "is a directory"},
      {".", "is a directory"},
      {"UTC/x", "not a directory"},
      {"tzdata.zi", "malformed time zone information"},
      {"", "time: invalid location name"},
      {"..", "time: invalid location name"},
      {"Europe/../UTC", "time: invalid location name"},
      {"/etc", "time: invalid location name"},
      {"\\UTC", "time: invalid location name"},
      {std::string("a\0b"sv), "invalid argument"},
      {std::string(300, 'a'), "file name too long"},
      {std::string(100'000, '/').replace(0, 1, "a"), "file name too long"},
      {"\xFF\xFE", "unknown time zone \xFF\xFE"},
  };
  const SystemTimeZones zones;
  for (const Row& row : rows) {
    EXPECT_EQ(Found(zones, row.name), row.found) << row.name.substr(0, 40);
    EXPECT_EQ(Found(zones, row.name), row.found) << "asked again";
  }
}

std::string Caught(int what) {
  const Result<int> result = Guarded([what]() -> int {
    switch (what) {
      case 0:
        return 7;
      case 1:
        throw std::bad_alloc();
      case 2:
        throw std::length_error("basic_string::append");
      default:
        throw what;
    }
  });
  return result ? std::to_string(*result) : result.error().ToString();
}

TEST(Guarded, TurnsWhatIsThrownIntoAnError) {
  EXPECT_EQ(Caught(0), "7");
  EXPECT_EQ(Caught(1), "out of memory; ask for less at once");
  EXPECT_EQ(Caught(2), "unexpected: basic_string::append; please report it");
  EXPECT_EQ(Caught(3), "unexpected; please report it");
}

TEST(Mutex, GuardsACounter) {
  Mutex mutex;
  int count = 0;
  {
    std::vector<std::jthread> threads;
    threads.reserve(4);
    for (int t = 0; t < 4; ++t) {
      threads.emplace_back([&] {
        for (int i = 0; i < 1000; ++i) {
          const MutexLock lock(mutex);
          ++count;
        }
      });
    }
  }
  EXPECT_EQ(count, 4000);
}

// --- InOrder.

TEST(InOrder, DeliversInTheOrderOfTheJobsWhoeverDoesThem) {
  for (const std::size_t threads : {0U, 1U, 3U}) {
    std::vector<int> delivered;
    InOrder<int> work([&](int result) { delivered.push_back(result); }, threads);
    for (int i = 0; i < 5000; ++i) {
      work.Add([i] { return i * i; });
    }
    work.Finish();
    ASSERT_EQ(delivered.size(), 5000U) << threads;
    for (std::size_t i = 0; i < delivered.size(); ++i) {
      ASSERT_EQ(delivered[i], static_cast<int>(i * i)) << threads;
    }
  }
}

TEST(InOrder, DoesFewJobsAtOnceByTheCaller) {
  std::size_t delivered = 0;
  InOrder<std::thread::id> work(
      [&](std::thread::id by) {
        EXPECT_EQ(by, std::this_thread::get_id());
        ++delivered;
      },
      2);
  for (std::size_t i = 1; i <= InOrder<int>::kFew; ++i) {
    work.Add([] { return std::this_thread::get_id(); });
    EXPECT_EQ(delivered, i);
  }
}

TEST(InOrder, PassesOnWhatAJobThrowsAndForgetsTheRest) {
  std::vector<int> delivered;
  InOrder<int> work([&](int result) { delivered.push_back(result); }, 2);
  for (int i = 0; i < 100; ++i) {
    work.Add([i] { return i == 50 ? throw std::bad_alloc() : i; });
  }
  EXPECT_THROW(work.Finish(), std::bad_alloc);
  EXPECT_EQ(delivered.size(), 50U);
}

}  // namespace
}  // namespace quadra
