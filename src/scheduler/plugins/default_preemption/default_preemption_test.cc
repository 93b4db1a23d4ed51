#include "scheduler/plugins/default_preemption/default_preemption.h"

#include <chrono>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "json/value.h"
#include "scheduler/devices/devices.h"
#include "scheduler/framework/cache.h"
#include "scheduler/framework/profile.h"
#include "scheduler/plugins/default_preemption/candidates.h"
#include "selector/selector.h"

namespace quadra::scheduler {
namespace {

using Texts = std::vector<std::string>;

Texts SplitAt(const std::string& text, char separator) {
  Texts parts;
  std::istringstream in(text);
  for (std::string part; std::getline(in, part, separator);) {
    const std::size_t first = part.find_first_not_of(' ');
    parts.push_back(first == std::string::npos ? "" : part.substr(first));
  }
  return parts;
}

// "NAME CPU PRIORITY START [LABEL]", e.g. "web 2 100 30 app=web": started at second 30; "-": not yet.
api::Pod PodFrom(const std::string& text, const std::string& node = "") {
  std::istringstream in(text);
  std::string name;
  std::string cpu;
  std::string start;
  std::string label;
  std::int32_t priority = 0;
  in >> name >> cpu >> priority >> start >> label;
  api::Pod pod;
  pod.metadata.ns = "default";
  pod.metadata.name = name;
  pod.metadata.uid = "uid-" + name;
  pod.spec.node_name = node;
  pod.spec.priority = priority;
  api::Container& container = pod.spec.containers.emplace_back();
  container.resources.requests["cpu"] = *quantity::Quantity::Parse(cpu);
  if (start != "-" && !start.empty()) {
    pod.status.start_time = Time(std::chrono::seconds(std::stoi(start)));
  }
  if (const std::size_t equals = label.find('='); equals != std::string::npos) {
    pod.metadata.labels[label.substr(0, equals)] = label.substr(equals + 1);
  }
  return pod;
}

// Refuses a node that has too little cpu left, and one whose name it is told.
class Room final : public Plugin, public FilterPlugin {
 public:
  std::string_view name() const override { return "Room"; }
  Status Filter(CycleState& /*state*/, const PodInfo& pod, const NodeInfo& node) const override {
    if (node.name().starts_with("closed")) {
      return {Code::kUnschedulableAndUnresolvable, "closed"};
    }
    if (node.name().starts_with("broken") && node.pods().empty()) {
      return {Code::kError, "it broke"};
    }
    const std::int64_t free = node.allocatable().milli_cpu - node.requested().milli_cpu;
    return pod.requests.milli_cpu <= free ? Status()
                                          : Status(Code::kUnschedulable, "Insufficient cpu");
  }
};

// Nodes with pods on them, and a profile with Room alone.
class PreemptionTest : public testing::Test {
 protected:
  PreemptionTest() {
    handle.budgets = [this] {
      Budgets all;
      for (const DisruptionBudget& each : budgets) {
        all.push_back(&each);
      }
      return all;
    };
    handle.nominated = [this](const std::string& /*node*/) { return nominated; };
    std::vector<WeightedPlugin> plugins;
    plugins.push_back({.plugin = std::make_unique<Room>()});
    profile = std::make_unique<Profile>("default-scheduler", std::move(plugins), handle);
    plugin = *MakeDefaultPreemption(handle, json::Value());
  }

