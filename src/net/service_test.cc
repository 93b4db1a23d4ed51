#include "net/service.h"

#include <gtest/gtest.h>

namespace quadra::net {
namespace {

TEST(Service, DatesAnswersThatHaveNoDate) {
  const Time noon(std::chrono::sys_days(std::chrono::year(2026) / 11 / 16) +
                  std::chrono::hours(12));
  ManualClock clock(noon);
  Service service;
  service.clock = &clock;
  struct Row {
    const char* name;
    std::chrono::microseconds passed;
    Headers headers;
    const char* date;
  };
  const Row rows[] = {
      {"none", {}, {}, "Mon, 16 Nov 2026 12:00:00 GMT"},
      {"less than a second later",
       std::chrono::milliseconds(900),
       {},
       "Mon, 16 Nov 2026 12:00:00 GMT"},
      {"more", std::chrono::milliseconds(200), {}, "Mon, 16 Nov 2026 12:00:01 GMT"},
      {"its own", {}, {{"date", "long ago"}}, "long ago"},
  };
  for (const Row& row : rows) {
    clock.Advance(row.passed);
    Headers headers = row.headers;
    service.AppendDate(headers);
    EXPECT_EQ(headers.Find("date"), row.date) << row.name;
  }
}

}  // namespace
}  // namespace quadra::net
