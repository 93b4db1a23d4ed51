#include "apiserver/request_log.h"

#include <mutex>

#include <gtest/gtest.h>

#include "apiserver/server_for_tests.h"

namespace quadra::apiserver {
namespace {

class Lines {
 public:
  RequestLogOptions Taker(int verbosity) {
    return {.verbosity = verbosity, .write = [this](std::string_view line) {
              const std::lock_guard lock(mutex_);
              lines_.emplace_back(line);
            }};
  }
  std::vector<std::string> All() const {
    const std::lock_guard lock(mutex_);
    return lines_;
  }

 private:
  mutable std::mutex mutex_;
  std::vector<std::string> lines_;
};

TEST(RequestLog, WritesByVerbosity) {
  using std::chrono::milliseconds;
  struct Row {
    std::string_view why;
    int verbosity;
    int status;
    milliseconds latency;
    bool is_long_running;
    bool written;
  };
  constexpr Row kRows[] = {
      {"quiet by default", 0, 500, milliseconds(900), false, false},
      {"not yet at 1", 1, 500, milliseconds(900), false, false},
      {"a fast success is no news at 2", 2, 200, milliseconds(499), false, false},
      {"a refusal is the client's matter", 2, 404, milliseconds(1), false, false},
      {"a failure of ours is news", 2, 503, milliseconds(1), false, true},
      {"and so is a slow answer", 2, 200, milliseconds(500), false, true},
      {"but not a long watch", 2, 200, milliseconds(5000), true, false},
      {"everything at 3", 3, 200, milliseconds(1), false, true},
      {"watches too", 3, 200, milliseconds(5000), true, true},
  };
  for (const Row& row : kRows) {
    Lines lines;
    const RequestLog log(lines.Taker(row.verbosity));
    log.Write({.verb = "GET", .is_long_running = row.is_long_running}, row.status, row.latency,
              Time());
    EXPECT_EQ(lines.All().size(), row.written ? 1 : 0) << row.why;
  }
}

TEST(RequestLog, QuotesWhatClientsSend) {
  Lines lines;
  const RequestLog log(lines.Taker(3));
  const Time when = std::chrono::sys_days(std::chrono::year(2026) / 11 / 16) +
                    std::chrono::hours(16) + std::chrono::microseconds(42);
  log.Write({.verb = "LIST",
             .uri = "/x?\n\"",
             .user_agent = "a\x1b[31m",
             .content_type = "",
             .id = "7",
             .source = "127.0.0.1:1"},
            200, std::chrono::microseconds(1145), when);
  const std::string line = lines.All().at(0);
  EXPECT_TRUE(line.starts_with("I1116 16:00:00.000042 ")) << line;
  EXPECT_TRUE(line.ends_with(
      R"( apiserver] "HTTP" verb="LIST" URI="/x?\n\"" latency="1.145ms" userAgent="a\x1b[31m" contentType="" audit-ID="7" srcIP="127.0.0.1:1" resp=200)"
      "\n"))
      << line;
}

TEST(RequestLog, SaysOfEveryRequestWhatItWas) {
  Lines lines;
  TestServer server({.log = lines.Taker(3)});
  const net::Response made = server.Ask("GET", "/api/v1/namespaces/default/configmaps?limit=1", "",
                                        {{"user-agent", "probe/1"}});
  const net::Response own = server.Ask("GET", "/nothing", "", {{"audit-id", "mine"}});
  std::vector<std::string> all = lines.All();
  all.erase(all.begin());  // the account that every test server gets
  ASSERT_EQ(all.size(), 2);
  EXPECT_NE(all[0].find(R"(verb="LIST" URI="/api/v1/namespaces/default/configmaps?limit=1")"),
            std::string::npos)
      << all[0];
  EXPECT_NE(all[0].find(R"(userAgent="probe/1")"), std::string::npos) << all[0];
  EXPECT_NE(
      all[0].find(fmt::format(R"(audit-ID="{}")", made.headers.Find("audit-id").value_or("none"))),
      std::string::npos)
      << all[0];
  EXPECT_EQ(own.headers.Find("audit-id"), "mine");
  EXPECT_NE(all[1].find(R"(resp=404)"), std::string::npos) << all[1];
}

TEST(RequestLog, FormatsLatencyToTheMicrosecond) {
  using std::chrono::nanoseconds;
  EXPECT_EQ(FormatLatency(nanoseconds(15'400)), "15µs");
  EXPECT_EQ(FormatLatency(nanoseconds(1'145'000)), "1.145ms");
  EXPECT_EQ(FormatLatency(nanoseconds(3'164'840'193)), "3.165s");
}

}  // namespace
}  // namespace quadra::apiserver
