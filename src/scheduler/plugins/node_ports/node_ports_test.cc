#include "scheduler/plugins/node_ports/node_ports.h"

#include <gtest/gtest.h>

#include "scheduler/framework/worlds_for_tests.h"

namespace quadra::scheduler {
namespace {

// Of ports like {hostPort: 80, protocol: UDP, hostIP: 10.0.0.1}, comma separated.
std::string Using(std::string_view ports, std::string_view more = "") {
  return fmt::format("{{containers: [{{name: c, ports: [{}]}}]{}}}", ports, more);
}

TEST(NodePorts, GivesAPortToOnePod) {
  struct Row {
    std::string_view what;
    std::string_view used;
    std::string_view wanted;
    bool fits;
  };
  const Row rows[] = {
      {"another port", "{hostPort: 80}", "{hostPort: 81}", true},
      {"the same", "{hostPort: 80}", "{hostPort: 80}", false},
      {"TCP unless it says otherwise", "{hostPort: 80, protocol: TCP}", "{hostPort: 80}", false},
      {"another protocol", "{hostPort: 80, protocol: UDP}", "{hostPort: 80}", true},
      {"another address", "{hostPort: 80, hostIP: 10.0.0.1}", "{hostPort: 80, hostIP: 10.0.0.2}",
       true},
      {"the same address", "{hostPort: 80, hostIP: 10.0.0.1}", "{hostPort: 80, hostIP: 10.0.0.1}",
       false},
      {"all addresses are wanted", "{hostPort: 80, hostIP: 10.0.0.1}", "{hostPort: 80}", false},
      {"all addresses are used", "{hostPort: 80, hostIP: 0.0.0.0}",
       "{hostPort: 80, hostIP: 10.0.0.1}", false},
      {"the second one", "{hostPort: 80, protocol: UDP}, {hostPort: 81}",
       "{hostPort: 80}, {hostPort: 81}", false},
      {"a port of the pod alone", "{containerPort: 80}", "{hostPort: 80}", true},
  };
  for (const Row& row : rows) {
    Trial trial({.plugin = "NodePorts"});
    trial.Put(NodeOf({}));
    trial.Put(PodOf({.name = "other", .spec = Using(row.used, ", nodeName: node")}));
    EXPECT_EQ(trial.Filter(PodOf({.spec = Using(row.wanted)}), "node"),
              row.fits ? "Success"
                       : "Unschedulable: node(s) didn't have free ports for the requested pod "
                         "ports")
        << row.what;
  }
}

TEST(NodePorts, LooksAtPodsWithPortsAlone) {
  struct Row {
    std::string_view pod;
    std::string_view told;
  };
  const Row rows[] = {
      {"{}", "Skip"},
      {"{containers: [{name: c, ports: [{containerPort: 80}]}]}", "Skip"},
      {"{initContainers: [{name: i, ports: [{hostPort: 80}]}]}", "Skip"},
      {"{initContainers: [{name: i, restartPolicy: Always, ports: [{hostPort: 80}]}]}", "Success"},
      {"{containers: [{name: c, ports: [{hostPort: 80}]}]}", "Success"},
  };
  const Trial trial({.plugin = "NodePorts"});
  for (const Row& row : rows) {
    EXPECT_EQ(trial.PreFilter(PodOf({.spec = row.pod})), row.told) << row.pod;
  }
}

TEST(NodePorts, WaitsForPodsThatLeaveItsPorts) {
  struct Row {
    std::string_view what;
    std::string gone;
    std::string_view status;
    bool wakes;
  };
  const Row rows[] = {
      {"the port", Using("{hostPort: 80}", ", nodeName: node"), "{}", true},
      {"it was promised a node", Using("{hostPort: 80}"), "{nominatedNodeName: node}", true},
      {"it was nowhere", Using("{hostPort: 80}"), "{}", false},
      {"no port", "{nodeName: node}", "{}", false},
      {"another port", Using("{hostPort: 81}", ", nodeName: node"), "{}", false},
  };
  const Trial trial({.plugin = "NodePorts"});
  const PodInfoPtr pod = PodOf({.spec = Using("{hostPort: 80}")});
  for (const Row& row : rows) {
    const PodInfoPtr gone = PodOf({.name = "gone", .spec = row.gone, .status = row.status});
    EXPECT_EQ(trial.Wakes(pod, {EventResource::kAssignedPod, action::kDelete, {}},
                          {.pod_before = gone.get()}),
              row.wakes)
        << row.what;
  }
  const auto node = NodeOf({});
  EXPECT_TRUE(trial.Wakes(pod, {EventResource::kNode, action::kAdd, {}}, {.node_now = node.get()}));
}

}  // namespace
}  // namespace quadra::scheduler