  PodInfoPtr Info(api::Pod pod) const { return PodInfo::Of(std::move(pod), gates); }
  void AddNode(const std::string& name, int cpu, const std::string& pods) {
    api::Node node;
    node.metadata.name = name;
    node.status.allocatable["cpu"] = *quantity::Quantity::Parse(std::to_string(cpu));
    cache.PutNode(std::make_shared<const api::Node>(node));
    for (const std::string& each : SplitAt(pods, ';')) {
      cache.PutPod(Info(PodFrom(each, name)));
    }
  }
  // "LABEL ALLOWED [DISRUPTED]"
  void AddBudget(const std::string& text) {
    std::istringstream in(text);
    std::string label;
    std::string disrupted;
    DisruptionBudget budget{.ns = "default"};
    in >> label >> budget.allowed >> disrupted;
    api::LabelSelectorSpec selector;
    if (const std::size_t equals = label.find('='); equals != std::string::npos) {
      selector.match_labels[label.substr(0, equals)] = label.substr(equals + 1);
    }
    budget.selector = *LabelQuery::Of(selector);
    budget.disrupted.insert(disrupted);
    budgets.push_back(budget);
  }
  // What the filters say of each node, as a cycle asks them before preemption.
  NodeStatuses Ask(const PodInfo& pod) {
    NodeStatuses statuses;
    for (const NodeInfo* const node : cache.nodes()) {
      CycleState state;
      if (Status status = profile->RunFiltersWithNominatedPods(state, pod, *node); !status.ok()) {
        statuses.nodes.insert_or_assign(node->name(), std::move(status));
      }
    }
    return statuses;
  }
  PostFilterResult PostFilter(const PodInfo& pod) {
    CycleState state;
    return dynamic_cast<PostFilterPlugin&>(*plugin).PostFilter(state, pod, Ask(pod));
  }
  // "NODE: VICTIM VICTIM", most important first, or the message where there is none.
  std::string Preempt(const std::string& pod) {
    const PostFilterResult result = PostFilter(*Info(PodFrom(pod)));
    if (!result.plan) {
      return result.status.Message();
    }
    std::string text = result.plan->node + ":";
    for (const PreemptionPlan::Victim& victim : result.plan->victims) {
      text += " " + victim.pod.substr(victim.pod.find('/') + 1);
    }
    return text + (result.plan->violations == 0
                       ? ""
                       : fmt::format(" ({} violate budgets)", result.plan->violations));
  }

