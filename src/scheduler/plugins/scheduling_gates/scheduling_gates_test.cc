#include "scheduler/plugins/scheduling_gates/scheduling_gates.h"

#include <gtest/gtest.h>

#include "scheduler/framework/worlds_for_tests.h"

namespace quadra::scheduler {
namespace {

TEST(SchedulingGates, KeepsOutWhoHasGates) {
  struct Row {
    std::string_view pod;
    std::string_view told;
  };
  const Row rows[] = {
      {"{}", "Success"},
      {"{schedulingGates: []}", "Success"},
      {"{schedulingGates: [{name: quota}]}",
       "UnschedulableAndUnresolvable: waiting for scheduling gates: [quota]"},
      {"{schedulingGates: [{name: quota}, {name: data}]}",
       "UnschedulableAndUnresolvable: waiting for scheduling gates: [quota data]"},
  };
  const Trial trial({.plugin = "SchedulingGates"});
  for (const Row& row : rows) {
    EXPECT_EQ(trial.PreEnqueue(PodOf({.spec = row.pod})), row.told) << row.pod;
  }
}

TEST(SchedulingGates, WaitsForItsOwnGatesToGo) {
  const Trial trial({.plugin = "SchedulingGates"});
  const PodInfoPtr pod = PodOf({.spec = "{schedulingGates: [{name: quota}]}"});
  const PodInfoPtr open = PodOf({});
  const EventObjects objects{.pod_before = pod.get(), .pod_now = open.get()};
  for (const auto resource : {EventResource::kTargetPod, EventResource::kUnscheduledPod}) {
    EXPECT_EQ(
        trial.Wakes(pod, {resource, action::kUpdatePodSchedulingGatesEliminated, {}}, objects),
        resource == EventResource::kTargetPod);
  }
  EXPECT_FALSE(trial.Wakes(pod, {EventResource::kTargetPod, action::kUpdatePodLabel, {}}, objects));
}

}  // namespace
}  // namespace quadra::scheduler
