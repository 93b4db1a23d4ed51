#include "lifecycle/node_health.h"

#include <chrono>
#include <string>

#include <gtest/gtest.h>

namespace quadra::lifecycle {
namespace {

using std::chrono::seconds;

const Time kStart = Time(std::chrono::hours(500'000));
constexpr SilenceAllowed kAllowed{.running = seconds(50), .startup = seconds(60)};

api::Node NodeWith(std::string ready, Time heartbeat) {
  api::Node node;
  node.metadata.uid = "u";
  node.metadata.resource_version = "7";
  node.metadata.creation_timestamp = kStart;
  node.status.conditions.push_back({.type = "Ready",
                                    .status = std::move(ready),
                                    .last_heartbeat_time = heartbeat,
                                    .last_transition_time = kStart,
                                    .reason = "KubeletReady"});
  return node;
}

TEST(NodeHealth, NewHeartbeatsCountWhateverTheClockOfTheNodeSays) {
  NodeHealth health;
  health.Observe(NodeWith("True", kStart), {}, kStart);
  EXPECT_FALSE(health.IsSilent(NodeWith("True", kStart), kAllowed, kStart + seconds(50)));
  EXPECT_TRUE(health.IsSilent(NodeWith("True", kStart), kAllowed, kStart + seconds(51)));

  const api::Node wrong_clock = NodeWith("True", kStart - std::chrono::hours(9));
  health.Observe(wrong_clock, {}, kStart + seconds(51));
  EXPECT_FALSE(health.IsSilent(wrong_clock, kAllowed, kStart + seconds(100)));
  health.Observe(wrong_clock, {}, kStart + seconds(100));
  EXPECT_TRUE(health.IsSilent(wrong_clock, kAllowed, kStart + seconds(102)));
}

TEST(NodeHealth, LeasesCountWhenTheyAreRenewed) {
  const api::Node node = NodeWith("True", kStart);
  NodeHealth health;
  health.Observe(node, kStart, kStart);
  health.Observe(node, kStart + seconds(40), kStart + seconds(40));
  EXPECT_FALSE(health.IsSilent(node, kAllowed, kStart + seconds(90)));
  health.Observe(node, kStart + seconds(40), kStart + seconds(80));
  health.Observe(node, kStart + seconds(20), kStart + seconds(85));
  EXPECT_TRUE(health.IsSilent(node, kAllowed, kStart + seconds(91)));
  health.Forgive(kStart + seconds(91));
  EXPECT_FALSE(health.IsSilent(node, kAllowed, kStart + seconds(91)));
}

TEST(NodeHealth, NewNodesHaveLongerSinceTheyWereMade) {
  api::Node node = NodeWith("True", kStart);
  node.status.conditions.Reset();
  NodeHealth health;
  health.Observe(node, {}, kStart + seconds(30));
  EXPECT_FALSE(health.IsSilent(node, kAllowed, kStart + seconds(60)));
  EXPECT_TRUE(health.IsSilent(node, kAllowed, kStart + seconds(61)));
  EXPECT_EQ(health.ready(), "");
  health.Observe(NodeWith("False", kStart), {}, kStart + seconds(61));
  EXPECT_EQ(health.ready(), "False");
  EXPECT_FALSE(health.IsSilent(NodeWith("False", kStart), kAllowed, kStart + seconds(111)));
}

TEST(NodeHealth, SilentNodesHaveUnknownConditions) {
  api::Node node = NodeWith("True", kStart);
  node.status.conditions.push_back({.type = "DiskPressure", .status = "Unknown"});
  node.status.conditions.push_back({.type = "NetworkUnavailable", .status = "False"});
  EXPECT_EQ(ConditionsPatch(node, UnknownConditions(node, kStart + seconds(60))),
            R"({"metadata":{"uid":"u","resourceVersion":"7"},"status":{)"
            R"("$setElementOrder/conditions":[{"type":"Ready"},{"type":"DiskPressure"},)"
            R"({"type":"NetworkUnavailable"},{"type":"MemoryPressure"},{"type":"PIDPressure"}],)"
            R"("conditions":[)"
            R"({"type":"Ready","status":"Unknown","lastHeartbeatTime":"2027-01-15T08:00:00Z",)"
            R"("lastTransitionTime":"2027-01-15T08:01:00Z","reason":"NodeStatusUnknown",)"
            R"("message":"Kubelet stopped posting node status."},)"
            R"({"type":"MemoryPressure","status":"Unknown",)"
            R"("lastHeartbeatTime":"2027-01-15T08:00:00Z",)"
            R"("lastTransitionTime":"2027-01-15T08:01:00Z","reason":"NodeStatusNeverUpdated",)"
            R"("message":"Kubelet never posted node status."},)"
            R"({"type":"PIDPressure","status":"Unknown",)"
            R"("lastHeartbeatTime":"2027-01-15T08:00:00Z",)"
            R"("lastTransitionTime":"2027-01-15T08:01:00Z","reason":"NodeStatusNeverUpdated",)"
            R"("message":"Kubelet never posted node status."}]}})");
  EXPECT_TRUE(UnknownConditions(NodeWith("Unknown", kStart), kStart).empty());
}

// The server refuses a list whose order is another one than that which the patch gives.
TEST(NodeHealth, ConditionsAreSetInTheOrderInWhichTheyStand) {
  api::Node node = NodeWith("True", kStart);
  node.status.conditions.Reset();
  for (const char* const type : {"PIDPressure", "MemoryPressure", "Ready"}) {
    node.status.conditions.push_back(
        {.type = type, .status = "False", .last_heartbeat_time = kStart});
  }
  const std::string patch = ConditionsPatch(node, UnknownConditions(node, kStart));
  const auto at = [&](std::string_view type) {
    return patch.find(R"({"type":")" + std::string(type) + R"(","status":"Unknown")");
  };
  EXPECT_LT(at("PIDPressure"), at("MemoryPressure")) << patch;
  EXPECT_LT(at("MemoryPressure"), at("Ready")) << patch;
  EXPECT_LT(at("Ready"), at("DiskPressure")) << patch;
  EXPECT_NE(at("DiskPressure"), std::string::npos) << patch;
}

}  // namespace
}  // namespace quadra::lifecycle
