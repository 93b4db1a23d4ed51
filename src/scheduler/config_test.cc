#include "scheduler/config.h"

#include <algorithm>
#include <string>

#include <gtest/gtest.h>

namespace quadra::scheduler {
namespace {

Result<SchedulerConfig> Read(std::string_view rest) {
  return ReadConfig(
      "apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\n" +
      std::string(rest));
}

const PluginChoice* PluginIn(const SchedulerConfig& config, std::string_view name) {
  const auto& plugins = config.profiles.front().plugins;
  const auto found = std::ranges::find(plugins, name, &PluginChoice::name);
  return found == plugins.end() ? nullptr : &*found;
}

TEST(SchedulerConfig, WithoutAnyWordEverythingIsAsUpstreamHasItButLeaderElection) {
  const Result<SchedulerConfig> config = Read("");
  ASSERT_TRUE(config) << config.error().ToString();
  ASSERT_EQ(config->profiles.size(), 1);
  EXPECT_EQ(config->profiles.front().scheduler_name, "default-scheduler");
  EXPECT_EQ(config->profiles.front().plugins.size(),
            DefaultConfig().profiles.front().plugins.size());
  EXPECT_EQ(config->first_backoff, std::chrono::seconds(1));
  EXPECT_EQ(config->longest_backoff, std::chrono::seconds(10));
  EXPECT_FALSE(config->leader_elect);
  EXPECT_TRUE(config->unheeded.empty());
}

TEST(SchedulerConfig, ProfilesSwitchPluginsAndWeighThem) {
  const Result<SchedulerConfig> config = Read(R"(
percentageOfNodesToScore: 30
podInitialBackoffSeconds: 2
profiles:
- schedulerName: packs
  plugins:
    multiPoint: {disabled: [{name: NodeUnschedulable}]}
    score: {enabled: [{name: NodeName, weight: 7}]}
  pluginConfig: [{name: NodeName, args: {a: b}}]
- schedulerName: whole
  percentageOfNodesToScore: 100
  plugins:
    multiPoint: {disabled: [{name: '*'}], enabled: [{name: PrioritySort}, {name: DefaultBinder}]}
    postFilter: {disabled: [{name: '*'}]}
    filter: {enabled: [{name: NodeName}]}
)");
  ASSERT_TRUE(config) << config.error().ToString();
  EXPECT_EQ(config->first_backoff, std::chrono::seconds(2));
  EXPECT_EQ(PluginIn(*config, "NodeUnschedulable"), nullptr);
  EXPECT_EQ(PluginIn(*config, "NodeName")->weight, 7);
  EXPECT_TRUE(config->profiles.front().args.contains("NodeName"));
  EXPECT_EQ(config->profiles.front().percentage_of_nodes, 30);
  EXPECT_EQ(config->profiles.back().percentage_of_nodes, 100);
  ASSERT_EQ(config->profiles.back().plugins.size(), 3);
  const PluginChoice& at_filter_alone = config->profiles.back().plugins.back();
  EXPECT_EQ(at_filter_alone.name, "NodeName");
  EXPECT_TRUE(at_filter_alone.off.contains("score"));
  EXPECT_FALSE(at_filter_alone.off.contains("filter"));
}

TEST(SchedulerConfig, WhatIsNotHonouredIsListed) {
  const Result<SchedulerConfig> config = Read(R"(
parallelism: 16
leaderElection: {leaderElect: true, resourceName: mine}
profiles:
- plugins: {queueSort: {enabled: [{name: PrioritySort}]}, multiPoint: {enabled: [{name: VolumeBinding}]}}
)");
  ASSERT_TRUE(config) << config.error().ToString();
  EXPECT_TRUE(config->leader_elect);
  const std::vector<std::string> expected = {"parallelism", "leaderElection.resourceName",
                                             "profiles[0].plugins: VolumeBinding is not here"};
  EXPECT_EQ(config->unheeded, expected);
}

TEST(SchedulerConfig, WhatMakesNoSenseIsRefusedByItsField) {
  const struct {
    std::string_view text;
    std::string_view says;
  } rows[] = {
      {"profiles: 3", "profiles: must be a list: 3"},
      {"profiles: [3]", "profiles[0]: must be an object: 3"},
      {"profiles: [{plugins: [x]}]", "profiles[0].plugins: must be an object"},
      {"profiles: [{plugins: {multiPoint: {enabled: {name: NodeName}}}}]",
       "profiles[0].plugins.multiPoint.enabled: must be a list"},
      {"profiles: [{plugins: {score: {disabled: x}}}]",
       "profiles[0].plugins.score.disabled: must be a list"},
      {"profiles: [{plugins: {multiPoint: {enabled: [{name: NodeNam}]}}}]",
       "there is no such plugin; did you mean NodeName"},
      {"profiles: [{plugins: {multiPoint: {enabled: [NodeName]}}}]", "there is no such plugin"},
      {"profiles: [{pluginConfig: {name: NodeName}}]", "profiles[0].pluginConfig: must be a list"},
      {"profiles: [{percentageOfNodesToScore: 101}]", "must be a whole number from 0 to 100: 101"},
      {"profiles: [{schedulerName: a}, {schedulerName: a}]", "two profiles have this name"},
      {"leaderElection: {leaderElect: 'yes'}", "must be true or false"},
      {"leaderElection: on", "leaderElection: must be an object"},
      {"bogus: 1", "bogus: there is no such field"},
      {"profiles: [{schedulername: a}]", "there is no such field; did you mean schedulerName"},
      {"profiles: [{plugins: {postfilter: {}}}]", "did you mean postFilter"},
      {"profiles: [{plugins: {queueSort: {disabled: [{name: '*'}]}}}]",
       "no plugin is left at queueSort: PrioritySort cannot be switched off"},
      {"profiles: [{plugins: {multiPoint: {disabled: [{name: DefaultBinder}]}}}]",
       "no plugin is left at bind"},
      {"podInitialBackoffSeconds: 20",
       "podMaxBackoffSeconds: must be at least podInitialBackoffSeconds, which is 20: 10"},
      {"podMaxBackoffSeconds: soon", "must be a whole number from 1 to 1000000"},
      {"podInitialBackoffSeconds: 1.5", "must be a whole number"},
  };
  for (const auto& [text, says] : rows) {
    const Result<SchedulerConfig> config = Read(text);
    ASSERT_FALSE(config) << text;
    EXPECT_NE(config.error().ToString().find(says), std::string::npos)
        << text << ": " << config.error().ToString();
  }
  EXPECT_FALSE(ReadConfig("- a list"));
  EXPECT_FALSE(ReadConfig(""));
  EXPECT_FALSE(ReadConfig("{"));
}

}  // namespace
}  // namespace quadra::scheduler