  const selector::Language language;
  const api::FeatureGates gates;
  Cache cache;
  Devices devices{language, gates};
  SeededRandom random{3};
  Handle handle{.gates = gates, .snapshot = cache, .devices = devices, .random = random};
  std::vector<DisruptionBudget> budgets;
  std::vector<PodInfoPtr> nominated;
  std::unique_ptr<Profile> profile;
  std::unique_ptr<Plugin> plugin;
};

// --- Who the victims are.

struct VictimRow {
  std::string title;
  std::string pods;     // on a node of 4 cpus
  std::string budgets;  // separated by semicolons
  std::string pod;
  std::string expected;
};

class VictimTest : public PreemptionTest, public testing::WithParamInterface<VictimRow> {};

TEST_P(VictimTest, AreChosenSo) {
  AddNode("n", 4, GetParam().pods);
  for (const std::string& each : SplitAt(GetParam().budgets, ';')) {
    AddBudget(each);
  }
  EXPECT_EQ(Preempt(GetParam().pod), GetParam().expected) << GetParam().title;
}

constexpr std::string_view kNobody =
    "preemption: 0/1 nodes are available: 1 No preemption victims found for incoming pod.";
constexpr std::string_view kNoRoom = "preemption: 0/1 nodes are available: 1 Insufficient cpu.";

const VictimRow kVictims[] = {
    {"one pod is in the way", "a 3 1 10", "", "high 2 9", "n: a"},
    {"of the same priority nobody goes", "a 3 9 10", "", "high 2 9", std::string(kNobody)},
    {"of a higher one neither", "a 3 10 10", "", "high 2 9", std::string(kNobody)},
    {"all of them would not be enough", "a 2 1 10; b 2 9 10", "", "high 3 9", std::string(kNoRoom)},
    {"only as many as it takes", "a 1 1 10; b 1 1 20; c 1 1 30; d 1 1 40", "", "high 2 9",
     "n: c d"},
    {"the lowest priority goes first", "a 2 5 90; b 2 1 10", "", "high 2 9", "n: b"},
    {"then who started last", "a 2 1 10; b 2 1 20", "", "high 2 9", "n: b"},
    {"who has not started has started last", "a 2 1 -; b 2 1 20", "", "high 2 9", "n: a"},
    {"a large important one goes where small ones are not enough", "a 3 5 10; b 1 1 10", "",
     "high 3 9", "n: a"},
    {"victims are told most important first", "a 2 1 10; b 2 5 10", "", "high 4 9", "n: b a"},
    {"priorities may be negative", "a 4 -10 10", "", "high 1 -5", "n: a"},
    {"a budget spares its pod, though it is less important", "a 2 5 10; b 2 1 10 app=x", "app=x 0",
     "high 2 9", "n: a"},
    {"a budget that still allows it spares nobody", "a 2 5 10; b 2 1 10 app=x", "app=x 1",
     "high 2 9", "n: b"},
    {"it is violated where there is no other way", "a 4 1 10 app=x", "app=x 0", "high 2 9",
     "n: a (1 violate budgets)"},
    {"who is spared violates nothing", "a 2 1 10 app=x; b 2 1 20 app=x", "app=x 0", "high 2 9",
     "n: b (1 violate budgets)"},
    {"the most important take what a budget allows", "a 2 1 10 app=x; b 2 1 20 app=x", "app=x 1",
     "high 4 9", "n: a b (1 violate budgets)"},
    {"a pod whose end is counted already violates nothing", "a 4 1 10 app=x", "app=x 0 a",
     "high 2 9", "n: a"},
    {"an empty selector is about nobody", "a 4 1 10 app=x", "all 0", "high 2 9", "n: a"},
    {"two budgets must both allow it", "a 4 1 10 app=x", "app=x 1; app=x 0", "high 2 9",
     "n: a (1 violate budgets)"},
};
INSTANTIATE_TEST_SUITE_P(Of, VictimTest, testing::ValuesIn(kVictims));

// --- On which node.

struct NodeRow {
  std::string title;
  std::vector<std::string> pods;  // on nodes n0, n1, … of 4 cpus
  std::string budgets;
  std::string expected;  // for a pod of 4 cpus and priority 9
  std::string why;
};

class PickTest : public PreemptionTest, public testing::WithParamInterface<NodeRow> {};

TEST_P(PickTest, TakesTheNode) {
  for (std::size_t i = 0; i < GetParam().pods.size(); ++i) {
    AddNode(fmt::format("n{}", i), 4, GetParam().pods[i]);
  }
  for (const std::string& each : SplitAt(GetParam().budgets, ';')) {
    AddBudget(each);
  }
  for (int i = 0; i < 5; ++i) {  // wherever the search begins
    EXPECT_EQ(Preempt("high 4 9"), GetParam().expected) << GetParam().title;
  }
  EXPECT_EQ(PostFilter(*Info(PodFrom("high 4 9"))).plan->why, GetParam().why);
}

const NodeRow kNodes[] = {
    {"the only one", {"a 4 1 10", "b 4 9 10"}, "", "n0: a", "no other node would do"},
    {"fewest violated budgets, whatever the priorities",
     {"a 4 1 10 app=x", "b 4 8 10"},
     "app=x 0",
     "n1: b",
     "it violates the fewest disruption budgets"},
    {"the lowest of the highest priorities, however many they are",
     {"a 4 5 10", "b 2 4 10; c 2 4 10"},
     "",
     "n1: b c",
     "its most important victim has the lowest priority"},
    {"the smallest sum",
     {"a 2 5 10; b 2 3 10", "c 2 5 10; d 2 2 10"},
     "",
     "n1: c d",
     "the priorities of its victims have the smallest sum"},
    {"negative priorities do not make many victims cheap",
     {"a 2 -5 10; b 2 -5 10", "c 4 -5 10"},
     "",
     "n1: c",
     "the priorities of its victims have the smallest sum"},
    {"who started last, of the most important alone",
     {"a 2 5 20; b 2 1 90", "c 2 5 30; d 2 1 10"},
     "",
     "n1: c d",
     "its most important victims started last"},
    {"the earliest of the most important counts",
     {"a 2 5 40; b 2 5 10", "c 2 5 20; d 2 5 30"},
     "",
     "n1: c d",
     "its most important victims started last"},
};
INSTANTIATE_TEST_SUITE_P(Of, PickTest, testing::ValuesIn(kNodes));

TEST_F(PreemptionTest, FewestVictimsCountWhereSumsAreEqual) {
  // 2^31 is added for each: two of the lowest priority weigh as one of 0.
  const auto pod = [&](std::int32_t priority) {
    return Info(PodFrom(fmt::format("p 1 {} 10", priority)));
  };
  const PodInfoPtr lowest = pod(std::numeric_limits<std::int32_t>::min());
  const std::vector<PreemptionCandidate> list = {
      {.node = "n0", .victims = {pod(5), lowest, lowest}},
      {.node = "n1", .victims = {pod(5), lowest}},
  };
  const Pick pick = PickCandidate(list);
  EXPECT_EQ(pick.place, 1);
  EXPECT_EQ(pick.why, "it has the fewest victims");
}

TEST_F(PreemptionTest, TheFirstIsTakenOfSeveralAsGood) {
  AddNode("n0", 4, "a 4 1 10");
  AddNode("n1", 4, "b 4 1 10");
  const PodInfoPtr pod = Info(PodFrom("high 4 9"));
  EXPECT_EQ(PostFilter(*pod).plan->why, "it is the first of several as good");
}

// --- What is said.

TEST_F(PreemptionTest, TellsHowManyVictims) {
  AddNode("n", 4, "a 2 1 10; b 2 1 20");
  const PostFilterResult result = PostFilter(*Info(PodFrom("high 4 9")));
  EXPECT_TRUE(result.status.ok());
  EXPECT_EQ(result.status.Message(),
            "preemption: found a potential placement for pod on node n, preempting 2 victims");
  EXPECT_EQ(result.nominated_node, "n");
}

TEST_F(PreemptionTest, TellsOfEachNodeWhyNot) {
  AddNode("closed-1", 4, "a 4 1 10");
  AddNode("closed-2", 4, "b 4 1 10");
  AddNode("full", 4, "c 4 9 10");
  AddNode("small", 2, "d 1 1 10");
  const PostFilterResult result = PostFilter(*Info(PodFrom("high 3 9")));
  EXPECT_EQ(result.status.code(), Code::kUnschedulable);
  EXPECT_EQ(
      result.status.Message(),
      "preemption: 0/4 nodes are available: 1 Insufficient cpu, 1 No preemption victims found "
      "for incoming pod, 2 Preemption is not helpful for scheduling.");
  EXPECT_EQ(result.nominated_node, "") << "a nomination from before is taken back";
}

TEST_F(PreemptionTest, WhatBreaksIsToldOnlyWhereNothingElseHelps) {
  AddNode("broken", 4, "a 4 1 10");
  const PostFilterResult broken = PostFilter(*Info(PodFrom("high 3 9")));
  EXPECT_EQ(broken.status.code(), Code::kError);
  EXPECT_EQ(broken.status.Message(), "preemption: running \"Room\" filter plugin: it broke");
  EXPECT_FALSE(broken.nominated_node.has_value()) << "it stays as it is";
  AddNode("n", 4, "b 4 1 10");
  EXPECT_EQ(Preempt("high 3 9"), "n: b");
}

// --- Who may preempt.

struct EligibleRow {
  std::string title;
  std::string nominated;
  bool never = false;
  bool is_terminating = false;
  std::string reason;  // of DisruptionTarget; empty: it has none
  std::int32_t victims_priority = 1;
  bool waits = false;
};

class EligibleTest : public PreemptionTest, public testing::WithParamInterface<EligibleRow> {};

// The pod is nominated to a node where another one is on its way out; a second node could be preempted.
TEST_P(EligibleTest, OrNot) {
  const EligibleRow& row = GetParam();
  api::Pod victim = PodFrom(fmt::format("victim 4 {} 10", row.victims_priority), "n");
  if (row.is_terminating) {
    victim.metadata.deletion_timestamp = Time();
  }
  if (!row.reason.empty()) {
    victim.status.conditions.push_back(
        {.type = "DisruptionTarget", .status = "True", .reason = row.reason});
  }
  AddNode("n", 4, "");
  AddNode("closed", 4, "");
  AddNode("other", 4, "b 4 0 10");
  cache.PutPod(Info(victim));
  api::Pod pod = PodFrom("high 4 9");
  pod.status.nominated_node_name = row.nominated;
  if (row.never) {
    pod.spec.preemption_policy = "Never";
  }
  const PostFilterResult result = PostFilter(*Info(pod));
  EXPECT_EQ(result.plan.has_value(), !row.waits) << row.title;
  if (row.waits) {
    EXPECT_EQ(result.status.Message(),
              row.never
                  ? "preemption: not eligible due to preemptionPolicy=Never."
                  : "preemption: not eligible due to a terminating pod on the nominated node.");
    EXPECT_EQ(result.status.code(), Code::kUnschedulable);
    EXPECT_FALSE(result.nominated_node.has_value()) << "it stays as it is";
  }
}

const EligibleRow kEligible[] = {
    {"its policy is Never", "", true, false, "", 1, true},
    {"it waits for the victim that the scheduler ends", "n", false, true, "PreemptionByScheduler",
     1, true},
    {"the victim is not on its way yet", "n", false, false, "PreemptionByScheduler", 1, false},
    {"the pod there goes for another reason", "n", false, true, "EvictionByEvictionAPI", 1, false},
    {"the pod there goes without a reason", "n", false, true, "", 1, false},
    {"the pod there is no victim of it", "n", false, true, "PreemptionByScheduler", 9, false},
    {"nothing could help on its node any more", "closed", false, true, "PreemptionByScheduler", 1,
     false},
    {"its node is gone", "gone", false, true, "PreemptionByScheduler", 1, false},
    {"it has no nomination", "", false, true, "PreemptionByScheduler", 1, false},
};
INSTANTIATE_TEST_SUITE_P(Is, EligibleTest, testing::ValuesIn(kEligible));

// --- Nominated pods.

TEST_F(PreemptionTest, LeavesTheRoomOfPodsThatAreNominatedThere) {
  AddNode("n", 4, "a 4 1 10");
  nominated = {Info(PodFrom("first 3 9"))};
  EXPECT_EQ(Preempt("high 2 9"), kNoRoom) << "one of the same priority was first";
  nominated = {Info(PodFrom("first 3 8"))};
  EXPECT_EQ(Preempt("high 2 9"), "n: a") << "one of a lower priority has to stand back";
}

// --- How many nodes are tried.

TEST(PreemptionArgumentsTest, SayHowManyCandidatesAreEnough) {
  struct Row {
    std::string args;
    std::size_t nodes;
    std::size_t enough;
  };
  const Row rows[] = {
      {"null", 50, 50},
      {"null", 100, 100},
      {"null", 500, 100},
      {"null", 2000, 200},
      {R"({"minCandidateNodesPercentage":33,"minCandidateNodesAbsolute":10})", 100, 33},
      {R"({"minCandidateNodesPercentage":33,"minCandidateNodesAbsolute":50})", 100, 50},
      {R"({"minCandidateNodesPercentage":33,"minCandidateNodesAbsolute":50})", 40, 40},
      {R"({"minCandidateNodesPercentage":0,"minCandidateNodesAbsolute":1})", 40, 1},
  };
  for (const Row& row : rows) {
    const auto read = PreemptionArguments::Read(*json::ParseValue(row.args));
    ASSERT_TRUE(read.has_value()) << row.args;
    EXPECT_EQ(read->EnoughOf(row.nodes), row.enough) << row.args << " of " << row.nodes;
  }
}

TEST(PreemptionArgumentsTest, RefusesWhatMakesNoSense) {
  struct Row {
    std::string args;
    std::string error;
  };
  const Row rows[] = {
      {R"({"minCandidateNodesPercentage":101})",
       "minCandidateNodesPercentage: must be a whole number from 0 to 100: 101"},
      {R"({"minCandidateNodesPercentage":-1})",
       "minCandidateNodesPercentage: must be a whole number from 0 to 100: -1"},
      {R"({"minCandidateNodesAbsolute":-1})",
       "minCandidateNodesAbsolute: must be a whole number from 0 to 2147483647: -1"},
      {R"({"minCandidateNodesAbsolute":"7"})",
       "minCandidateNodesAbsolute: must be a whole number from 0 to 2147483647: \"7\""},
      {R"({"minCandidateNodesPercentage":0,"minCandidateNodesAbsolute":0})",
       "minCandidateNodesPercentage: cannot be zero at the same time as minCandidateNodesAbsolute: "
       "0"},
      {R"({"minCandidates":1})", "minCandidates: there is no such argument"},
  };
  for (const Row& row : rows) {
    const auto read = PreemptionArguments::Read(*json::ParseValue(row.args));
    ASSERT_FALSE(read.has_value()) << row.args;
    EXPECT_EQ(read.error().ToString().substr(0, row.error.size()), row.error);
  }
}

TEST_F(PreemptionTest, StopsWhereEnoughNodesWouldDo) {
  for (int i = 0; i < 8; ++i) {
    AddNode(fmt::format("n{}", i), 4, fmt::format("p{} 4 1 10", i));
  }
  plugin = *MakeDefaultPreemption(
      handle,
      *json::ParseValue(R"({"minCandidateNodesPercentage":0,"minCandidateNodesAbsolute":3})"));
  EXPECT_EQ(PostFilter(*Info(PodFrom("high 4 9"))).plan->candidates, 3);
}

TEST_F(PreemptionTest, GoesOnUntilOneViolatesNoBudget) {
  for (int i = 0; i < 8; ++i) {
    AddNode(fmt::format("n{}", i), 4, fmt::format("p{} 4 1 10{}", i, i == 5 ? "" : " app=x"));
  }
  AddBudget("app=x 0");
  plugin = *MakeDefaultPreemption(
      handle,
      *json::ParseValue(R"({"minCandidateNodesPercentage":0,"minCandidateNodesAbsolute":1})"));
  for (int i = 0; i < 10; ++i) {  // wherever the search begins
    EXPECT_EQ(Preempt("high 4 9"), "n5: p5");
  }
}

}  // namespace
}  // namespace quadra::scheduler
