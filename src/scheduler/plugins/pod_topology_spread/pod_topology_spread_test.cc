#include "scheduler/plugins/pod_topology_spread/pod_topology_spread.h"

#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "scheduler/framework/worlds_for_tests.h"

namespace quadra::scheduler {
namespace {

constexpr std::string_view kWrong =
    "Unschedulable: node(s) didn't match pod topology spread constraints";
constexpr std::string_view kNoLabel =
    "UnschedulableAndUnresolvable: node(s) didn't match pod topology spread constraints (missing "
    "required label)";

// n1 and n2 in zone a, n3 in zone b, n4 in none; two web pods in a, one in b.
void PutWeb(Trial& trial) {
  trial.Put(NodeOf({.name = "n1", .labels = "{zone: a, kubernetes.io/hostname: n1}"}));
  trial.Put(NodeOf({.name = "n2",
                    .labels = "{zone: a, kubernetes.io/hostname: n2}",
                    .spec = "{taints: [{key: t, effect: NoSchedule}]}"}));
  trial.Put(NodeOf({.name = "n3", .labels = "{zone: b, kubernetes.io/hostname: n3}"}));
  trial.Put(NodeOf({.name = "n4", .labels = "{kubernetes.io/hostname: n4}"}));
  trial.Put(PodOf({.name = "w1", .labels = "{app: web, rev: one}", .spec = "{nodeName: n1}"}));
  trial.Put(PodOf({.name = "w2", .labels = "{app: web, rev: two}", .spec = "{nodeName: n2}"}));
  trial.Put(PodOf({.name = "w3", .labels = "{app: web, rev: one}", .spec = "{nodeName: n3}"}));
}

std::string Constraint(std::string_view members) {
  return fmt::format(
      "{{topologySpreadConstraints: [{{labelSelector: {{matchLabels: {{app: web}}}}, {}}}]}}",
      members);
}

TEST(PodTopologySpreadTest, Filters) {
  struct Row {
    std::string_view name;
    std::string spec;
    std::vector<std::string_view> verdicts;  // of n1 to n4
  };
  const std::vector<Row> rows = {
      {"where there are fewest",
       Constraint("topologyKey: zone, maxSkew: 1, whenUnsatisfiable: DoNotSchedule"),
       {kWrong, kWrong, "Success", kNoLabel}},
      {"where there are not too many",
       Constraint("topologyKey: zone, maxSkew: 2, whenUnsatisfiable: DoNotSchedule"),
       {"Success", "Success", "Success", kNoLabel}},
      {"too few domains: all of them are empty",
       Constraint("topologyKey: zone, maxSkew: 2, minDomains: 3, whenUnsatisfiable: DoNotSchedule"),
       {kWrong, kWrong, "Success", kNoLabel}},
      {"nodes with taints may not count",
       Constraint("topologyKey: zone, maxSkew: 1, nodeTaintsPolicy: Honor, whenUnsatisfiable: "
                  "DoNotSchedule"),
       {"Success", "Success", "Success", kNoLabel}},
      {"labels of the pod narrow whom it is spread among",
       Constraint("topologyKey: zone, maxSkew: 1, matchLabelKeys: [rev], whenUnsatisfiable: "
                  "DoNotSchedule"),
       {"Success", "Success", "Success", kNoLabel}},
      {"preferences refuse nobody",
       Constraint("topologyKey: zone, maxSkew: 1, whenUnsatisfiable: ScheduleAnyway"),
       {"Success", "Success", "Success", "Success"}},
  };
  for (const Row& row : rows) {
    Trial trial({.plugin = "PodTopologySpread"});
    PutWeb(trial);
    const PodInfoPtr pod = PodOf({.labels = "{app: web, rev: one}", .spec = row.spec});
    for (int i = 0; i < 4; ++i) {
      EXPECT_EQ(trial.Filter(pod, fmt::format("n{}", i + 1)), row.verdicts[i]) << row.name << i;
    }
  }
}

TEST(PodTopologySpreadTest, LeavesOutNodesThatThePodExcludes) {
  constexpr std::string_view kZones =
      "topologyKey: zone, maxSkew: 1, whenUnsatisfiable: DoNotSchedule";
  Trial trial({.plugin = "PodTopologySpread"});
  PutWeb(trial);
  std::string spec = Constraint(kZones);
  spec.insert(1, "nodeSelector: {zone: a}, ");
  EXPECT_EQ(trial.Filter(PodOf({.labels = "{app: web}", .spec = spec}), "n1"), "Success");
  spec = Constraint(fmt::format("{}, nodeAffinityPolicy: Ignore", kZones));
  spec.insert(1, "nodeSelector: {zone: a}, ");
  EXPECT_EQ(trial.Filter(PodOf({.labels = "{app: web}", .spec = spec}), "n1"), kWrong);
}

TEST(PodTopologySpreadTest, CountsPodsThatAreImaginedToComeAndGo) {
  Trial trial({.plugin = "PodTopologySpread"});
  PutWeb(trial);
  const PodInfoPtr pod = PodOf(
      {.labels = "{app: web}",
       .spec = Constraint("topologyKey: zone, maxSkew: 1, whenUnsatisfiable: DoNotSchedule")});
  const auto& plugin = dynamic_cast<const PodTopologySpread&>(trial.plugin());
  const NodeInfo& n1 = *trial.cache.Find("n1");
  const NodeInfo& n3 = *trial.cache.Find("n3");
  const PodInfoPtr web = n1.pods().front();
  CycleState state;
  ASSERT_TRUE(plugin.PreFilter(state, *pod).status.ok());
  CycleState trial_state = state.Clone();
  EXPECT_EQ(TextOf(plugin.Filter(trial_state, *pod, n1)), kWrong);
  ASSERT_TRUE(plugin.RemovePod(trial_state, *pod, *web, n1).ok());
  EXPECT_TRUE(plugin.Filter(trial_state, *pod, n1).ok());
  ASSERT_TRUE(plugin.RemovePod(trial_state, *pod, *n3.pods().front(), n3).ok());
  EXPECT_EQ(TextOf(plugin.Filter(trial_state, *pod, n1)), kWrong);
  ASSERT_TRUE(plugin.AddPod(trial_state, *pod, *web, n3).ok());
  EXPECT_TRUE(plugin.Filter(trial_state, *pod, n1).ok());
  EXPECT_EQ(TextOf(plugin.Filter(state, *pod, n1)), kWrong) << "the trial is apart";
}

TEST(PodTopologySpreadTest, Scores) {
  struct Row {
    std::string_view name;
    std::string spec;
    std::string_view scores;
  };
  const std::vector<Row> rows = {
      {"nothing is preferred", "{}", ""},
      {"the zone with fewest",
       Constraint("topologyKey: zone, maxSkew: 1, whenUnsatisfiable: ScheduleAnyway"),
       "n1=33 n2=33 n3=100 n4=0"},
      {"hosts are counted one by one",
       Constraint(
           "topologyKey: kubernetes.io/hostname, maxSkew: 1, whenUnsatisfiable: ScheduleAnyway"),
       "n1=0 n2=0 n3=0 n4=100"},
  };
  for (const Row& row : rows) {
    Trial trial({.plugin = "PodTopologySpread"});
    PutWeb(trial);
    EXPECT_EQ(trial.Scores(PodOf({.labels = "{app: web}", .spec = row.spec})), row.scores)
        << row.name;
  }
}

api::Object WorkloadOf(std::string_view yaml) {
  return *api::DecodeJson(*json::YamlToJsonStrict(yaml));
}

TEST(PodTopologySpreadTest, SpreadsByDefaultWhatServicesAndControllersSelect) {
  constexpr std::string_view kService =
      "{apiVersion: v1, kind: Service, metadata: {name: s, namespace: default}, spec: {selector: "
      "{app: web}}}";
  constexpr std::string_view kSet =
      "{apiVersion: apps/v1, kind: ReplicaSet, metadata: {name: owner, namespace: default}, spec: "
      "{selector: {matchLabels: {rev: two}}, template: {}}}";
  constexpr std::string_view kStrict =
      "{defaultingType: List, defaultConstraints: [{topologyKey: zone, maxSkew: 1, "
      "whenUnsatisfiable: DoNotSchedule}]}";
  struct Row {
    std::string_view name;
    std::string_view args;
    std::vector<std::string_view> workloads;
    std::string_view verdict;  // of n1
    std::string_view scores;
  };
  const std::vector<Row> rows = {
      {"nothing selects the pod", "{}", {}, "Success", ""},
      {"the system prefers hosts with few",
       "{}",
       {kService},
       "Success",
       "n1=50 n2=50 n3=50 n4=100"},
      {"a list may be strict", kStrict, {kService}, kWrong, ""},
      {"what all of them select counts", kStrict, {kService, kSet}, "Success", ""},
      {"a list of nothing", "{defaultingType: List}", {kService, kSet}, "Success", ""},
  };
  for (const Row& row : rows) {
    Trial trial({.plugin = "PodTopologySpread", .args = row.args});
    ASSERT_EQ(trial.error, "") << row.name;
    PutWeb(trial);
    for (const std::string_view each : row.workloads) {
      trial.cache.workloads().Put(WorkloadOf(each));
    }
    api::Pod pod = PodOf({.labels = "{app: web}"})->pod;
    pod.metadata.owner_references.push_back({.api_version = "apps/v1",
                                             .kind = "ReplicaSet",
                                             .name = "owner",
                                             .uid = "u",
                                             .controller = true});
    const PodInfoPtr info = PodInfo::Of(pod, api::FeatureGates());
    EXPECT_EQ(trial.Filter(info, "n1"), row.verdict) << row.name;
    EXPECT_EQ(trial.Scores(info), row.scores) << row.name;
    for (const std::string_view each : row.workloads) {
      trial.cache.workloads().Remove(WorkloadOf(each));
    }
    EXPECT_EQ(trial.PreFilter(info), "Skip") << row.name;
  }
}

TEST(PodTopologySpreadTest, RefusesArguments) {
  struct Row {
    std::string_view args;
    std::string_view field;
  };
  const std::vector<Row> rows = {
      {"{defaultingType: None}", "defaultingType"},
      {"{defaultConstraints: [{topologyKey: zone, maxSkew: 1, whenUnsatisfiable: DoNotSchedule}]}",
       "defaultingType"},
      {"{defaultingType: List, defaultConstraints: [{topologyKey: zone, whenUnsatisfiable: "
       "DoNotSchedule}]}",
       "defaultConstraints[0].maxSkew"},
      {"{defaultingType: List, defaultConstraints: [{maxSkew: 1, whenUnsatisfiable: "
       "DoNotSchedule}]}",
       "defaultConstraints[0].topologyKey"},
      {"{defaultingType: List, defaultConstraints: [{maxSkew: 1, topologyKey: a, "
       "whenUnsatisfiable: Maybe}]}",
       "defaultConstraints[0].whenUnsatisfiable"},
      {"{defaultingType: List, defaultConstraints: [{maxSkew: 1, topologyKey: a, "
       "whenUnsatisfiable: DoNotSchedule, "
       "labelSelector: {}}]}",
       "defaultConstraints[0].labelSelector"},
      {"{defaultingType: List, defaultConstraints: [{maxSkew: 1, topologyKey: a, "
       "whenUnsatisfiable: DoNotSchedule}, "
       "{maxSkew: 2, topologyKey: a, whenUnsatisfiable: DoNotSchedule}]}",
       "defaultConstraints[1].topologyKey"},
  };
  for (const Row& row : rows) {
    const Trial trial({.plugin = "PodTopologySpread", .args = row.args});
    EXPECT_NE(trial.error.find(row.field), std::string::npos) << row.args << trial.error;
  }
}

TEST(PodTopologySpreadTest, IsWoken) {
  struct Row {
    std::string_view name;
    EventResource resource;
    Actions actions;
    std::string_view before;  // labels; empty: there was none
    std::string_view now;
    bool wakes;
  };
  const std::vector<Row> rows = {
      {"a chosen pod comes", EventResource::kAssignedPod, action::kAdd, "", "{app: web}", true},
      {"another comes", EventResource::kAssignedPod, action::kAdd, "", "{app: db}", false},
      {"a chosen pod goes", EventResource::kAssignedPod, action::kDelete, "{app: web}", "", true},
      {"one is chosen now", EventResource::kAssignedPod, action::kUpdatePodLabel, "{}",
       "{app: web}", true},
      {"one still is", EventResource::kAssignedPod, action::kUpdatePodLabel, "{app: web}",
       "{app: web, rank: one}", false},
      {"the pod itself is chosen no more", EventResource::kTargetPod, action::kUpdatePodLabel,
       "{app: web}", "{}", true},
      {"a node with the key comes", EventResource::kNode, action::kAdd, "", "{zone: a}", true},
      {"a node without comes", EventResource::kNode, action::kAdd, "", "{}", false},
      {"a node with the key goes", EventResource::kNode, action::kDelete, "{zone: a}", "", true},
      {"a node moves", EventResource::kNode, action::kUpdateNodeLabel, "{zone: a}", "{zone: b}",
       true},
      {"a node loses the key", EventResource::kNode, action::kUpdateNodeLabel, "{zone: a}", "{}",
       true},
      {"another label of a node", EventResource::kNode, action::kUpdateNodeLabel, "{zone: a}",
       "{zone: a, rank: one}", false},
  };
  const Trial trial({.plugin = "PodTopologySpread"});
  const PodInfoPtr pod = PodOf(
      {.spec = Constraint("topologyKey: zone, maxSkew: 1, whenUnsatisfiable: DoNotSchedule")});
  for (const Row& row : rows) {
    const auto labels = [](std::string_view text) { return text.empty() ? "{}" : text; };
    const PodInfoPtr pod_before =
        PodOf({.name = "o", .labels = labels(row.before), .spec = "{nodeName: n1}"});
    const PodInfoPtr pod_now =
        PodOf({.name = "o", .labels = labels(row.now), .spec = "{nodeName: n1}"});
    const auto node_before = NodeOf({.name = "node", .labels = labels(row.before)});
    const auto node_now = NodeOf({.name = "node", .labels = labels(row.now)});
    EventObjects objects;
    if (row.resource == EventResource::kNode) {
      objects = {.node_before = row.before.empty() ? nullptr : node_before.get(),
                 .node_now = row.now.empty() ? nullptr : node_now.get()};
    } else {
      objects = {.pod_before = row.before.empty() ? nullptr : pod_before.get(),
                 .pod_now = row.now.empty() ? nullptr : pod_now.get()};
    }
    EXPECT_EQ(trial.Wakes(pod, {.resource = row.resource, .actions = row.actions}, objects),
              row.wakes)
        << row.name;
  }
}

}  // namespace
}  // namespace quadra::scheduler
