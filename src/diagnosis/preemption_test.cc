#include "diagnosis/preemption.h"

#include <string>
#include <string_view>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "placement/worlds_for_tests.h"

namespace quadra::diagnosis {
namespace {

using placement::ClusterOf;
using placement::NodeYaml;
using placement::SliceYaml;

std::string PodYaml(std::string_view name, std::string_view spec, std::string_view status = "") {
  return fmt::format(
      "---\napiVersion: v1\nkind: Pod\nmetadata: {{name: {}}}\nspec: {{{}}}\nstatus: {{{}}}\n",
      name, spec, status);
}

// On a node.
std::string Runs(std::string_view name, std::string_view node, int cpu, int priority,
                 std::string_view status = "") {
  return PodYaml(name,
                 fmt::format("nodeName: {}, priority: {}, containers: [{{name: m, resources: "
                             "{{requests: {{cpu: {}}}}}}}]",
                             node, priority, cpu),
                 status);
}

// Waits for 4 cpu and a device, with priority 10.
std::string Waits(std::string_view more = "") {
  return PodYaml("p", fmt::format("priority: 10, resourceClaims: [{{name: c, resourceClaimName: "
                                  "want}}], containers: [{{name: m, resources: {{requests: {{cpu: "
                                  "4}}}}}}]{}",
                                  more)) +
         "---\napiVersion: resource.k8s.io/v1\nkind: ResourceClaim\nmetadata: {name: want}\nspec: "
         "{devices: {requests: [{name: r, exactly: {deviceClassName: gpu}}]}}\n"
         "---\napiVersion: resource.k8s.io/v1\nkind: DeviceClass\nmetadata: {name: gpu}\n";
}

std::string NodeOf(std::string_view name, int devices, std::string_view spec = "") {
  return NodeYaml(name, fmt::format("spec: {{{}}}\nstatus: {{allocatable: {{cpu: 8}}}}", spec)) +
         (devices > 0 ? SliceYaml(name, devices) : "");
}

TEST(Preemption, EndsWhomTheSchedulerWould) {
  struct Row {
    std::string_view what;
    std::string yaml;
    std::string victims;  // node: who, in the order of their importance
  };
  for (const Row& row : {
           Row{"the one that is in the way", NodeOf("n1", 1) + Runs("a", "n1", 8, 0) + Waits(),
               "n1: default/a"},
           Row{"nobody of its own priority", NodeOf("n1", 1) + Runs("a", "n1", 8, 10) + Waits(),
               ":"},
           Row{"nobody where the devices are missing",
               NodeOf("n1", 0) + Runs("a", "n1", 8, 0) + Waits(), ":"},
           Row{"nobody on a node that rejects it for something else",
               NodeOf("n1", 1, "unschedulable: true") + Runs("a", "n1", 8, 0) + Waits(), ":"},
           Row{"the more important are spared",
               NodeOf("n1", 1) + Runs("a", "n1", 4, 1) + Runs("b", "n1", 4, 2) + Waits(),
               "n1: default/a"},
           Row{"of equals who started last",
               NodeOf("n1", 1) + Runs("a", "n1", 4, 1, "startTime: '2026-01-01T00:00:02Z'") +
                   Runs("b", "n1", 4, 1, "startTime: '2026-01-01T00:00:01Z'") + Waits(),
               "n1: default/a"},
           Row{"on the node where the most important is the least",
               NodeOf("n1", 1) + NodeOf("n2", 1) + Runs("a", "n1", 8, 3) + Runs("b", "n2", 4, 2) +
                   Runs("c", "n2", 4, 2) + Waits(),
               "n2: default/c"},
           Row{"then where their sum is",
               NodeOf("n1", 1) + NodeOf("n2", 1) + Runs("a", "n1", 3, 2) + Runs("b", "n1", 3, 2) +
                   Runs("c", "n2", 6, 2) + Waits(),
               "n1: default/b"},
           Row{"nobody by a pod that must not",
               NodeOf("n1", 1) + Runs("a", "n1", 8, 0) + Waits(", preemptionPolicy: Never"), ":"},
           Row{"nobody while gates are closed",
               NodeOf("n1", 1) + Runs("a", "n1", 8, 0) + Waits(", schedulingGates: [{name: g}]"),
               ":"},
           Row{"nobody that finished",
               NodeOf("n1", 1) + Runs("a", "n1", 6, 0) + Runs("b", "n1", 8, 0, "phase: Succeeded") +
                   Waits(),
               "n1: default/a"},
       }) {
    placement::Cluster cluster = ClusterOf(row.yaml);
    selector::ExpressionCache expressions(placement::TestLanguage());
    placement::Placer placer(cluster, {}, expressions);
    const Diagnosis diagnosis = DiagnosePod(placer, *cluster.pods().Find("default", "p"));
    std::string victims = diagnosis.preemption.node + ":";
    for (const std::string& victim : diagnosis.preemption.victims) {
      victims += " " + victim;
    }
    EXPECT_EQ(victims, row.victims) << row.what << ": " << diagnosis.sentence;
  }
}

}  // namespace
}  // namespace quadra::diagnosis
