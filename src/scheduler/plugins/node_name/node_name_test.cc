#include "scheduler/plugins/node_name/node_name.h"

#include <gtest/gtest.h>

#include "scheduler/framework/worlds_for_tests.h"

namespace quadra::scheduler {
namespace {

TEST(NodeName, ServesTheNodeThatIsNamedAlone) {
  struct Row {
    std::string_view what;
    std::string_view pod;
    std::string_view narrowed;
    std::string_view n1;
  };
  const Row rows[] = {
      {"no name: any node", "{}", "Success", "Success"},
      {"this one", "{nodeName: n1}", "Success n1", "Success"},
      {"another one", "{nodeName: n2}", "Success n2",
       "UnschedulableAndUnresolvable: node(s) didn't match the requested node name"},
  };
  Trial trial({.plugin = "NodeName"});
  trial.Put(NodeOf({.name = "n1"}));
  for (const Row& row : rows) {
    SCOPED_TRACE(row.what);
    const PodInfoPtr pod = PodOf({.spec = row.pod});
    EXPECT_EQ(trial.PreFilter(pod), row.narrowed);
    EXPECT_EQ(trial.Filter(pod, "n1"), row.n1);
  }
}

TEST(NodeName, WaitsForNodesToCome) {
  Trial trial({.plugin = "NodeName"});
  const PodInfoPtr pod = PodOf({.spec = "{nodeName: n1}"});
  const auto node = NodeOf({.name = "n1"});
  EXPECT_TRUE(trial.Wakes(pod, {EventResource::kNode, action::kAdd, {}}, {.node_now = node.get()}));
  EXPECT_FALSE(trial.Wakes(pod, {EventResource::kNode, action::kUpdateNodeLabel, {}},
                           {.node_before = node.get(), .node_now = node.get()}));
}

}  // namespace
}  // namespace quadra::scheduler
