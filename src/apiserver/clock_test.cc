// A clock that jumps: what was stored stays, revisions go on, nothing expires early.
#include <atomic>

#include <gtest/gtest.h>

#include "apiserver/server_for_tests.h"

namespace quadra::apiserver {
namespace {

using std::chrono::hours;

constexpr std::string_view kMaps = "/api/v1/namespaces/default/configmaps";

// The system's, but for jumps.
class JumpingClock final : public Clock {
 public:
  Time Now() const override { return SystemClock().Now() + std::chrono::microseconds(off_); }
  void Jump(std::chrono::microseconds by) { off_ += by.count(); }

 private:
  std::atomic<std::int64_t> off_ = 0;
};

net::Response Create(TestServer& server, std::string_view name) {
  return server.Ask("POST", std::string(kMaps),
                    fmt::format(R"({{"metadata":{{"name":"{}"}}}})", name));
}

std::uint64_t VersionIn(const net::Response& answer) {
  return std::stoull(Pick(*answer.body, ".metadata.resourceVersion"));
}

TEST(Clock, MayJumpBackWhileTheServerRuns) {
  JumpingClock clock;
  TestServer server({.clock = &clock});
  const net::Response before = Create(server, "before");
  const auto watch =
      server.Watch(fmt::format("{}?watch=1&resourceVersion={}", kMaps, VersionIn(before)));
  clock.Jump(-hours(24 * 365));
  const Time then = clock.Now();
  const net::Response after = Create(server, "after");
  ASSERT_EQ(after.status, 201);
  EXPECT_GT(VersionIn(after), VersionIn(before));
  const std::string created = Pick(*after.body, ".metadata.creationTimestamp");
  EXPECT_GE(created, FormatSeconds(then));
  EXPECT_LE(created, FormatSeconds(clock.Now()));
  EXPECT_EQ(Pick(watch->WaitFor(1).at(0), ".object.metadata.name"), "after");
  EXPECT_EQ(server.Ask("DELETE", std::string(kMaps) + "/before").status, 200);
  EXPECT_EQ(server.Ask("GET", "/readyz").status, 200);
}

TEST(Clock, AgesInTablesAreThoseOfTheMomentInWhichARowIsTold) {
  JumpingClock clock;
  TestServer server({.clock = &clock});
  ASSERT_EQ(Create(server, "old").status, 201);
  const auto watch = server.Watch(std::string(kMaps) + "?watch=1",
                                  {{"accept", "application/json;as=Table;g=meta.k8s.io;v=v1"}});
  watch->WaitFor(1);
  clock.Jump(hours(3));
  ASSERT_EQ(Create(server, "new").status, 201);
  EXPECT_EQ(Pick(watch->WaitFor(2).at(1), ".object.rows[0].cells[2]"), "0s");
}

TEST(Clock, MayHaveJumpedBackWhenTheServerStarts) {
  JumpingClock clock;
  TestServer server({.clock = &clock});
  const std::uint64_t before = VersionIn(Create(server, "before"));
  clock.Jump(-hours(24 * 30));
  server.Restart();
  EXPECT_EQ(server.Ask("GET", std::string(kMaps) + "/before").status, 200);
  EXPECT_GT(VersionIn(Create(server, "after")), before);
}

TEST(Clock, EventsGoByTheTimeThatPasses) {
  JumpingClock clock;
  TestServer server({.clock = &clock});
  const std::string events = "/api/v1/namespaces/default/events";
  const auto create = [&](std::string_view name) {
    return server
        .Ask(
            "POST", events,
            fmt::format(
                R"({{"metadata":{{"name":"{}","namespace":"default"}},"involvedObject":{{"namespace":"default"}}}})",
                name))
        .status;
  };
  ASSERT_EQ(create("first"), 201);
  clock.Jump(-hours(2));
  ASSERT_EQ(create("second"), 201);
  EXPECT_EQ(server.Ask("GET", events + "/first").status, 200) << "not before its time";
  clock.Jump(hours(1) + std::chrono::minutes(30));
  const auto watch = server.Watch(events + "?watch=1&resourceVersion=0");
  std::size_t deleted = 0;
  for (std::size_t lines = 1; deleted == 0 && lines < 4; ++lines) {
    const std::vector<std::string> told = watch->WaitFor(lines);
    ASSERT_GE(told.size(), lines) << "the second is over";
    deleted += Pick(told[lines - 1], ".type") == "DELETED" ? 1U : 0U;
  }
  EXPECT_EQ(server.Ask("GET", events + "/second").status, 404);
  EXPECT_EQ(server.Ask("GET", events + "/first").status, 200);
}

}  // namespace
}  // namespace quadra::apiserver
