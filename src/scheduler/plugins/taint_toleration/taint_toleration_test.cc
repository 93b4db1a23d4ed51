#include "scheduler/plugins/taint_toleration/taint_toleration.h"

#include <gtest/gtest.h>

#include "scheduler/framework/worlds_for_tests.h"

namespace quadra::scheduler {
namespace {

constexpr std::string_view kComparing = "TaintTolerationComparisonOperators=true";

PodInfoPtr Tolerant(std::string_view tolerations) {
  return PodOf({.spec = fmt::format("{{tolerations: {}}}", tolerations)});
}
std::shared_ptr<const api::Node> Tainted(std::string_view taints, std::string_view name = "node") {
  return NodeOf({.name = name, .spec = fmt::format("{{taints: {}}}", taints)});
}

TEST(TaintToleration, KeepsPodsFromTaintedNodes) {
  struct Row {
    std::string_view what;
    std::string_view pod;
    std::string_view node;
    bool fits;
    std::string_view gates = "";
  };
  const Row rows[] = {
      {"no toleration", "[]", "[{key: team, value: a, effect: NoSchedule}]", false},
      {"the same value", "[{key: team, value: a, effect: NoSchedule}]",
       "[{key: team, value: a, effect: NoSchedule}]", true},
      {"another value", "[{key: team, operator: Equal, value: b, effect: NoSchedule}]",
       "[{key: team, value: a, effect: NoSchedule}]", false},
      {"any value", "[{key: team, operator: Exists, effect: NoSchedule}]",
       "[{key: team, value: a, effect: NoSchedule}]", true},
      {"any effect", "[{key: team, operator: Equal, value: a}]",
       "[{key: team, value: a, effect: NoExecute}]", true},
      {"another effect", "[{key: team, value: a, effect: PreferNoSchedule}]",
       "[{key: team, value: a, effect: NoSchedule}]", false},
      {"everything", "[{operator: Exists}]",
       "[{key: team, effect: NoSchedule}, {key: x, effect: NoExecute}]", true},
      {"one of two", "[{key: team, operator: Exists}]",
       "[{key: team, effect: NoSchedule}, {key: x, effect: NoExecute}]", false},
      {"what is only preferred does not matter", "[]",
       "[{key: team, value: a, effect: PreferNoSchedule}]", true},
      {"more than", "[{key: sla, operator: Gt, value: '950', effect: NoSchedule}]",
       "[{key: sla, value: '999', effect: NoSchedule}]", true, kComparing},
      {"not more than", "[{key: sla, operator: Gt, value: '950', effect: NoSchedule}]",
       "[{key: sla, value: '950', effect: NoSchedule}]", false, kComparing},
      {"less than", "[{key: sla, operator: Lt, value: '950', effect: NoSchedule}]",
       "[{key: sla, value: '800', effect: NoSchedule}]", true, kComparing},
      {"no number", "[{key: sla, operator: Lt, value: '950', effect: NoSchedule}]",
       "[{key: sla, value: high, effect: NoSchedule}]", false, kComparing},
      {"comparisons are off", "[{key: sla, operator: Gt, value: '950', effect: NoSchedule}]",
       "[{key: sla, value: '999', effect: NoSchedule}]", false,
       "TaintTolerationComparisonOperators=false"},
  };
  for (const Row& row : rows) {
    Trial trial({.plugin = "TaintToleration", .gates = row.gates});
    trial.Put(Tainted(row.node));
    EXPECT_EQ(
        trial.Filter(Tolerant(row.pod), "node"),
        row.fits ? "Success" : "UnschedulableAndUnresolvable: node(s) had untolerated taint(s)")
        << row.what;
  }
}

TEST(TaintToleration, PrefersNodesWithFewIntolerableTaints) {
  struct Row {
    std::string_view what;
    std::string_view pod;
    std::string_view a;
    std::string_view b;
    std::string_view c;
    std::string_view scores;
  };
  constexpr std::string_view kOne = "[{key: cpu, value: arm, effect: PreferNoSchedule}]";
  constexpr std::string_view kTwo =
      "[{key: cpu, value: arm, effect: PreferNoSchedule}, {key: disk, value: ssd, effect: "
      "PreferNoSchedule}]";
  const Row rows[] = {
      {"tolerated ones do not count",
       "[{key: cpu, value: arm, effect: PreferNoSchedule}, {key: disk, value: ssd}]", "[]", kOne,
       kTwo, "a=100 b=100 c=100"},
      {"the more, the worse", "[]", "[]", kOne, kTwo, "a=100 b=50 c=0"},
      {"the value counts", "[{key: cpu, value: x86, effect: PreferNoSchedule}]", "[]", kOne, kTwo,
       "a=100 b=50 c=0"},
      {"other effects do not", "[{key: cpu, value: arm, effect: NoSchedule}]",
       "[{key: cpu, value: arm, effect: NoSchedule}]", "[]", kTwo, "a=100 b=100 c=0"},
      {"all the same", "[]", kOne, kOne, kOne, "a=0 b=0 c=0"},
  };
  for (const Row& row : rows) {
    Trial trial({.plugin = "TaintToleration"});
    trial.Put(Tainted(row.a, "a"));
    trial.Put(Tainted(row.b, "b"));
    trial.Put(Tainted(row.c, "c"));
    EXPECT_EQ(trial.Scores(Tolerant(row.pod)), row.scores) << row.what;
  }
}

TEST(TaintToleration, WaitsForTaintsToGo) {
  constexpr std::string_view kTaint = "[{key: team, value: a, effect: NoSchedule}]";
  constexpr std::string_view kOther = "[{key: team, value: b, effect: NoSchedule}]";
  constexpr std::string_view kSoft = "[{key: team, value: b, effect: PreferNoSchedule}]";
  struct Row {
    std::string_view what;
    std::string_view before;  // empty: a new node
    std::string_view now;
    bool wakes;
  };
  const Row rows[] = {
      {"new, without", "", "[]", true},
      {"new, tolerated", "", kTaint, true},
      {"new, not tolerated", "", kOther, false},
      {"gone", kOther, "[]", true},
      {"came", "[]", kOther, false},
      {"became tolerable", kOther, kTaint, true},
      {"became soft", kOther, kSoft, true},
      {"was none of ours", kTaint, "[]", false},
  };
  const Trial trial({.plugin = "TaintToleration"});
  const PodInfoPtr pod = Tolerant(kTaint);
  for (const Row& row : rows) {
    const auto before = Tainted(row.before.empty() ? "[]" : row.before);
    const auto now = Tainted(row.now);
    const bool is_new = row.before.empty();
    EXPECT_EQ(trial.Wakes(
                  pod, {EventResource::kNode, is_new ? action::kAdd : action::kUpdateNodeTaint, {}},
                  {.node_before = is_new ? nullptr : before.get(), .node_now = now.get()}),
              row.wakes)
        << row.what;
  }
  EXPECT_TRUE(trial.Wakes(pod, {EventResource::kTargetPod, action::kUpdatePodToleration, {}},
                          {.pod_before = pod.get(), .pod_now = pod.get()}));
}

}  // namespace
}  // namespace quadra::scheduler
