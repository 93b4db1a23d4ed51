#include "scheduler/plugins/node_affinity/node_affinity.h"

#include <gtest/gtest.h>

#include "scheduler/framework/worlds_for_tests.h"

namespace quadra::scheduler {
namespace {

constexpr std::string_view kNotSelected =
    "UnschedulableAndUnresolvable: node(s) didn't match Pod's node affinity/selector";

std::string Required(std::string_view terms) {
  return fmt::format(
      "{{requiredDuringSchedulingIgnoredDuringExecution: {{nodeSelectorTerms: {}}}}}", terms);
}
std::string Preferred(std::string_view terms) {
  return fmt::format("{{preferredDuringSchedulingIgnoredDuringExecution: {}}}", terms);
}
std::string PodWith(std::string_view affinity, std::string_view more = "") {
  return fmt::format("{{affinity: {{nodeAffinity: {}}}{}}}", affinity, more);
}
// A term of requirements {key: …, operator: …, values: […]}.
std::string Labels(std::string_view requirements) {
  return fmt::format("{{matchExpressions: [{}]}}", requirements);
}
std::string Named(std::string_view names, std::string_view more = "") {
  return fmt::format("{{matchFields: [{{key: metadata.name, operator: In, values: [{}]}}]{}}}",
                     names, more);
}

TEST(NodeAffinity, SelectsNodes) {
  struct Row {
    std::string_view what;
    std::string pod;
    std::string_view labels;
    std::string_view told;
  };
  const std::string zones = Labels("{key: zone, operator: In, values: [a, b]}");
  const Row rows[] = {
      {"a label is missing", "{nodeSelector: {zone: a}}", "{}", kNotSelected},
      {"it is there", "{nodeSelector: {zone: a}}", "{zone: a, disk: ssd}", "Success"},
      {"one of two", "{nodeSelector: {zone: a, disk: ssd}}", "{zone: a}", kNotSelected},
      {"one of the values", PodWith(Required(fmt::format("[{}]", zones))), "{zone: b}", "Success"},
      {"none of the values", PodWith(Required(fmt::format("[{}]", zones))), "{zone: c}",
       kNotSelected},
      {"more than",
       PodWith(Required("[{matchExpressions: [{key: v, operator: Gt, values: "
                        "['3']}]}]")),
       "{v: '4'}", "Success"},
      {"not in",
       PodWith(Required("[{matchExpressions: [{key: zone, operator: NotIn, values: "
                        "[b]}]}]")),
       "{zone: a}", "Success"},
      {"exists", PodWith(Required("[{matchExpressions: [{key: zone, operator: Exists}]}]")),
       "{zone: a}", "Success"},
      {"all requirements of a term",
       PodWith(Required("[{matchExpressions: [{key: zone, operator: Exists}, {key: disk, operator: "
                        "Exists}]}]")),
       "{zone: a}", kNotSelected},
      {"any term",
       PodWith(Required("[{matchExpressions: [{key: disk, operator: Exists}]}, {matchExpressions: "
                        "[{key: zone, operator: Exists}]}]")),
       "{zone: a}", "Success"},
      {"a term that requires nothing selects nothing", PodWith(Required("[{}]")), "{}",
       kNotSelected},
      {"both selector and affinity",
       PodWith(Required(fmt::format("[{}]", zones)), ", nodeSelector: {disk: ssd}"), "{zone: a}",
       kNotSelected},
      {"by name", PodWith(Required(fmt::format("[{}]", Named("node")))), "{}", "Success"},
      {"by name and label",
       PodWith(Required(fmt::format(
           "[{}]", Named("node", ", matchExpressions: [{key: zone, operator: Exists}]")))),
       "{}", kNotSelected},
  };
  for (const Row& row : rows) {
    Trial trial({.plugin = "NodeAffinity"});
    trial.Put(NodeOf({.labels = row.labels}));
    EXPECT_EQ(trial.Filter(PodOf({.spec = row.pod}), "node"), row.told) << row.what;
  }
}

TEST(NodeAffinity, LooksAtNamedNodesAlone) {
  struct Row {
    std::string_view what;
    std::string pod;
    std::string_view told;
  };
  const std::string two = "{key: metadata.name, operator: In, values: ";
  const Row rows[] = {
      {"nothing to do", "{}", "Skip"},
      {"preferences do not filter", PodWith(Preferred("[{weight: 1, preference: {}}]")), "Skip"},
      {"a selector names no node", "{nodeSelector: {zone: a}}", "Success"},
      {"no terms", PodWith(Required("[]")), "Success"},
      {"one name", PodWith(Required(fmt::format("[{}]", Named("b, a, b")))), "Success a b"},
      {"names of two terms", PodWith(Required(fmt::format("[{}, {}]", Named("a"), Named("b")))),
       "Success a b"},
      {"one term names none",
       PodWith(
           Required(fmt::format("[{}, {}]", Named("a"), Labels("{key: zone, operator: Exists}")))),
       "Success"},
      {"both of a term",
       PodWith(Required(fmt::format("[{{matchFields: [{0}[a, b]}}, {0}[b, c]}}]}}]", two))),
       "Success b"},
      {"which contradict each other",
       PodWith(Required(fmt::format("[{{matchFields: [{0}[a]}}, {0}[b]}}]}}]", two))),
       "UnschedulableAndUnresolvable: pod affinity terms conflict"},
      {"not this one",
       PodWith(Required("[{matchFields: [{key: metadata.name, operator: NotIn, values: [a]}]}]")),
       "Success"},
  };
  const Trial trial({.plugin = "NodeAffinity"});
  for (const Row& row : rows) {
    EXPECT_EQ(trial.PreFilter(PodOf({.spec = row.pod})), row.told) << row.what;
  }
}

TEST(NodeAffinity, AddsWhatTheConfigurationRequires) {
  const std::string args = fmt::format(
      "{{addedAffinity: {}}}", Required("[{matchExpressions: [{key: zone, operator: Exists}]}]"));
  struct Row {
    std::string_view labels;
    std::string_view pod;
    std::string_view told;
  };
  const Row rows[] = {
      {"{zone: a}", "{}", "Success"},
      {"{}", "{}",
       "UnschedulableAndUnresolvable: node(s) didn't match scheduler-enforced node affinity"},
      {"{zone: a}", "{nodeSelector: {disk: ssd}}", kNotSelected},
      {"{zone: a, disk: ssd}", "{nodeSelector: {disk: ssd}}", "Success"},
  };
  for (const Row& row : rows) {
    Trial trial({.plugin = "NodeAffinity", .args = args});
    ASSERT_EQ(trial.error, "");
    trial.Put(NodeOf({.labels = row.labels}));
    EXPECT_EQ(trial.Filter(PodOf({.spec = row.pod}), "node"), row.told) << row.labels << row.pod;
  }
}

constexpr std::string_view kWeighed =
    "[{weight: 2, preference: {matchExpressions: [{key: foo, operator: In, values: [bar]}]}}, "
    "{weight: 4, preference: {matchExpressions: [{key: key, operator: In, values: [value]}]}}, "
    "{weight: 5, preference: {matchExpressions: [{key: foo, operator: In, values: [bar]}, {key: "
    "key, operator: In, values: [value]}, {key: az, operator: In, values: [az1]}]}}]";

TEST(NodeAffinity, PrefersByWeight) {
  struct Row {
    std::string_view what;
    std::string args;
    std::string pod;
    std::string_view scores;
  };
  const std::string added = fmt::format(
      "{{addedAffinity: {}}}",
      Preferred("[{weight: 6, preference: {matchExpressions: [{key: az, operator: Exists}]}}]"));
  const Row rows[] = {
      {"nothing to prefer", "{}", "{}", ""},
      {"weights add up", "{}", PodWith(Preferred(kWeighed)), "a=18 b=36 c=100"},
      {"nobody has it", "{}",
       PodWith(Preferred("[{weight: 1, preference: {matchExpressions: [{key: missing, operator: "
                         "Exists}]}}]")),
       "a=0 b=0 c=0"},
      {"what requires nothing prefers nothing", "{}",
       PodWith(Preferred("[{weight: 1, preference: {}}]")), "a=0 b=0 c=0"},
      {"the configuration's too", added, "{}", "a=0 b=0 c=100"},
      {"beside the pod's", added, PodWith(Preferred(kWeighed)), "a=11 b=23 c=100"},
  };
  for (const Row& row : rows) {
    Trial trial({.plugin = "NodeAffinity", .args = row.args});
    ASSERT_EQ(trial.error, "");
    trial.Put(NodeOf({.name = "a", .labels = "{foo: bar}"}));
    trial.Put(NodeOf({.name = "b", .labels = "{key: value}"}));
    trial.Put(NodeOf({.name = "c", .labels = "{foo: bar, key: value, az: az1}"}));
    EXPECT_EQ(trial.Scores(PodOf({.spec = row.pod})), row.scores) << row.what;
  }
}

TEST(NodeAffinity, RefusesAddedAffinityThatMakesNoSense) {
  struct Row {
    std::string affinity;
    std::string_view error;
  };
  const Row rows[] = {
      {"{required: {}}", "addedAffinity: "},
      {Required("[{matchExpressions: [{key: a, operator: Is, values: [b]}]}]"),
       "addedAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[0]."
       "matchExpressions[0]: operator must be In"},
      {Required("[{matchExpressions: [{key: a, operator: In}]}]"), "In and NotIn need values: a"},
      {Required("[{matchExpressions: [{key: a, operator: Exists, values: [b]}]}]"),
       "Exists and DoesNotExist have no values"},
      {Required("[{matchExpressions: [{key: a, operator: Gt, values: [b]}]}]"),
       "Gt and Lt need one whole number"},
      {Preferred("[{weight: 1, preference: {matchFields: [{key: metadata.uid, operator: In, "
                 "values: [b]}]}}]"),
       "addedAffinity.preferredDuringSchedulingIgnoredDuringExecution[0].preference."
       "matchFields[0]: metadata.name is the only field"},
  };
  for (const Row& row : rows) {
    const std::string error = Trial({.plugin = "NodeAffinity",
                                     .args = fmt::format("{{addedAffinity: {}}}", row.affinity)})
                                  .error;
    EXPECT_NE(error.find(row.error), std::string::npos) << row.affinity << "\n" << error;
  }
}

TEST(NodeAffinity, WaitsForNodesThatItSelects) {
  const std::string args = fmt::format(
      "{{addedAffinity: {}}}", Required("[{matchExpressions: [{key: zone, operator: Exists}]}]"));
  struct Row {
    std::string_view what;
    std::string_view before;  // empty: a new node
    std::string_view now;
    bool wakes;
  };
  const Row rows[] = {
      {"new, and selected", "", "{zone: a, disk: ssd}", true},
      {"new, and not selected", "", "{zone: a}", false},
      {"new, and none of the configuration's", "", "{disk: ssd}", false},
      {"selected from now on", "{zone: a}", "{zone: a, disk: ssd}", true},
      {"selected before", "{zone: a, disk: ssd}", "{zone: b, disk: ssd}", false},
      {"no longer selected", "{zone: a, disk: ssd}", "{zone: a}", false},
  };
  const Trial trial({.plugin = "NodeAffinity", .args = args});
  const PodInfoPtr pod = PodOf({.spec = "{nodeSelector: {disk: ssd}}"});
  for (const Row& row : rows) {
    const bool is_new = row.before.empty();
    const auto before = NodeOf({.labels = is_new ? "{}" : row.before});
    const auto now = NodeOf({.labels = row.now});
    EXPECT_EQ(trial.Wakes(
                  pod, {EventResource::kNode, is_new ? action::kAdd : action::kUpdateNodeLabel, {}},
                  {.node_before = is_new ? nullptr : before.get(), .node_now = now.get()}),
              row.wakes)
        << row.what;
  }
}

}  // namespace
}  // namespace quadra::scheduler
