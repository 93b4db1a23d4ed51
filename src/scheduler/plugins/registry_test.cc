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
