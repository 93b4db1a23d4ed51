#include "scheduler/plugins/node_unschedulable/node_unschedulable.h"

#include <gtest/gtest.h>

#include "scheduler/framework/worlds_for_tests.h"

namespace quadra::scheduler {
namespace {

constexpr std::string_view kTolerant =
    "{tolerations: [{key: node.kubernetes.io/unschedulable, effect: NoSchedule}]}";
constexpr std::string_view kOtherwiseTolerant =
    "{tolerations: [{key: node.kubernetes.io/unschedulable, effect: NoExecute}]}";

TEST(NodeUnschedulable, KeepsPodsFromCordonedNodes) {
  struct Row {
    std::string_view node;
    std::string_view pod;
    std::string_view told;
  };
  constexpr std::string_view kNo = "UnschedulableAndUnresolvable: node(s) were unschedulable";
  const Row rows[] = {
      {"{}", "{}", "Success"},
      {"{unschedulable: true}", "{}", kNo},
      {"{unschedulable: true}", kTolerant, "Success"},
      {"{unschedulable: true}", "{tolerations: [{operator: Exists}]}", "Success"},
      {"{unschedulable: true}", kOtherwiseTolerant, kNo},
  };
  for (const Row& row : rows) {
    Trial trial({.plugin = "NodeUnschedulable"});
    trial.Put(NodeOf({.spec = row.node}));
    EXPECT_EQ(trial.Filter(PodOf({.spec = row.pod}), "node"), row.told) << row.node << row.pod;
  }
}

TEST(NodeUnschedulable, WaitsForNodesToOpen) {
  const Trial trial({.plugin = "NodeUnschedulable"});
  const auto open = NodeOf({});
  const auto cordoned = NodeOf({.spec = "{unschedulable: true}"});
  struct Row {
    const api::Node* before;
    const api::Node* now;
    bool wakes;
  };
  const Row rows[] = {{nullptr, open.get(), true},        {nullptr, cordoned.get(), false},
                      {cordoned.get(), open.get(), true}, {open.get(), cordoned.get(), false},
                      {open.get(), open.get(), false},    {cordoned.get(), cordoned.get(), false}};
  for (const Row& row : rows) {
    const Actions what = row.before == nullptr ? action::kAdd : action::kUpdateNodeTaint;
    EXPECT_EQ(trial.Wakes(PodOf({}), {EventResource::kNode, what, {}},
                          {.node_before = row.before, .node_now = row.now}),
              row.wakes);
  }
}

TEST(NodeUnschedulable, WaitsForTheTolerationThatHelps) {
  const Trial trial({.plugin = "NodeUnschedulable"});
  const PodInfoPtr before = PodOf({});
  for (const auto& [spec, wakes] : {std::pair(kTolerant, true), {kOtherwiseTolerant, false}}) {
    const PodInfoPtr now = PodOf({.spec = spec});
    EXPECT_EQ(trial.Wakes(before, {EventResource::kTargetPod, action::kUpdatePodToleration, {}},
                          {.pod_before = before.get(), .pod_now = now.get()}),
              wakes)
        << spec;
  }
}

}  // namespace
}  // namespace quadra::scheduler
