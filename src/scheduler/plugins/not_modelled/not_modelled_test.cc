#include "scheduler/plugins/not_modelled/not_modelled.h"

#include <gtest/gtest.h>

#include "scheduler/framework/worlds_for_tests.h"

namespace quadra::scheduler {
namespace {

TEST(NotModelled, RefusesWhatNobodyHereLooksAt) {
  struct Row {
    std::string_view pod;
    std::string_view told;  // the beginning
  };
  const Row rows[] = {
      {"{}", "Success"},
      {"{volumes: [{name: v, emptyDir: {}}, {name: i, image: {reference: x}}]}", "Success"},
      {"{volumes: [{name: e, emptyDir: {}}, {name: v, persistentVolumeClaim: {claimName: d}}]}",
       "UnschedulableAndUnresolvable: volume v of the pod is PersistentVolumeClaim d, and this "
       "scheduler does not look at volumes; give the pod the schedulerName of"},
      {"{volumes: [{name: v, ephemeral: {volumeClaimTemplate: {spec: {storageClassName: s}}}}]}",
       "UnschedulableAndUnresolvable: volume v of the pod is ephemeral"},
      {"{schedulingGroup: {podGroupName: g}}",
       "UnschedulableAndUnresolvable: the pod belongs to PodGroup g"},
  };
  const Trial trial({.plugin = "NotModelled"});
  for (const Row& row : rows) {
    const std::string told = trial.PreFilter(PodOf({.spec = row.pod}));
    EXPECT_EQ(told.substr(0, row.told.size()), row.told) << row.pod;
  }
}

TEST(NotModelled, SaysSoByCodeAndIsNeverWoken) {
  const Trial trial({.plugin = "NotModelled"});
  const PodInfoPtr pod =
      PodOf({.spec = "{volumes: [{name: v, persistentVolumeClaim: {claimName: d}}]}"});
  CycleState state;
  const PreFiltered found = trial.profile().RunPreFilter(state, *pod);
  ASSERT_NE(found.status.why(), nullptr);
  EXPECT_EQ(found.status.why()->code, reasons::Code::kNotModelled);
  const auto node = NodeOf({});
  EXPECT_FALSE(
      trial.Wakes(pod, {EventResource::kNode, action::kAdd, {}}, {.node_now = node.get()}));
}

}  // namespace
}  // namespace quadra::scheduler
