#include "lifecycle/zones.h"

#include <chrono>
#include <string>

#include <gtest/gtest.h>

namespace quadra::lifecycle {
namespace {

using std::chrono::seconds;
using Turn = Zones::Turn;

const Time kNow = Time(std::chrono::hours(500'000));

TEST(ZoneState, IsJudgedByTheShareThatIsNotReady) {
  struct Row {
    ZoneCount count;
    ZoneState state;
    double rate;
  };
  const Row rows[] = {
      {{.ready = 1, .unready = 0}, ZoneState::kNormal, 0.1},
      {{.ready = 0, .unready = 1}, ZoneState::kFullDisruption, 0.1},
      {{.ready = 1, .unready = 2}, ZoneState::kNormal, 0.1},  // not more than two
      {{.ready = 2, .unready = 3}, ZoneState::kPartialDisruption, 0},
      {{.ready = 9, .unready = 11}, ZoneState::kPartialDisruption, 0},  // exactly 0.55
      {{.ready = 10, .unready = 11}, ZoneState::kNormal, 0.1},
      {{.ready = 20, .unready = 30}, ZoneState::kPartialDisruption, 0},  // 50 is not large
      {{.ready = 20, .unready = 31}, ZoneState::kPartialDisruption, 0.01},
  };
  const NodeLifecycleOptions options;
  for (const Row& row : rows) {
    EXPECT_EQ(StateOf(row.count, options.unhealthy_zone), row.state)
        << row.count.ready << "/" << row.count.unready;
    EXPECT_EQ(EvictionRate(row.state, row.count.size(), options), row.rate)
        << row.count.ready << "/" << row.count.unready;
  }
}

TEST(TaintQueue, GivesOneAtOnceAndThenByTheRate) {
  TaintQueue queue(0.1, kNow);
  EXPECT_EQ(queue.Next(kNow), std::nullopt);
  EXPECT_TRUE(queue.Add("a"));
  EXPECT_FALSE(queue.Add("a"));
  EXPECT_TRUE(queue.Add("b"));
  EXPECT_TRUE(queue.Add("c"));
  queue.Remove("b");
  EXPECT_EQ(queue.Take(kNow), "a");
  EXPECT_EQ(queue.Take(kNow), std::nullopt);
  EXPECT_EQ(queue.Next(kNow), kNow + seconds(10));
  EXPECT_EQ(queue.Take(kNow + seconds(9)), std::nullopt);
  EXPECT_EQ(queue.Take(kNow + seconds(10)), "c");
  EXPECT_EQ(queue.Next(kNow + seconds(10)), std::nullopt);
}

TEST(TaintQueue, ChangesItsRateWithoutGivingMore) {
  TaintQueue queue(0.1, kNow);
  queue.Add("a");
  queue.Add("b");
  EXPECT_EQ(queue.Take(kNow), "a");
  queue.SetRate(0, kNow);
  EXPECT_EQ(queue.Take(kNow + std::chrono::hours(1)), std::nullopt);
  EXPECT_EQ(queue.Next(kNow), std::nullopt);
  queue.SetRate(0.01, kNow + seconds(5));
  EXPECT_EQ(queue.Next(kNow + seconds(5)), kNow + seconds(105));
  EXPECT_EQ(queue.Take(kNow + seconds(105)), "b");
}

TEST(Zones, StopWhereAllNodesAreLostAndGoOnWhenSomeAreBack) {
  Zones zones{NodeLifecycleOptions()};
  zones.QueueOf("a", kNow).Add("n");
  EXPECT_EQ(zones.Judge({{"a", {.ready = 1}}, {"b", {.unready = 2}}}, kNow), Turn::kNone);
  EXPECT_EQ(zones.Judge({{"a", {.unready = 1}}, {"b", {.unready = 2}}}, kNow), Turn::kAllLost);
  EXPECT_EQ(zones.QueueOf("a", kNow).Take(kNow), std::nullopt);
  EXPECT_EQ(zones.Judge({{"a", {.unready = 1}}, {"b", {.unready = 2}}}, kNow), Turn::kNone);
  EXPECT_EQ(zones.Judge({{"a", {.unready = 1}}, {"b", {.ready = 1, .unready = 1}}}, kNow),
            Turn::kSomeBack);
  EXPECT_EQ(zones.QueueOf("a", kNow).Take(kNow + seconds(10)), "n");
}

TEST(Zones, GoWithTheirLastNode) {
  Zones zones{NodeLifecycleOptions()};
  EXPECT_EQ(zones.Judge({}, kNow), Turn::kNone);
  EXPECT_EQ(zones.Judge({{"a", {.ready = 1}}}, kNow), Turn::kNone);
  EXPECT_EQ(zones.Judge({{"b", {.unready = 1}}}, kNow), Turn::kAllLost);
  EXPECT_EQ(zones.Names(), std::vector<std::string>{"b"});
}

TEST(Zones, KeepTheirQueuesWhereNoNodeCounts) {
  Zones zones{NodeLifecycleOptions()};
  EXPECT_EQ(zones.Judge({{"a", {.ready = 1}}, {"b", {.unready = 1}}}, kNow), Turn::kNone);
  zones.QueueOf("b", kNow).Add("n");
  EXPECT_EQ(zones.Judge({{"a", {.unready = 1}}}, kNow), Turn::kAllLost);
  EXPECT_EQ(zones.QueueOf("b", kNow).Take(kNow), "n");
  EXPECT_EQ(zones.Judge({{"a", {.ready = 1}}}, kNow), Turn::kSomeBack) << "b does not count";
  EXPECT_EQ(zones.Names(), std::vector<std::string>{"a"});
}

TEST(Zones, StayStoppedWhileNobodyCanSayHowNodesAre) {
  Zones zones{NodeLifecycleOptions()};
  zones.QueueOf("a", kNow).Add("n");
  EXPECT_EQ(zones.Judge({{"a", {.unready = 1}}}, kNow), Turn::kAllLost);
  EXPECT_EQ(zones.Judge({}, kNow), Turn::kNone);
  EXPECT_EQ(zones.QueueOf("a", kNow).Take(kNow), std::nullopt);
  EXPECT_EQ(zones.Judge({{"a", {.unready = 1}}}, kNow), Turn::kNone);
}

}  // namespace
}  // namespace quadra::lifecycle
