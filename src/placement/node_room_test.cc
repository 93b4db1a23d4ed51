#include "placement/node_room.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "placement/worlds_for_tests.h"

namespace quadra::placement {
namespace {

TEST(NodeRoom, SaysWhatTheSchedulersPluginsSay) {
  constexpr std::string_view kPorts = "node(s) didn't have free ports for the requested pod ports";
  struct Row {
    std::string_view node;   // status
    std::string_view taken;  // container of a pod that is there
    std::string_view pod;    // container
    std::string_view words;
  };
  for (const Row& row : {
           Row{"{}", "{}", "{resources: {requests: {cpu: 100}}}", ""},
           Row{"{allocatable: {cpu: 4}}", "{}", "{resources: {requests: {cpu: 4}}}", ""},
           Row{"{capacity: {cpu: 4}}", "{}", "{resources: {requests: {cpu: 5}}}",
               "Insufficient cpu"},
           Row{"{allocatable: {cpu: 4}}", "{resources: {requests: {cpu: 1}}}",
               "{resources: {requests: {cpu: 4, memory: 1Gi}}}", "Insufficient cpu"},
           Row{"{allocatable: {cpu: 4, memory: 1Gi, pods: 1}}", "{}",
               "{resources: {requests: {cpu: 5, memory: 2Gi}}}",
               "Too many pods, Insufficient cpu, Insufficient memory"},
           Row{"{allocatable: {cpu: 4}}", "{}", "{resources: {requests: {example.com/x: 1}}}",
               "Insufficient example.com/x"},
           Row{"{allocatable: {cpu: 4}}", "{}", "{resources: {requests: {example.com/gpu: 1}}}",
               ""},
           Row{"{allocatable: {example.com/gpu: 1}}", "{}",
               "{resources: {requests: {example.com/gpu: 2}}}", "Insufficient example.com/gpu"},
           Row{"{}", "{ports: [{hostPort: 80}]}", "{ports: [{hostPort: 80}]}", kPorts},
           Row{"{}", "{ports: [{hostPort: 80}]}", "{ports: [{hostPort: 80, protocol: UDP}]}", ""},
           Row{"{}", "{ports: [{hostPort: 80, hostIP: 10.0.0.1}]}",
               "{ports: [{hostPort: 80, hostIP: 10.0.0.2}]}", ""},
           Row{"{}", "{ports: [{hostPort: 80, hostIP: 10.0.0.1}]}", "{ports: [{hostPort: 80}]}",
               kPorts},
       }) {
    SCOPED_TRACE(fmt::format("{} {} {}", row.node, row.taken, row.pod));
    Cluster cluster = ClusterOf(fmt::format(
        "apiVersion: v1\nkind: Node\nmetadata: {{name: n1}}\nstatus: {}\n---\n"
        "apiVersion: v1\nkind: Pod\nmetadata: {{name: a}}\nspec: {{nodeName: n1, containers: "
        "[{}]}}\n"
        "---\napiVersion: v1\nkind: Pod\nmetadata: {{name: p}}\nspec: {{containers: [{}]}}\n---\n"
        "apiVersion: resource.k8s.io/v1\nkind: DeviceClass\nmetadata: {{name: c}}\n"
        "spec: {{extendedResourceName: example.com/gpu}}\n",
        row.node, row.taken, row.pod));
    const inventory::Snapshot devices = cluster.Take();
    const api::Pod& pod = *cluster.pods().Find("default", "p");
    const Lack lack =
        NodeLoads(cluster).LackFor(pod, 0, RequestsOf(pod), *devices.nodes().begin()->second,
                                   ExtendedResources(devices.classes()));
    EXPECT_EQ(lack.empty() ? "" : WordsOf(lack), row.words);
  }
}

TEST(NodeRoom, IsLeftToEqualsThatAreNominated) {
  struct Row {
    std::string_view other;  // rest of a pod that wants 2 cpu
    std::size_t counted;     // pods on the node, as pod p of priority 5 sees it
  };
  for (const Row& row : {
           Row{"spec: {priority: 6}\nstatus: {nominatedNodeName: n1}", 1},
           Row{"spec: {priority: 5}\nstatus: {nominatedNodeName: n1}", 1},
           Row{"spec: {priority: 4}\nstatus: {nominatedNodeName: n1}", 0},
           Row{"spec: {priority: 6}\nstatus: {nominatedNodeName: n2}", 0},
           Row{"spec: {priority: 6}\nstatus: {nominatedNodeName: n1, phase: Failed}", 0},
           Row{"spec: {priority: 6, nodeName: n2}\nstatus: {nominatedNodeName: n1}", 0},
           Row{"spec: {priority: 4, nodeName: n1}", 1},
       }) {
    const Cluster cluster = ClusterOf(fmt::format(
        "apiVersion: v1\nkind: Pod\nmetadata: {{name: other}}\n{}\n---\napiVersion: v1\nkind: Pod\n"
        "metadata: {{name: p}}\nspec: {{priority: 5}}\nstatus: {{nominatedNodeName: n1}}\n",
        row.other));
    const api::Pod& pod = *cluster.pods().Find("default", "p");
    NodeLoads loads(cluster);
    EXPECT_EQ(loads.SeenBy(pod, 5, "n1").pods, row.counted) << row.other;
    const api::Pod& other = *cluster.pods().Find("default", "other");
    loads.ForgetNomination(other);
    EXPECT_EQ(loads.SeenBy(pod, 5, "n1").pods, other.spec.node_name == "n1" ? 1U : 0U) << row.other;
  }
}

}  // namespace
}  // namespace quadra::placement
