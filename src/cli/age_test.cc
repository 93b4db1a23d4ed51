#include "cli/age.h"

#include <gtest/gtest.h>

namespace quadra::cli {
namespace {

using std::chrono::hours;
using std::chrono::microseconds;
using std::chrono::minutes;
using std::chrono::seconds;

TEST(Age, AsKubectlWritesIt) {
  struct Row {
    microseconds duration;
    std::string_view text;
  };
  constexpr hours kDay(24);
  const Row rows[] = {
      {seconds(-2), "<invalid>"},
      {seconds(-1), "0s"},
      {seconds(0), "0s"},
      {seconds(119) + microseconds(999999), "119s"},
      {seconds(120), "2m"},
      {minutes(4) + seconds(12), "4m12s"},
      {minutes(10) + seconds(59), "10m"},
      {minutes(179), "179m"},
      {hours(3), "3h"},
      {hours(7) + minutes(59), "7h59m"},
      {hours(8) + minutes(59), "8h"},
      {hours(47), "47h"},
      {hours(48), "2d"},
      {hours(51), "2d3h"},
      {8 * kDay + hours(5), "8d"},
      {729 * kDay, "729d"},
      {730 * kDay, "2y"},
      {731 * kDay, "2y1d"},
      {8 * 365 * kDay + kDay, "8y"},
  };
  for (const Row& row : rows) {
    EXPECT_EQ(HumanDuration(row.duration), row.text);
  }
}

TEST(Age, IsUnknownWithoutBothTimes) {
  EXPECT_EQ(AgeOf(Time(seconds(5)), Time(seconds(50))), "45s");
  EXPECT_EQ(AgeOf(std::nullopt, Time(seconds(50))), "<unknown>");
  EXPECT_EQ(AgeOf(Time(seconds(5)), std::nullopt), "<unknown>");
}

}  // namespace
}  // namespace quadra::cli
