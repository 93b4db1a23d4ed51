#include "scheduler/plugins/registry.h"

#include <gtest/gtest.h>

#include "scheduler/framework/worlds_for_tests.h"

namespace quadra::scheduler {
namespace {

TEST(Registry, AnswersToTheNamesItLists) {
  for (const PluginRow& row : AllPlugins()) {
    const Trial trial({.plugin = row.name});
    ASSERT_EQ(trial.error, "");
    EXPECT_EQ(trial.plugin().name(), row.name);
  }
  EXPECT_EQ(FindPlugin("NodeNames"), nullptr);
}

// As kube-scheduler's default profile of 1.37, as far as its plugins are here.
TEST(Registry, IsInUpstreamsOrderWithUpstreamsWeights) {
  constexpr std::pair<std::string_view, std::int64_t> kUpstream[] = {
      {"SchedulingGates", 1},
      {"PrioritySort", 1},
      {"NodeName", 1},
      {"NodeUnschedulable", 1},
      {"TaintToleration", 3},
      {"NodeAffinity", 2},
      {"NodePorts", 1},
      {"NodeResourcesFit", 1},
      {"PodTopologySpread", 2},
      {"InterPodAffinity", 2},
      {"DynamicResources", 2},
      {"DefaultPreemption", 1},
      {"NodeResourcesBalancedAllocation", 1},
      {"ImageLocality", 1},
      {"DefaultBinder", 1},
      {"NodeDeclaredFeatures", 1},
  };
  std::vector<std::pair<std::string_view, std::int64_t>> ours;
  for (const PluginRow& row : AllPlugins()) {
    if (row.name != "NotModelled") {  // in the place of those for volumes
      ours.emplace_back(row.name, row.weight);
    }
  }
  std::vector<std::pair<std::string_view, std::int64_t>> theirs;
  for (const auto& each : kUpstream) {
    if (FindPlugin(each.first) != nullptr) {
      theirs.push_back(each);
    }
  }
  EXPECT_EQ(ours, theirs);
}

TEST(Registry, RefusesArgumentsThatAPluginHasNot) {
  struct Row {
    std::string_view args;
    std::string_view error;
  };
  const Row rows[] = {
      {"{}", ""},
      {"{apiVersion: kubescheduler.config.k8s.io/v1}", ""},
      {"{apiVersion: kubescheduler.config.k8s.io/v1beta3}",
       "pluginConfig NodeName.apiVersion: is not kubescheduler.config.k8s.io/v1, the version read "
       "here: \"kubescheduler.config.k8s.io/v1beta3\""},
      {"{kind: NodeNameArgs}",
       "pluginConfig NodeName.kind: the plugin takes no arguments: \"NodeNameArgs\""},
      {"{strict: true}", "pluginConfig NodeName.strict: there is no such argument: true"},
  };
  for (const Row& row : rows) {
    EXPECT_EQ(Trial({.plugin = "NodeName", .args = row.args}).error, row.error) << row.args;
  }
}

}  // namespace
}  // namespace quadra::scheduler
