#include "scheduler/plugins/inter_pod_affinity/inter_pod_affinity.h"

#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "scheduler/framework/worlds_for_tests.h"

namespace quadra::scheduler {
namespace {

// web runs on n1 (zone a), db on n2 (zone a); n3 is in zone b, n4 in none.
void PutFourNodes(Trial& trial) {
  trial.Put(NodeOf({.name = "n1", .labels = "{zone: a, host: n1}"}));
  trial.Put(NodeOf({.name = "n2", .labels = "{zone: a, host: n2}"}));
  trial.Put(NodeOf({.name = "n3", .labels = "{zone: b, host: n3}"}));
  trial.Put(NodeOf({.name = "n4", .labels = "{host: n4}"}));
}

std::string Term(std::string_view app, std::string_view key) {
  return fmt::format("{{labelSelector: {{matchLabels: {{app: {}}}}}, topologyKey: {}}}", app, key);
}

std::string Required(std::string_view kind, const std::string& terms) {
  return fmt::format(
      "{{affinity: {{{}: {{requiredDuringSchedulingIgnoredDuringExecution: [{}]}}}}}}", kind,
      terms);
}

std::string Preferred(std::string_view kind, int weight, const std::string& term) {
  return fmt::format(
      "{{affinity: {{{}: {{preferredDuringSchedulingIgnoredDuringExecution: [{{weight: {}, "
      "podAffinityTerm: {}}}]}}}}}}",
      kind, weight, term);
}

std::string On(std::string_view node, std::string_view spec) {
  return fmt::format("{{nodeName: {}{}", node,
                     spec == "{}" ? std::string("}") : fmt::format(", {}", spec.substr(1)));
}

constexpr std::string_view kNotNear =
    "UnschedulableAndUnresolvable: node(s) didn't match pod affinity rules";
constexpr std::string_view kTooNear = "Unschedulable: node(s) didn't match pod anti-affinity rules";
constexpr std::string_view kUnwilling =
    "Unschedulable: node(s) didn't satisfy existing pods anti-affinity rules";

TEST(InterPodAffinityTest, Filters) {
  struct Row {
    std::string_view name;
    std::string spec;
    std::string_view labels;
    std::vector<std::string_view> verdicts;  // of n1 to n4
  };
  const std::vector<Row> rows = {
      {"near a pod in its zone",
       Required("podAffinity", Term("web", "zone")),
       "{}",
       {"Success", "Success", kNotNear, kNotNear}},
      {"near a pod on its host",
       Required("podAffinity", Term("web", "host")),
       "{}",
       {"Success", kNotNear, kNotNear, kNotNear}},
      {"near one pod that all terms choose",
       Required("podAffinity", Term("web", "zone") + ", " + Term("db", "host")),
       "{}",
       {kNotNear, kNotNear, kNotNear, kNotNear}},
      {"the first of its kind goes anywhere that has the key",
       Required("podAffinity", Term("new", "zone")),
       "{app: new}",
       {"Success", "Success", "Success", kNotNear}},
      {"away from a zone",
       Required("podAntiAffinity", Term("web", "zone")),
       "{}",
       {kTooNear, kTooNear, "Success", "Success"}},
      {"away from a host",
       Required("podAntiAffinity", Term("web", "host")),
       "{}",
       {kTooNear, "Success", "Success", "Success"}},
      {"an existing pod will not have it near",
       "{}",
       "{app: rival}",
       {"Success", kUnwilling, "Success", "Success"}},
      {"affinity is told of first",
       Required("podAffinity", Term("web", "host")),
       "{app: rival}",
       {"Success", kNotNear, kNotNear, kNotNear}},
  };
  for (const Row& row : rows) {
    Trial trial({.plugin = "InterPodAffinity"});
    PutFourNodes(trial);
    trial.Put(PodOf({.name = "web", .labels = "{app: web}", .spec = "{nodeName: n1}"}));
    trial.Put(PodOf({.name = "db",
                     .labels = "{app: db}",
                     .spec = On("n2", Required("podAntiAffinity", Term("rival", "host")))}));
    const PodInfoPtr pod = PodOf({.name = "p", .labels = row.labels, .spec = row.spec});
    for (int i = 0; i < 4; ++i) {
      EXPECT_EQ(trial.Filter(pod, fmt::format("n{}", i + 1)), row.verdicts[i]) << row.name << i;
    }
  }
}

TEST(InterPodAffinityTest, SkipsPodsThatNobodyMinds) {
  Trial trial({.plugin = "InterPodAffinity"});
  PutFourNodes(trial);
  EXPECT_EQ(trial.PreFilter(PodOf({})), "Skip");
  trial.Put(
      PodOf({.name = "db", .spec = On("n2", Required("podAntiAffinity", Term("rival", "host")))}));
  EXPECT_EQ(trial.PreFilter(PodOf({.labels = "{app: web}"})), "Skip");
  EXPECT_EQ(trial.PreFilter(PodOf({.labels = "{app: rival}"})), "Success");
}

TEST(InterPodAffinityTest, FailsPodsWithTermsThatCannotBeRead) {
  Trial trial({.plugin = "InterPodAffinity"});
  const std::string odd =
      "{labelSelector: {matchExpressions: [{key: a, operator: Near}]}, topologyKey: zone}";
  EXPECT_EQ(
      trial.PreFilter(PodOf({.spec = Required("podAffinity", odd)})),
      "UnschedulableAndUnresolvable: parsing pod: requiredAffinityTerms: \"Near\" is not a valid "
      "label selector operator");
}

TEST(InterPodAffinityTest, ChoosesNamespaces) {
  struct Row {
    std::string_view name;
    std::string_view namespaces;  // members of the term
    std::string_view verdict;     // of n1
  };
  const std::vector<Row> rows = {
      {"its own where the term names none", "", kNotNear},
      {"by name", "namespaces: [other], ", "Success"},
      {"by labels", "namespaceSelector: {matchLabels: {team: b}}, ", "Success"},
      {"by labels that it has not", "namespaceSelector: {matchLabels: {team: c}}, ", kNotNear},
      {"all of them", "namespaceSelector: {}, ", "Success"},
      {"a namespace that is not known is not chosen",
       "namespaceSelector: {matchExpressions: [{key: team, operator: NotIn, values: [b]}]}, ",
       kNotNear},
  };
  for (const Row& row : rows) {
    Trial trial({.plugin = "InterPodAffinity"});
    PutFourNodes(trial);
    trial.cache.PutNamespace("default", {});
    trial.cache.PutNamespace("other", {{"team", "b"}});
    api::Pod elsewhere =
        PodOf({.name = "web", .labels = "{app: web}", .spec = "{nodeName: n1}"})->pod;
    elsewhere.metadata.ns = "other";
    trial.Put(PodInfo::Of(elsewhere, api::FeatureGates()));
    elsewhere.metadata.ns = "unknown";
    elsewhere.metadata.uid = "unknown";
    trial.Put(PodInfo::Of(elsewhere, api::FeatureGates()));
    const std::string term = fmt::format(
        "{{{}labelSelector: {{matchLabels: {{app: web}}}}, topologyKey: zone}}", row.namespaces);
    EXPECT_EQ(trial.Filter(PodOf({.spec = Required("podAffinity", term)}), "n1"), row.verdict)
        << row.name;
  }
}

TEST(InterPodAffinityTest, CountsPodsThatAreImaginedToComeAndGo) {
  Trial trial({.plugin = "InterPodAffinity"});
  PutFourNodes(trial);
  const PodInfoPtr web = PodOf({.name = "web", .labels = "{app: web}", .spec = "{nodeName: n1}"});
  trial.Put(web);
  const PodInfoPtr pod =
      PodOf({.labels = "{app: rival}", .spec = Required("podAntiAffinity", Term("web", "zone"))});
  const PodInfoPtr guard = PodOf(
      {.name = "guard", .spec = On("n3", Required("podAntiAffinity", Term("rival", "zone")))});
  const auto& plugin = dynamic_cast<const InterPodAffinity&>(trial.plugin());
  const NodeInfo& n1 = *trial.cache.Find("n1");
  const NodeInfo& n3 = *trial.cache.Find("n3");
  CycleState state;
  ASSERT_TRUE(plugin.PreFilter(state, *pod).status.ok());
  EXPECT_EQ(TextOf(plugin.Filter(state, *pod, n1)), kTooNear);
  CycleState trial_state = state.Clone();
  ASSERT_TRUE(plugin.RemovePod(trial_state, *pod, *web, n1).ok());
  EXPECT_TRUE(plugin.Filter(trial_state, *pod, n1).ok());
  ASSERT_TRUE(plugin.AddPod(trial_state, *pod, *guard, n3).ok());
  EXPECT_EQ(TextOf(plugin.Filter(trial_state, *pod, n3)), kUnwilling);
  ASSERT_TRUE(plugin.AddPod(trial_state, *pod, *web, n1).ok());
  EXPECT_EQ(TextOf(plugin.Filter(trial_state, *pod, n1)), kTooNear);
  EXPECT_TRUE(plugin.Filter(state, *pod, n3).ok()) << "the trial is apart";
}

TEST(InterPodAffinityTest, Scores) {
  struct Row {
    std::string_view name;
    std::string spec;
    std::string_view labels;
    std::string_view args;
    std::string_view scores;
  };
  const std::vector<Row> rows = {
      {"nobody prefers anything", "{}", "{}", "{hardPodAffinityWeight: 0}", ""},
      {"near a host", Preferred("podAffinity", 10, Term("web", "host")), "{}",
       "{hardPodAffinityWeight: 0}", "n1=100 n2=0 n3=0 n4=0"},
      {"away from a zone", Preferred("podAntiAffinity", 10, Term("web", "zone")), "{}",
       "{hardPodAffinityWeight: 0}", "n1=0 n2=0 n3=100 n4=100"},
      {"existing pods prefer it near", "{}", "{app: friend}", "{}", "n1=0 n2=100 n3=0 n4=0"},
      {"their required terms count one", "{}", "{app: needed}", "{}", "n1=0 n2=0 n3=100 n4=0"},
      {"or what the arguments say", "{}", "{app: needed}", "{hardPodAffinityWeight: 0}", ""},
      {"they may be ignored", "{}", "{app: friend}", "{ignorePreferredTermsOfExistingPods: true}",
       ""},
      {"but not where the pod prefers too", Preferred("podAffinity", 5, Term("web", "host")),
       "{app: friend}", "{ignorePreferredTermsOfExistingPods: true}", "n1=50 n2=100 n3=0 n4=0"},
  };
  for (const Row& row : rows) {
    Trial trial({.plugin = "InterPodAffinity", .args = row.args});
    PutFourNodes(trial);
    trial.Put(PodOf({.name = "web", .labels = "{app: web}", .spec = "{nodeName: n1}"}));
    trial.Put(PodOf(
        {.name = "db", .spec = On("n2", Preferred("podAffinity", 10, Term("friend", "host")))}));
    trial.Put(PodOf(
        {.name = "needy", .spec = On("n3", Required("podAffinity", Term("needed", "host")))}));
    EXPECT_EQ(trial.Scores(PodOf({.labels = row.labels, .spec = row.spec})), row.scores)
        << row.name;
  }
}

TEST(InterPodAffinityTest, RefusesArguments) {
  EXPECT_NE(Trial({.plugin = "InterPodAffinity", .args = "{hardPodAffinityWeight: 101}"})
                .error.find("hardPodAffinityWeight"),
            std::string::npos);
  EXPECT_NE(
      Trial({.plugin = "InterPodAffinity", .args = "{hardWeight: 1}"}).error.find("hardWeight"),
      std::string::npos);
}

TEST(InterPodAffinityTest, IsWokenByPods) {
  struct Row {
    std::string_view name;
    std::string_view before;  // labels of the other pod; empty: it comes or goes
    std::string_view now;
    bool wakes;
  };
  const std::vector<Row> rows = {
      {"one to be near comes", "", "{app: web}", true},
      {"another comes", "", "{app: db}", false},
      {"one to keep away from goes", "{app: db}", "", true},
      {"another goes", "{app: web}", "", false},
      {"one becomes one to be near", "{app: other}", "{app: web}", true},
      {"one is none any more", "{app: web}", "{app: other}", false},
      {"one is none to keep away from any more", "{app: db}", "{app: other}", true},
  };
  const Trial trial({.plugin = "InterPodAffinity"});
  const PodInfoPtr pod = PodOf(
      {.spec = fmt::format(
           "{{affinity: {{podAffinity: {{requiredDuringSchedulingIgnoredDuringExecution: [{}]}}, "
           "podAntiAffinity: {{requiredDuringSchedulingIgnoredDuringExecution: [{}]}}}}}}",
           Term("web", "zone"), Term("db", "zone"))});
  for (const Row& row : rows) {
    const PodInfoPtr before = PodOf(
        {.name = "o", .labels = row.before.empty() ? "{}" : row.before, .spec = "{nodeName: n1}"});
    const PodInfoPtr now =
        PodOf({.name = "o", .labels = row.now.empty() ? "{}" : row.now, .spec = "{nodeName: n1}"});
    const Actions actions = row.before.empty() ? action::kAdd
                            : row.now.empty()  ? action::kDelete
                                               : action::kUpdatePodLabel;
    EXPECT_EQ(trial.Wakes(pod, {.resource = EventResource::kAssignedPod, .actions = actions},
                          {.pod_before = row.before.empty() ? nullptr : before.get(),
                           .pod_now = row.now.empty() ? nullptr : now.get()}),
              row.wakes)
        << row.name;
  }
}

TEST(InterPodAffinityTest, IsWokenByNodes) {
  struct Row {
    std::string_view name;
    std::string kind;
    std::string_view before;  // labels; empty: it comes
    std::string_view now;
    bool wakes;
  };
  const std::vector<Row> rows = {
      {"one with the key comes", "podAffinity", "", "{zone: a}", true},
      {"one without comes", "podAffinity", "", "{}", false},
      {"one gets the key", "podAffinity", "{}", "{zone: a}", true},
      {"one moves", "podAffinity", "{zone: b}", "{zone: a}", true},
      {"one loses the key", "podAffinity", "{zone: b}", "{}", false},
      {"any may be one to keep away on", "podAntiAffinity", "", "{}", true},
      {"one leaves the zone", "podAntiAffinity", "{zone: b}", "{}", true},
      {"one enters it", "podAntiAffinity", "{}", "{zone: b}", false},
  };
  const Trial trial({.plugin = "InterPodAffinity"});
  for (const Row& row : rows) {
    const PodInfoPtr pod = PodOf({.spec = Required(row.kind, Term("web", "zone"))});
    const auto before = NodeOf({.name = "node", .labels = row.before.empty() ? "{}" : row.before});
    const auto now = NodeOf({.name = "node", .labels = row.now});
    EXPECT_EQ(trial.Wakes(pod,
                          {.resource = EventResource::kNode,
                           .actions = row.before.empty() ? action::kAdd : action::kUpdateNodeLabel},
                          {.node_before = row.before.empty() ? nullptr : before.get(),
                           .node_now = now.get()}),
              row.wakes)
        << row.name;
  }
}

}  // namespace
}  // namespace quadra::scheduler
