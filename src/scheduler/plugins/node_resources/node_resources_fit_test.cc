#include "scheduler/plugins/node_resources/node_resources_fit.h"

#include <gtest/gtest.h>

#include "scheduler/framework/worlds_for_tests.h"

namespace quadra::scheduler {
namespace {

constexpr std::string_view kRoom =
    "{allocatable: {cpu: 10m, memory: 20, pods: 32, ephemeral-storage: 20, example.com/aaa: 5, "
    "hugepages-2Mi: 5}}";

// A container that asks for this.
std::string Asking(std::string_view requests) {
  return fmt::format("{{name: c, resources: {{requests: {}}}}}", requests);
}
std::string OneAsking(std::string_view requests, std::string_view more = "") {
  return fmt::format("{{containers: [{}]{}{}}}", Asking(requests), more.empty() ? "" : ", ", more);
}
PodInfoPtr OnNode(std::string_view requests) {
  return PodOf({.name = "other", .spec = OneAsking(requests, "nodeName: node")});
}

api::DeviceClass ClassOf(std::string_view name, std::string_view spec) {
  return ObjectOf<api::DeviceClass>(
      fmt::format("{{apiVersion: resource.k8s.io/v1, kind: DeviceClass, metadata: {{name: {}}}, "
                  "spec: {}}}",
                  name, spec));
}

TEST(NodeResourcesFit, LooksAtWhatIsLeft) {
  struct Row {
    std::string_view what;
    std::string other;  // asks for this on the node
    std::string pod;
    std::string_view told;
  };
  const std::string none = "{}";
  const Row rows[] = {
      {"who asks for nothing fits", "{cpu: 10m, memory: 20}", "{}", "Success"},
      {"too much of two", "{cpu: 10m, memory: 20}", OneAsking("{cpu: 1m, memory: 1}"),
       "Unschedulable: Insufficient cpu, Insufficient memory"},
      {"all that is left", "{cpu: 5m, memory: 19}", OneAsking("{cpu: 5m, memory: 1}"), "Success"},
      {"cpu alone", "{cpu: 9m, memory: 5}", OneAsking("{cpu: 2m, memory: 1}"),
       "Unschedulable: Insufficient cpu"},
      {"memory alone", "{cpu: 5m, memory: 19}", OneAsking("{cpu: 1m, memory: 2}"),
       "Unschedulable: Insufficient memory"},
      {"ephemeral storage", "{ephemeral-storage: 10}", OneAsking("{ephemeral-storage: 11}"),
       "Unschedulable: Insufficient ephemeral-storage"},
      {"more than the node ever has", none, OneAsking("{cpu: 11m, memory: 21}"),
       "UnschedulableAndUnresolvable: Insufficient cpu, Insufficient memory"},
      {"one hopeless, one not", "{memory: 20}", OneAsking("{cpu: 11m, memory: 1}"),
       "UnschedulableAndUnresolvable: Insufficient cpu, Insufficient memory"},
      {"the largest init container counts", "{cpu: 8m}",
       OneAsking("{cpu: 1m}",
                 fmt::format("initContainers: [{}, {}]", Asking("{cpu: 3m}"), Asking("{cpu: 2m}"))),
       "Unschedulable: Insufficient cpu"},
      {"init containers do not add up", "{cpu: 9m}",
       OneAsking("{cpu: 1m}",
                 fmt::format("initContainers: [{}, {}]", Asking("{cpu: 1m}"), Asking("{cpu: 1m}"))),
       "Success"},
      {"sidecars do", "{cpu: 9m}",
       OneAsking("{cpu: 1m}",
                 "initContainers: [{name: i, restartPolicy: Always, resources: {requests: {cpu: "
                 "1m}}}]"),
       "Unschedulable: Insufficient cpu"},
      {"overhead fits", "{cpu: 5m, memory: 5}",
       OneAsking("{cpu: 1m, memory: 1}", "overhead: {cpu: 3m, memory: 13}"), "Success"},
      {"overhead does not", "{cpu: 5m, memory: 5}",
       OneAsking("{cpu: 1m, memory: 1}", "overhead: {cpu: 1m, memory: 15}"),
       "Unschedulable: Insufficient memory"},
      {"what the pod asks for as a whole counts instead", "{cpu: 5m, memory: 5}",
       OneAsking("{cpu: 1m, memory: 1}", "resources: {requests: {cpu: 7m, memory: 2}}"),
       "Unschedulable: Insufficient cpu"},
      {"huge pages of the whole pod", none,
       OneAsking("{cpu: 1m}", "resources: {requests: {cpu: 3m, hugepages-2Mi: 10}}"),
       "UnschedulableAndUnresolvable: Insufficient hugepages-2Mi"},
      {"an extended resource fits", none, OneAsking("{example.com/aaa: 1}"), "Success"},
      {"is taken", "{example.com/aaa: 5}", OneAsking("{cpu: 1m, example.com/aaa: 1}"),
       "Unschedulable: Insufficient example.com/aaa"},
      {"is more than there is", none, OneAsking("{example.com/aaa: 10}"),
       "UnschedulableAndUnresolvable: Insufficient example.com/aaa"},
      {"adds up over containers", "{example.com/aaa: 2}",
       fmt::format("{{containers: [{}, {}]}}", Asking("{example.com/aaa: 3}"),
                   Asking("{example.com/aaa: 3}")),
       "UnschedulableAndUnresolvable: Insufficient example.com/aaa"},
      {"is not known there", none, OneAsking("{example.com/bbb: 1}"),
       "UnschedulableAndUnresolvable: Insufficient example.com/bbb"},
      {"of Kubernetes itself", none, OneAsking("{kubernetes.io/something: 10}"),
       "UnschedulableAndUnresolvable: Insufficient kubernetes.io/something"},
      {"zero of it is nothing", "{example.com/aaa: 6}", OneAsking("{example.com/aaa: 0}"),
       "Success"},
      {"all of it is told", "{cpu: 10m, memory: 20}",
       OneAsking("{cpu: 1m, memory: 1, ephemeral-storage: 21, example.com/bbb: 1, "
                 "example.com/aaa: 9}"),
       "UnschedulableAndUnresolvable: Insufficient cpu, Insufficient memory, Insufficient "
       "ephemeral-storage, Insufficient example.com/aaa, Insufficient example.com/bbb"},
  };
  for (const Row& row : rows) {
    Trial trial({.plugin = "NodeResourcesFit"});
    trial.Put(NodeOf({.status = kRoom}));
    trial.Put(OnNode(row.other));
    EXPECT_EQ(trial.Filter(PodOf({.spec = row.pod}), "node"), row.told) << row.what;
  }
}

TEST(NodeResourcesFit, CountsPods) {
  for (const auto& [allowed, told] :
       {std::pair("2", "Success"), {"1", "Unschedulable: Too many pods"}}) {
    Trial trial({.plugin = "NodeResourcesFit"});
    trial.Put(NodeOf({.status = fmt::format("{{allocatable: {{pods: {}, cpu: 1}}}}", allowed)}));
    trial.Put(OnNode("{}"));
    EXPECT_EQ(trial.Filter(PodOf({}), "node"), told);
  }
}

TEST(NodeResourcesFit, KnowsItsReasonsByCode) {
  Trial trial({.plugin = "NodeResourcesFit"});
  trial.Put(NodeOf({.status = kRoom}));
  for (const std::string_view requests : {"{cpu: 1}", "{example.com/aaa: 9}"}) {
    const Status status = trial.FilterStatus(PodOf({.spec = OneAsking(requests)}), "node");
    ASSERT_NE(status.why(), nullptr) << requests;
    EXPECT_EQ(status.why()->code, reasons::Code::kNodeRejects);
    EXPECT_EQ(status.plugin(), "NodeResourcesFit");
  }
}

TEST(NodeResourcesFit, LeavesIgnoredResourcesToOthers) {
  struct Row {
    std::string_view args;
    std::string_view told;
  };
  const Row rows[] = {
      {"{}",
       "UnschedulableAndUnresolvable: Insufficient example.com/bbb, Insufficient "
       "kubernetes.io/something"},
      {"{ignoredResources: [example.com/bbb]}",
       "UnschedulableAndUnresolvable: Insufficient kubernetes.io/something"},
      {"{ignoredResourceGroups: [example.com]}",
       "UnschedulableAndUnresolvable: Insufficient kubernetes.io/something"},
      // Kubernetes' own are never left out.
      {"{ignoredResources: [kubernetes.io/something], ignoredResourceGroups: [kubernetes.io]}",
       "UnschedulableAndUnresolvable: Insufficient example.com/bbb, Insufficient "
       "kubernetes.io/something"},
      {"{ignoredResourceGroups: [example]}",
       "UnschedulableAndUnresolvable: Insufficient example.com/bbb, Insufficient "
       "kubernetes.io/something"},
  };
  const PodInfoPtr pod =
      PodOf({.spec = OneAsking("{example.com/bbb: 1, kubernetes.io/something: 1}")});
  for (const Row& row : rows) {
    Trial trial({.plugin = "NodeResourcesFit", .args = row.args});
    ASSERT_EQ(trial.error, "");
    trial.Put(NodeOf({.status = kRoom}));
    EXPECT_EQ(trial.Filter(pod, "node"), row.told) << row.args;
  }
}

TEST(NodeResourcesFit, LeavesToDevicesWhatClassesServe) {
  struct Row {
    std::string_view what;
    std::string_view resource;
    std::string_view has;  // the node
    std::string_view told;
  };
  const Row rows[] = {
      {"served by a class", "example.com/gpu", "{pods: 9}", "Success"},
      {"by its name", "deviceclass.resource.kubernetes.io/gpu", "{pods: 9}", "Success"},
      {"served by no class", "example.com/nic", "{pods: 9}",
       "UnschedulableAndUnresolvable: Insufficient example.com/nic"},
      {"a device plugin that has gone", "example.com/gpu", "{pods: 9, example.com/gpu: 0}",
       "Success"},
      {"a device plugin has too few", "example.com/gpu", "{pods: 9, example.com/gpu: 1}",
       "UnschedulableAndUnresolvable: Insufficient example.com/gpu"},
  };
  for (const Row& row : rows) {
    Trial trial({.plugin = "NodeResourcesFit"});
    trial.devices.Put(ClassOf("gpu", "{extendedResourceName: example.com/gpu}"));
    trial.Put(NodeOf({.status = fmt::format("{{allocatable: {}}}", row.has)}));
    EXPECT_EQ(
        trial.Filter(PodOf({.spec = OneAsking(fmt::format("{{{}: 2}}", row.resource))}), "node"),
        row.told)
        << row.what;
  }
}

// --- Scores.

TEST(NodeResourcesFit, ScoresByWhatIsInUse) {
  constexpr std::string_view kBinPack =
      "{scoringStrategy: {type: RequestedToCapacityRatio, requestedToCapacityRatio: {shape: "
      "[{utilization: 0, score: 0}, {utilization: 100, score: 10}]}}}";
  constexpr std::string_view kSpread =
      "{scoringStrategy: {type: RequestedToCapacityRatio, requestedToCapacityRatio: {shape: "
      "[{utilization: 0, score: 10}, {utilization: 100, score: 0}]}}}";
  struct Row {
    std::string_view what;
    std::string_view args;
    std::string_view n1;  // has
    std::string_view n2;
    std::string_view on_n1;  // others there ask for
    std::string_view on_n2;
    std::string_view pod;
    std::string_view scores;
  };
  constexpr std::string_view kSmall = "{cpu: 4, memory: 10000Mi}";
  constexpr std::string_view kLarge = "{cpu: 6, memory: 10000Mi}";
  constexpr std::string_view kMuch = "{cpu: 2, memory: 4000Mi}";
  constexpr std::string_view kLittle = "{cpu: 1, memory: 2000Mi}";
  constexpr std::string_view kHalf = "{cpu: 3, memory: 5000Mi}";
  const Row rows[] = {
      {"the least in use", "{}", kSmall, kLarge, "", "", kHalf, "n1=37 n2=50"},
      {"others count", "{}", kSmall, kLarge, kMuch, kLittle, kLittle, "n1=32 n2=63"},
      {"the most in use", "{scoringStrategy: {type: MostAllocated}}", kSmall, kLarge, kMuch,
       kLittle, kLittle, "n1=67 n2=36"},
      {"more than there is is all of it", "{scoringStrategy: {type: MostAllocated}}", kSmall,
       kLarge, kSmall, kSmall, kHalf, "n1=100 n2=100"},
      {"more than there is leaves nothing", "{}", kSmall, kLarge, kHalf, "", kHalf, "n1=0 n2=50"},
      {"by ratio, full ones first", kBinPack, kSmall, kLarge, kMuch, kLittle, kHalf, "n1=95 n2=68"},
      {"by ratio, empty ones first", kSpread, kSmall, kLarge, kMuch, kLittle, kHalf, "n1=10 n2=32"},
      {"weights",
       "{scoringStrategy: {type: LeastAllocated, resources: [{name: memory, weight: 2}, {name: "
       "cpu, weight: 1}]}}",
       kSmall, kLarge, "", "", kHalf, "n1=41 n2=50"},
      {"nothing there, nothing scored", "{}", "{}", "{cpu: 4}", "", "", "{cpu: 1}", "n1=0 n2=75"},
      {"who asks for nothing counts with a little", "{}", "{cpu: 1}", "{memory: 1000Mi}", "", "",
       "{}", "n1=90 n2=80"},
      {"others that ask for nothing too", "{}", "{cpu: 1}", "{memory: 1000Mi}", "{}", "{}", "{}",
       "n1=80 n2=60"},
      {"a resource that the pod does not want does not count",
       "{scoringStrategy: {type: LeastAllocated, resources: [{name: cpu}, {name: "
       "example.com/gpu}]}}",
       "{cpu: 4, example.com/gpu: 4}", "{cpu: 4}", "", "", "{cpu: 2}", "n1=50 n2=50"},
      {"one that it wants does",
       "{scoringStrategy: {type: LeastAllocated, resources: [{name: cpu}, {name: "
       "example.com/gpu}]}}",
       "{cpu: 4, example.com/gpu: 4}", "{cpu: 4}", "", "", "{cpu: 2, example.com/gpu: 4}",
       "n1=25 n2=50"},
  };
  for (const Row& row : rows) {
    Trial trial({.plugin = "NodeResourcesFit", .args = row.args});
    ASSERT_EQ(trial.error, "");
    for (const auto& [node, has, asked] : {std::tuple(std::string_view("n1"), row.n1, row.on_n1),
                                           {std::string_view("n2"), row.n2, row.on_n2}}) {
      trial.Put(NodeOf({.name = node, .status = fmt::format("{{allocatable: {}}}", has)}));
      if (!asked.empty()) {
        trial.Put(PodOf({.name = fmt::format("on-{}", node),
                         .spec = OneAsking(asked, fmt::format("nodeName: {}", node))}));
      }
    }
    EXPECT_EQ(trial.Scores(PodOf({.spec = OneAsking(row.pod)})), row.scores) << row.what;
  }
}

// As upstream: what the pod asks for as a whole does not count here.
TEST(NodeResourcesFit, ScoresThePodByItsContainers) {
  Trial trial({.plugin = "NodeResourcesFit"});
  trial.Put(NodeOf({.status = "{allocatable: {cpu: 1}}"}));
  EXPECT_EQ(
      trial.Scores(PodOf({.spec = OneAsking("{cpu: 300m}", "resources: {requests: {cpu: 600m}}")})),
      "node=70");
}

TEST(NodeResourcesFit, RefusesArgumentsThatMakeNoSense) {
  struct Row {
    std::string_view args;
    std::string_view error;
  };
  const Row rows[] = {
      {"{ignoredResources: [a/b/c]}", "ignoredResources: a valid label key must"},
      {"{ignoredResourceGroups: [example.com/x]}",
       "ignoredResourceGroups: resource group name can't contain '/'"},
      {"{ignoredResources: example.com/x}", "ignoredResources: must be a list of strings"},
      {"{ignored: []}", "ignored: there is no such argument"},
      {"{kind: NodeAffinityArgs}", "kind: must be NodeResourcesFitArgs"},
      {"{scoringStrategy: {}}",
       "scoringStrategy.type: must be LeastAllocated, MostAllocated or RequestedToCapacityRatio"},
      {"{scoringStrategy: {type: Least}}", "scoringStrategy.type: must be LeastAllocated"},
      {"{scoringStrategy: {type: LeastAllocated, resources: [{name: cpu, weight: -1}]}}",
       "scoringStrategy.resources[0].weight: must be a whole number"},
      {"{scoringStrategy: {type: LeastAllocated, resources: [{name: cpu}, {name: memory, weight: "
       "101}]}}",
       "scoringStrategy.resources[1].weight: resource weight of memory not in valid range (0, "
       "100]"},
      {"{scoringStrategy: {type: RequestedToCapacityRatio}}",
       "scoringStrategy.requestedToCapacityRatio: must be specified when type is"},
      {"{scoringStrategy: {type: MostAllocated, requestedToCapacityRatio: {shape: []}}}",
       "scoringStrategy.requestedToCapacityRatio: must be nil when type is not"},
      {"{scoringStrategy: {type: RequestedToCapacityRatio, requestedToCapacityRatio: {}}}",
       "scoringStrategy.requestedToCapacityRatio.shape: at least one point must be specified"},
      {"{scoringStrategy: {type: RequestedToCapacityRatio, requestedToCapacityRatio: {shape: "
       "[{utilization: 50, score: 1}, {utilization: 50, score: 2}]}}}",
       "scoringStrategy.requestedToCapacityRatio.shape[1].utilization: values must be sorted in "
       "increasing order"},
      {"{scoringStrategy: {type: RequestedToCapacityRatio, requestedToCapacityRatio: {shape: "
       "[{utilization: 101, score: 1}]}}}",
       "shape[0].utilization: must be a whole number from 0 to 100"},
      {"{scoringStrategy: {type: RequestedToCapacityRatio, requestedToCapacityRatio: {shape: "
       "[{utilization: 1, score: 11}]}}}",
       "shape[0].score: must be a whole number from 0 to 10"},
  };
  for (const Row& row : rows) {
    const std::string error = Trial({.plugin = "NodeResourcesFit", .args = row.args}).error;
    EXPECT_NE(error.find(row.error), std::string::npos) << row.args << "\n" << error;
  }
}

// --- Hints.

TEST(NodeResourcesFit, WaitsForPodsToLeave) {
  const Trial trial({.plugin = "NodeResourcesFit"});
  const PodInfoPtr pod = PodOf({.spec = OneAsking("{cpu: 1}")});
  struct Row {
    PodText gone;
    bool wakes;
  };
  const Row rows[] = {
      {{.name = "a", .spec = "{nodeName: node}"}, true},
      {{.name = "a", .status = "{nominatedNodeName: node}"}, true},
      {{.name = "a"}, false},
  };
  for (const Row& row : rows) {
    const PodInfoPtr gone = PodOf(row.gone);
    EXPECT_EQ(trial.Wakes(pod, {EventResource::kAssignedPod, action::kDelete, {}},
                          {.pod_before = gone.get()}),
              row.wakes)
        << row.gone.spec;
  }
}

TEST(NodeResourcesFit, WaitsForPodsToAskForLess) {
  const Trial trial({.plugin = "NodeResourcesFit"});
  struct Row {
    std::string_view pod;
    std::string_view before;
    std::string_view now;
    bool wakes;
  };
  const Row rows[] = {
      {"{cpu: 1}", "{cpu: 2}", "{cpu: 1}", true},
      {"{cpu: 1}", "{memory: 2}", "{memory: 1}", false},
      {"{cpu: 1}", "{cpu: 1, memory: 2}", "{cpu: 1, memory: 1}", false},
      {"{example.com/a: 1}", "{example.com/a: 2}", "{example.com/a: 1}", true},
      {"{example.com/a: 1}", "{example.com/b: 2}", "{example.com/b: 1}", false},
  };
  constexpr std::string_view kOnNode = "nodeName: node";
  for (const Row& row : rows) {
    const PodInfoPtr pod = PodOf({.spec = OneAsking(row.pod)});
    const PodInfoPtr before = PodOf({.name = "a", .spec = OneAsking(row.before, kOnNode)});
    const PodInfoPtr now = PodOf({.name = "a", .spec = OneAsking(row.now, kOnNode)});
    const EventObjects objects{.pod_before = before.get(), .pod_now = now.get()};
    EXPECT_EQ(
        trial.Wakes(pod, {EventResource::kAssignedPod, action::kUpdatePodScaleDown, {}}, objects),
        row.wakes)
        << row.pod << row.before << row.now;
    EXPECT_TRUE(
        trial.Wakes(pod, {EventResource::kTargetPod, action::kUpdatePodScaleDown, {}}, objects));
    EXPECT_FALSE(
        trial.Wakes(pod, {EventResource::kTargetPod, action::kUpdatePodScaleUp, {}}, objects));
  }
}

TEST(NodeResourcesFit, WaitsForNodesThatAreLargeEnough) {
  struct Row {
    std::string_view what;
    std::string_view pod;
    std::string_view before;  // empty: a new node
    std::string_view now;
    bool wakes;
  };
  const Row rows[] = {
      {"new and large enough", "{cpu: 1}", "", "{cpu: 1, pods: 1}", true},
      {"new and too small", "{cpu: 2}", "", "{cpu: 1, pods: 1}", false},
      {"new, and no pod may be there", "{cpu: 1}", "", "{cpu: 1}", false},
      {"became large enough", "{cpu: 2}", "{cpu: 1, pods: 1}", "{cpu: 2, pods: 1}", true},
      {"still too small", "{cpu: 3}", "{cpu: 1, pods: 1}", "{cpu: 2, pods: 1}", false},
      {"more of something else", "{cpu: 1}", "{cpu: 1, memory: 1, pods: 1}",
       "{cpu: 1, memory: 2, pods: 1}", false},
      {"room for more pods", "{}", "{pods: 1}", "{pods: 2}", true},
      {"who wants nothing needs no cpu", "{}", "{cpu: 1, pods: 1}", "{cpu: 2, pods: 1}", false},
      {"more of an extended resource", "{example.com/a: 1}", "{example.com/a: 1, pods: 1}",
       "{example.com/a: 2, pods: 1}", true},
      {"a device plugin gave up what a class serves", "{example.com/gpu: 1}",
       "{example.com/gpu: 1, pods: 1}", "{example.com/gpu: 0, pods: 1}", true},
  };
  Trial trial({.plugin = "NodeResourcesFit"});
  trial.devices.Put(ClassOf("gpu", "{extendedResourceName: example.com/gpu}"));
  for (const Row& row : rows) {
    const auto node = [](std::string_view has) {
      return NodeOf({.status = fmt::format("{{allocatable: {}}}", has.empty() ? "{}" : has)});
    };
    const auto before = node(row.before);
    const auto now = node(row.now);
    const bool is_new = row.before.empty();
    EXPECT_EQ(
        trial.Wakes(
            PodOf({.spec = OneAsking(row.pod)}),
            {EventResource::kNode, is_new ? action::kAdd : action::kUpdateNodeAllocatable, {}},
            {.node_before = is_new ? nullptr : before.get(), .node_now = now.get()}),
        row.wakes)
        << row.what;
  }
}

TEST(NodeResourcesFit, WaitsForClassesThatServeIt) {
  struct Row {
    std::string_view pod;
    std::string_view before;  // empty: a new class
    std::string_view now;
    bool wakes;
  };
  constexpr std::string_view kServes = "{extendedResourceName: example.com/gpu}";
  const Row rows[] = {
      {"{example.com/gpu: 1}", "", kServes, true},
      {"{example.com/gpu: 1}", "{}", kServes, true},
      {"{example.com/gpu: 1}", kServes, kServes, false},
      {"{example.com/gpu: 1}", "", "{}", false},
      {"{example.com/nic: 1}", "", kServes, false},
      {"{deviceclass.resource.kubernetes.io/gpu: 1}", "", "{}", true},
      {"{deviceclass.resource.kubernetes.io/gpu: 1}", "{}", kServes, false},
      {"{deviceclass.resource.kubernetes.io/nic: 1}", "", "{}", false},
  };
  const Trial trial({.plugin = "NodeResourcesFit"});
  for (const Row& row : rows) {
    const bool is_new = row.before.empty();
    const api::DeviceClass before = ClassOf("gpu", is_new ? "{}" : row.before);
    const api::DeviceClass now = ClassOf("gpu", row.now);
    EXPECT_EQ(
        trial.Wakes(PodOf({.spec = OneAsking(row.pod)}),
                    {EventResource::kDeviceClass, is_new ? action::kAdd : action::kUpdate, {}},
                    {.class_before = is_new ? nullptr : &before, .class_now = &now}),
        row.wakes)
        << row.pod << row.before << row.now;
  }
}

}  // namespace
}  // namespace quadra::scheduler
