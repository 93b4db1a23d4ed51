#include "scheduler/framework/pod_info.h"

#include <gtest/gtest.h>

#include "scheduler/framework/worlds_for_tests.h"

namespace quadra::scheduler {
namespace {

TEST(PodInfo, WorksOutWhatThePodAsksFor) {
  const PodInfoPtr pod = PodOf(
      {.spec =
           "{priority: 7, overhead: {cpu: 10m}, containers: [{name: a, ports: [{hostPort: 80}], "
           "resources: {requests: {cpu: 100m, memory: 1Mi, ephemeral-storage: 5, "
           "example.com/b: 2, example.com/a: 1}}}, {name: b}], initContainers: [{name: i, "
           "resources: {requests: {cpu: 300m}}}]}"});
  EXPECT_EQ(pod->full_name, "default/p");
  EXPECT_EQ(pod->priority, 7);
  EXPECT_EQ(pod->requests.milli_cpu, 310);
  EXPECT_EQ(pod->requests.memory, 1024 * 1024);
  EXPECT_EQ(pod->requests.ephemeral_storage, 5);
  EXPECT_EQ(pod->requests.others, (std::vector<std::pair<std::string, std::int64_t>>{
                                      {"example.com/a", 1}, {"example.com/b", 2}}));
  EXPECT_EQ(pod->non_zero_requests.milli_cpu, 310);
  EXPECT_EQ(pod->non_zero_requests.memory, std::int64_t{201} * 1024 * 1024);
  EXPECT_TRUE(pod->non_zero_requests.others.empty());
  EXPECT_EQ(pod->ports.size(), 1U);
  EXPECT_FALSE(pod->HasAffinity());
}

// A pod with one required term of affinity to others.
PodInfoPtr Near(std::string_view term) {
  return PodOf({.spec = fmt::format("{{affinity: {{podAffinity: "
                                    "{{requiredDuringSchedulingIgnoredDuringExecution: [{}]}}}}}}",
                                    term)});
}
api::Pod Other(std::string_view ns, std::string_view labels) {
  return ObjectOf<api::Pod>(
      fmt::format("{{apiVersion: v1, kind: Pod, metadata: {{name: o, namespace: {}, labels: {}}}}}",
                  ns, labels));
}

TEST(PodInfo, ReadsTermsOfAffinity) {
  struct Row {
    std::string_view what;
    std::string_view term;
    std::string_view ns;
    bool matches;
  };
  const Row rows[] = {
      {"its own namespace", "{topologyKey: z, labelSelector: {matchLabels: {app: db}}}", "default",
       true},
      {"another one", "{topologyKey: z, labelSelector: {matchLabels: {app: db}}}", "team", false},
      {"other labels", "{topologyKey: z, labelSelector: {matchLabels: {app: web}}}", "default",
       false},
      {"namespaces by name",
       "{topologyKey: z, namespaces: [x, team], labelSelector: {matchLabels: {app: db}}}", "team",
       true},
      {"not its own then",
       "{topologyKey: z, namespaces: [x, team], labelSelector: {matchLabels: {app: db}}}",
       "default", false},
      {"namespaces by label",
       "{topologyKey: z, namespaceSelector: {matchLabels: {kind: prod}}, labelSelector: "
       "{matchLabels: {app: db}}}",
       "team", true},
      {"all namespaces",
       "{topologyKey: z, namespaceSelector: {}, labelSelector: {matchLabels: {app: db}}}", "any",
       true},
      {"no selector selects nothing", "{topologyKey: z}", "default", false},
      {"an empty one everything", "{topologyKey: z, labelSelector: {}}", "default", true},
  };
  const api::Map<std::string> prod{{"kind", "prod"}};
  for (const Row& row : rows) {
    const PodInfoPtr pod = Near(row.term);
    ASSERT_EQ(pod->required_affinity.size(), 1U) << row.what;
    EXPECT_EQ(pod->required_affinity[0].topology_key, "z");
    const api::Map<std::string>* const labels = row.ns == "team" ? &prod : nullptr;
    EXPECT_EQ(pod->required_affinity[0].Matches(Other(row.ns, "{app: db}"), labels), row.matches)
        << row.what;
  }
}

TEST(PodInfo, SaysWhichSelectorCannotBeRead) {
  const PodInfoPtr pod = Near(
      "{topologyKey: z, labelSelector: {matchExpressions: [{key: a, operator: Is, values: [b]}]}}");
  EXPECT_TRUE(pod->required_affinity.empty());
  EXPECT_EQ(pod->unreadable,
            "requiredAffinityTerms: \"Is\" is not a valid label selector operator");
}

TEST(LabelQuery, SelectsAsUpstreamsSelectors) {
  struct Row {
    std::string_view selector;
    bool none;  // matches {}
    bool db;    // {app: db}
    bool web;   // {app: web, x: z}
  };
  const Row rows[] = {
      {"{}", true, true, true},
      {"{matchLabels: {app: db}}", false, true, false},
      {"{matchExpressions: [{key: app, operator: In, values: [web, db]}]}", false, true, true},
      {"{matchExpressions: [{key: app, operator: NotIn, values: [db]}]}", true, false, true},
      {"{matchExpressions: [{key: x, operator: Exists}]}", false, false, true},
      {"{matchExpressions: [{key: x, operator: DoesNotExist}]}", true, true, false},
      {"{matchLabels: {app: web}, matchExpressions: [{key: x, operator: DoesNotExist}]}", false,
       false, false},
  };
  const api::Map<std::string> none;
  const api::Map<std::string> db{{"app", "db"}};
  const api::Map<std::string> web{{"app", "web"}, {"x", "z"}};
  for (const Row& row : rows) {
    const PodInfoPtr pod = Near(fmt::format("{{topologyKey: z, labelSelector: {}}}", row.selector));
    const LabelQuery& query = pod->required_affinity.at(0).selector;
    EXPECT_EQ(query.Matches(none), row.none) << row.selector;
    EXPECT_EQ(query.Matches(db), row.db) << row.selector;
    EXPECT_EQ(query.Matches(web), row.web) << row.selector;
    EXPECT_EQ(query.SelectsEverything(), row.selector == "{}") << row.selector;
  }
  EXPECT_TRUE(LabelQuery().SelectsNothing());
  EXPECT_FALSE(LabelQuery().Matches(none));
  LabelQuery narrowed = LabelQuery::Everything();
  narrowed.AddEquals("app", "db");
  EXPECT_TRUE(narrowed.Matches(db));
  EXPECT_FALSE(narrowed.Matches(web));
}

TEST(Amounts, AddUpByName) {
  Amounts sum{.milli_cpu = 1, .others = {{"b", 2}}};
  sum.Add({.milli_cpu = 2, .memory = 3, .others = {{"a", 1}, {"b", 1}}});
  EXPECT_EQ(sum, (Amounts{.milli_cpu = 3, .memory = 3, .others = {{"a", 1}, {"b", 3}}}));
  sum.Subtract({.memory = 1, .others = {{"a", 1}}});
  EXPECT_EQ(sum.Get("a"), 0);
  EXPECT_EQ(sum.Get("b"), 3);
  EXPECT_EQ(sum.Get("memory"), 2);
  EXPECT_EQ(sum.Get("c"), 0);
}

}  // namespace
}  // namespace quadra::scheduler
