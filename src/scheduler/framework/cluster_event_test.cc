#include "scheduler/framework/cluster_event.h"

#include <gtest/gtest.h>

#include "scheduler/framework/worlds_for_tests.h"

namespace quadra::scheduler {
namespace {

std::string LabelsOf(const std::vector<ClusterEvent>& events) {
  std::string labels;
  for (const ClusterEvent& event : events) {
    labels += (labels.empty() ? "" : " ") + event.Label();
  }
  return labels;
}

TEST(ClusterEvent, IsLabelledAsUpstreams) {
  struct Row {
    ClusterEvent event;
    std::string_view label;
  };
  const Row rows[] = {
      {{EventResource::kAssignedPod, action::kDelete, {}}, "AssignedPodDelete"},
      {{EventResource::kUnscheduledPod, action::kAdd, {}}, "UnscheduledPodAdd"},
      {{EventResource::kNode, action::kUpdateNodeTaint, {}}, "NodeUpdateNodeTaint"},
      {{EventResource::kTargetPod, action::kUpdate, {}}, "TargetPodUpdate"},
      {{EventResource::kResourceClaim, action::kUpdate, {}}, "resource.k8s.io/ResourceClaimUpdate"},
      {{EventResource::kWildCard, action::kAll, "UnschedulableTimeout"}, "UnschedulableTimeout"},
      {{}, "*All"},
  };
  for (const Row& row : rows) {
    EXPECT_EQ(row.event.Label(), row.label);
  }
}

TEST(ClusterEvent, MatchesWhatItIsRegisteredFor) {
  struct Row {
    std::string_view what;
    ClusterEvent wanted;
    ClusterEvent happened;
    bool matches;
  };
  constexpr ClusterEvent kTainted{EventResource::kNode, action::kUpdateNodeTaint, {}};
  const Row rows[] = {
      {"the same", kTainted, kTainted, true},
      {"one of several",
       {EventResource::kNode, action::kAdd | action::kUpdateNodeTaint, {}},
       kTainted,
       true},
      {"another action", {EventResource::kNode, action::kAdd, {}}, kTainted, false},
      {"another resource", {EventResource::kTargetPod, action::kAll, {}}, kTainted, false},
      {"everything", {}, kTainted, true},
      {"any pod",
       {EventResource::kPod, action::kDelete, {}},
       {EventResource::kAssignedPod, action::kDelete, {}},
       true},
      {"any pod is not asked for",
       {EventResource::kAssignedPod, action::kDelete, {}},
       {EventResource::kUnscheduledPod, action::kDelete, {}},
       false},
      {"an update of which nothing is known is not the update waited for",
       {EventResource::kTargetPod, action::kUpdatePodLabel, {}},
       {EventResource::kTargetPod, action::kUpdate, {}},
       false},
      {"all updates",
       {EventResource::kTargetPod, action::kUpdate, {}},
       {EventResource::kTargetPod, action::kUpdatePodLabel, {}},
       true},
  };
  for (const Row& row : rows) {
    EXPECT_EQ(row.wanted.Matches(row.happened), row.matches) << row.what;
  }
}

TEST(ClusterEvent, TellsWhatOfAPodChanged) {
  struct Row {
    std::string_view what;
    PodText before;
    PodText now;
    std::string_view events;
    bool is_target = true;
  };
  constexpr std::string_view kOneCpu = "{containers: [{name: c, resources: {requests: {cpu: 1}}}]}";
  constexpr std::string_view kTwoCpus =
      "{containers: [{name: c, resources: {requests: {cpu: 2}}}]}";
  constexpr std::string_view kMemory =
      "{containers: [{name: c, resources: {requests: {memory: 1}}}]}";
  const Row rows[] = {
      {"nothing that plugins know", {}, {.status = "{message: m}"}, "TargetPodUpdate"},
      {"of another pod that waits", {}, {.status = "{message: m}"}, "UnscheduledPodUpdate", false},
      {"of one on a node",
       {.spec = "{nodeName: node}"},
       {.labels = "{a: b}", .spec = "{nodeName: node}"},
       "AssignedPodUpdatePodLabel",
       false},
      {"labels", {}, {.labels = "{a: b}"}, "TargetPodUpdatePodLabel"},
      {"asks for less", {.spec = kTwoCpus}, {.spec = kOneCpu}, "TargetPodUpdatePodScaleDown"},
      {"asks for more", {.spec = kOneCpu}, {.spec = kTwoCpus}, "TargetPodUpdatePodScaleUp"},
      {"asks for something else",
       {.spec = kOneCpu},
       {.spec = kMemory},
       "TargetPodUpdatePodScaleDown TargetPodUpdatePodScaleUp"},
      {"one of two gates gone",
       {.spec = "{schedulingGates: [{name: a}, {name: b}]}"},
       {.spec = "{schedulingGates: [{name: a}]}"},
       "TargetPodUpdate"},
      {"all gates gone",
       {.spec = "{schedulingGates: [{name: a}]}"},
       {},
       "TargetPodUpdatePodSchedulingGatesEliminated"},
      {"a toleration came",
       {},
       {.spec = "{tolerations: [{operator: Exists}]}"},
       "TargetPodUpdatePodToleration"},
      {"a claim was made",
       {},
       {.status = "{resourceClaimStatuses: [{name: a, resourceClaimName: b}]}"},
       "TargetPodUpdatePodGeneratedResourceClaim"},
      {"two changes are two events",
       {},
       {.labels = "{a: b}", .spec = "{tolerations: [{operator: Exists}]}"},
       "TargetPodUpdatePodLabel TargetPodUpdatePodToleration"},
  };
  for (const Row& row : rows) {
    EXPECT_EQ(LabelsOf(ChangesOf(*PodOf(row.before), *PodOf(row.now), row.is_target)), row.events)
        << row.what;
  }
}

TEST(ClusterEvent, TellsWhatOfANodeChanged) {
  struct Row {
    std::string_view what;
    NodeText before;
    NodeText now;
    std::string_view events;
  };
  constexpr std::string_view kReady = "{conditions: [{type: Ready, status: 'True'}]}";
  const Row rows[] = {
      {"nothing", {}, {}, ""},
      {"opened", {.spec = "{unschedulable: true}"}, {}, "NodeUpdateNodeTaint"},
      {"cordoned helps nobody", {}, {.spec = "{unschedulable: true}"}, ""},
      {"taints", {}, {.spec = "{taints: [{key: a, effect: NoSchedule}]}"}, "NodeUpdateNodeTaint"},
      {"room", {}, {.status = "{allocatable: {cpu: 1}}"}, "NodeUpdateNodeAllocatable"},
      {"capacity alone", {}, {.status = "{capacity: {cpu: 1}}"}, ""},
      {"labels", {}, {.labels = "{a: b}"}, "NodeUpdateNodeLabel"},
      {"a condition", {}, {.status = kReady}, "NodeUpdateNodeCondition"},
      {"a heartbeat",
       {.status = kReady},
       {.status = "{conditions: [{type: Ready, status: 'True', lastHeartbeatTime: "
                  "'2026-01-01T00:00:00Z'}]}"},
       ""},
      {"features", {}, {.status = "{declaredFeatures: [A]}"}, "NodeUpdateNodeDeclaredFeature"},
      {"two changes are two events",
       {},
       {.labels = "{a: b}", .status = "{allocatable: {cpu: 1}}"},
       "NodeUpdateNodeAllocatable NodeUpdateNodeLabel"},
  };
  for (const Row& row : rows) {
    EXPECT_EQ(LabelsOf(ChangesOf(*NodeOf(row.before), *NodeOf(row.now))), row.events) << row.what;
  }
}

}  // namespace
}  // namespace quadra::scheduler
