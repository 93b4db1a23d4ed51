#include "scheduler/plugins/node_resources/balanced_allocation.h"

#include <gtest/gtest.h>

#include "scheduler/framework/worlds_for_tests.h"

namespace quadra::scheduler {
namespace {

constexpr std::string_view kWithGpus =
    "{resources: [{name: cpu}, {name: memory}, {name: nvidia.com/gpu}]}";

std::string AskingFor(std::string_view requests, std::string_view more = "") {
  return fmt::format("{{containers: [{{name: c, resources: {{requests: {}}}}}]{}}}", requests,
                     more);
}

TEST(BalancedAllocation, PrefersNodesThatThePodEvensOut) {
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
  const Row rows[] = {
      {"nobody there", "{}", "{cpu: 4, memory: 10000}", "{cpu: 6, memory: 10000}", "", "",
       "{cpu: 3, memory: 5000}", "n1=68 n2=75"},
      {"others count", "{}", "{cpu: 10, memory: 20000}", "{cpu: 10, memory: 20000}", "{cpu: 3}",
       "{cpu: 3, memory: 5000}", "{cpu: 3, memory: 5000}", "n1=73 n2=74"},
      {"nodes of different sizes", "{}", "{cpu: 10, memory: 20000}", "{cpu: 10, memory: 50000}",
       "{cpu: 3}", "{cpu: 3, memory: 5000}", "{cpu: 3, memory: 5000}", "n1=73 n2=70"},
      {"all better, all worse", "{}", "{cpu: 3, memory: 5000}", "{cpu: 3, memory: 5000}",
       "{cpu: 3}", "", "{memory: 5000}", "n1=100 n2=50"},
      {"up to the brim", "{}", "{cpu: 6, memory: 10000}", "{cpu: 6, memory: 10000}", "{cpu: 3}",
       "{cpu: 3, memory: 5000}", "{cpu: 3}", "n1=62 n2=62"},
      {"a third resource", kWithGpus, "{cpu: 3500m, memory: 40000, nvidia.com/gpu: 8}",
       "{cpu: 3500m, memory: 40000, nvidia.com/gpu: 8}",
       "{cpu: 3, memory: 5000, nvidia.com/gpu: 3}", "{cpu: 3, memory: 5000}", "{nvidia.com/gpu: 1}",
       "n1=75 n2=76"},
      {"a third resource that is not wanted", kWithGpus,
       "{cpu: 3500m, memory: 40000, nvidia.com/gpu: 8}", "{cpu: 3500m, memory: 40000}", "", "",
       "{cpu: 3, memory: 5000}", "n1=56 n2=56"},
      {"who asks for nothing is not scored", "{}", "{cpu: 4}", "{cpu: 4}", "{cpu: 1}", "", "{}",
       ""},
  };
  for (const Row& row : rows) {
    Trial trial({.plugin = "NodeResourcesBalancedAllocation", .args = row.args});
    ASSERT_EQ(trial.error, "");
    for (const auto& [node, has, asked] : {std::tuple(std::string_view("n1"), row.n1, row.on_n1),
                                           {std::string_view("n2"), row.n2, row.on_n2}}) {
      trial.Put(NodeOf({.name = node, .status = fmt::format("{{allocatable: {}}}", has)}));
      if (!asked.empty()) {
        trial.Put(PodOf({.name = fmt::format("on-{}", node),
                         .spec = AskingFor(asked, fmt::format(", nodeName: {}", node))}));
      }
    }
    EXPECT_EQ(trial.Scores(PodOf({.spec = AskingFor(row.pod)})), row.scores) << row.what;
  }
}

TEST(BalancedAllocation, RefusesArgumentsThatMakeNoSense) {
  struct Row {
    std::string_view args;
    std::string_view error;
  };
  const Row rows[] = {
      {"{resources: [{name: cpu, weight: 2}]}", "resources[0].weight: must be 1: 2"},
      {"{resources: [{name: cpu}, {name: cpu}]}", "resources: a resource is listed twice: cpu"},
      {"{resources: [{nam: cpu}]}", "resources[0].nam: there is no such argument; did you mean"},
      {"{resources: [cpu]}", "resources[0]: must be an object"},
  };
  for (const Row& row : rows) {
    const std::string error =
        Trial({.plugin = "NodeResourcesBalancedAllocation", .args = row.args}).error;
    EXPECT_NE(error.find(row.error), std::string::npos) << row.args << "\n" << error;
  }
}

}  // namespace
}  // namespace quadra::scheduler
