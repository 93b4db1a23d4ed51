#include "lifecycle/node_taints.h"

#include <chrono>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace quadra::lifecycle {
namespace {

const Time kNow = Time(std::chrono::hours(500'000));

struct Sketch {
  std::vector<std::pair<std::string, std::string>> conditions = {};  // type, status
  api::List<api::Taint> taints = {};
  bool unschedulable = false;
};

api::Node Make(const Sketch& sketch) {
  api::Node node;
  node.metadata.name = "n";
  node.metadata.uid = "u";
  node.metadata.resource_version = "7";
  for (const auto& [type, status] : sketch.conditions) {
    node.status.conditions.push_back({.type = type, .status = status});
  }
  node.spec.taints = sketch.taints;
  node.spec.unschedulable = sketch.unschedulable;
  return node;
}

// Keys without what they have in common, and effects; "-": nothing is to be done.
std::string Show(const NodeEdit& edit) {
  if (!edit.taints) {
    return "-";
  }
  std::string text;
  for (const api::Taint& taint : *edit.taints) {
    const std::string key = taint.key.substr(taint.key.find('/') + 1);
    text += (text.empty() ? "" : " ") + key + ":" + taint.effect;
  }
  return text;
}

api::Taint Node(std::string key, std::string effect) {
  return {.key = "node.kubernetes.io/" + std::move(key), .effect = std::move(effect)};
}

TEST(NodeTaints, FollowConditions) {
  struct Row {
    std::string what;
    Sketch node;
    std::string taints;
  };
  const Row rows[] = {
      {"nothing is known", {}, "-"},
      {"all is well", {{{"Ready", "True"}, {"MemoryPressure", "False"}}}, "-"},
      {"not ready", {{{"Ready", "False"}}}, "not-ready:NoSchedule"},
      {"unknown", {{{"Ready", "Unknown"}}}, "unreachable:NoSchedule"},
      {"a pressure that is unknown is none", {{{"MemoryPressure", "Unknown"}}}, "-"},
      {"pressures and network",
       {{{"NetworkUnavailable", "True"},
         {"MemoryPressure", "True"},
         {"DiskPressure", "True"},
         {"PIDPressure", "True"}}},
       "network-unavailable:NoSchedule memory-pressure:NoSchedule disk-pressure:NoSchedule "
       "pid-pressure:NoSchedule"},
      {"unschedulable", {.unschedulable = true}, "unschedulable:NoSchedule"},
      {"schedulable again",
       {.taints = {Node("unschedulable", "NoSchedule"), Node("other", "NoSchedule")}},
       "other:NoSchedule"},
      {"ready again",
       {{{"Ready", "True"}}, {Node("not-ready", "NoSchedule"), Node("not-ready", "NoExecute")}},
       "not-ready:NoExecute"},
      {"from not ready to unknown",
       {{{"Ready", "Unknown"}}, {Node("not-ready", "NoSchedule")}},
       "unreachable:NoSchedule"},
      {"there already", {{{"Ready", "False"}}, {Node("not-ready", "NoSchedule")}}, "-"},
  };
  for (const Row& row : rows) {
    EXPECT_EQ(Show(EditByConditions(Make(row.node), kNow)), row.taints) << row.what;
  }
}

TEST(NodeTaints, TakePodsAwayByReadiness) {
  struct Row {
    std::string what;
    Sketch node;
    std::string taints;
  };
  const Row rows[] = {
      {"no condition", {{}, {Node("not-ready", "NoExecute")}}, "-"},
      {"not ready", {{{"Ready", "False"}}}, "not-ready:NoExecute"},
      {"unknown", {{{"Ready", "Unknown"}}}, "unreachable:NoExecute"},
      {"exchanged",
       {{{"Ready", "Unknown"}}, {Node("not-ready", "NoExecute"), Node("x", "NoExecute")}},
       "x:NoExecute unreachable:NoExecute"},
      {"ready", {{{"Ready", "True"}}, {Node("unreachable", "NoExecute")}}, ""},
      {"ready and clean", {{{"Ready", "True"}}}, "-"},
  };
  for (const Row& row : rows) {
    EXPECT_EQ(Show(EditByReadiness(Make(row.node), kNow)), row.taints) << row.what;
  }
}

TEST(NodeTaints, ArePatchedInThisStateOfTheNodeAlone) {
  api::Node node = Make({{{"Ready", "False"}}, {}});
  node.metadata.labels["kubernetes.io/os"] = "linux";
  EXPECT_EQ(
      EditByConditions(node, kNow).PatchText(node),
      R"({"metadata":{"uid":"u","resourceVersion":"7","labels":{"beta.kubernetes.io/os":"linux"}},)"
      R"("spec":{"taints":[{"key":"node.kubernetes.io/not-ready","effect":"NoSchedule",)"
      R"("timeAdded":"2027-01-15T08:00:00Z"}]}})");
  node = Make({{}, {Node("unreachable", "NoExecute")}});
  EXPECT_EQ(LiftedTaints(node).PatchText(node),
            R"({"metadata":{"uid":"u","resourceVersion":"7"},"spec":{"taints":null}})");
}

TEST(NodeTaints, RepeatLabelsUnderTheirOldNames) {
  api::Node node = Make({});
  node.metadata.labels = {{"kubernetes.io/arch", "amd64"},
                          {"beta.kubernetes.io/arch", "arm64"},
                          {"kubernetes.io/os", "linux"},
                          {"beta.kubernetes.io/os", "linux"}};
  const NodeEdit edit = EditByConditions(node, kNow);
  EXPECT_EQ(edit.labels,
            (std::map<std::string, std::string>{{"beta.kubernetes.io/arch", "amd64"}}));
}

TEST(NodeTaints, ZonesAreNamedByRegionToo) {
  api::Node node = Make({});
  EXPECT_EQ(ZoneOf(node), "");
  node.metadata.labels = {{"topology.kubernetes.io/zone", "z"},
                          {"topology.kubernetes.io/region", "r"}};
  EXPECT_EQ(ZoneOf(node), "r/z");
  node.metadata.labels["failure-domain.beta.kubernetes.io/zone"] = "old";
  EXPECT_EQ(ZoneOf(node), "r/old");
}

}  // namespace
}  // namespace quadra::lifecycle
