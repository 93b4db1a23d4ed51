#include "placement/node_filter.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "placement/worlds_for_tests.h"

namespace quadra::placement {
namespace {

TEST(NodeFilter, SaysWhatTheSchedulersPluginsSay) {
  constexpr std::string_view kCordoned = "node(s) were unschedulable";
  constexpr std::string_view kName = "node(s) didn't match the requested node name";
  constexpr std::string_view kTaint = "node(s) had untolerated taint(s)";
  constexpr std::string_view kAffinity = "node(s) didn't match Pod's node affinity/selector";
  struct Row {
    std::string_view node;  // spec
    std::string_view pod;   // spec
    std::string_view why;
    std::string_view gates = "";
  };
  for (const Row& row : {
           Row{"{}", "{}", ""},
           Row{"{unschedulable: true}", "{}", kCordoned},
           Row{"{unschedulable: true}",
               "{tolerations: [{key: node.kubernetes.io/unschedulable, operator: Exists}]}", ""},
           Row{"{unschedulable: true}", "{tolerations: [{operator: Exists}]}", ""},
           Row{"{}", "{nodeName: n1}", ""},
           Row{"{}", "{nodeName: n2}", kName},
           Row{"{taints: [{key: k, value: v, effect: NoSchedule}]}", "{}", kTaint},
           Row{"{taints: [{key: k, value: v, effect: NoExecute}]}", "{}", kTaint},
           Row{"{taints: [{key: k, value: v, effect: PreferNoSchedule}]}", "{}", ""},
           Row{"{taints: [{key: k, value: v, effect: NoSchedule}]}",
               "{tolerations: [{key: k, value: v}]}", ""},
           Row{"{taints: [{key: k, value: v, effect: NoSchedule}]}",
               "{tolerations: [{key: k, value: w}]}", kTaint},
           Row{"{taints: [{key: k, value: v, effect: NoSchedule}]}",
               "{tolerations: [{key: k, operator: Exists, effect: NoExecute}]}", kTaint},
           Row{"{taints: [{key: k, value: v, effect: NoSchedule}, {key: l, effect: NoSchedule}]}",
               "{tolerations: [{key: k, operator: Exists}]}", kTaint},
           Row{"{taints: [{key: k, value: '5', effect: NoSchedule}]}",
               "{tolerations: [{key: k, operator: Lt, value: '6'}]}", kTaint},
           Row{"{taints: [{key: k, value: '5', effect: NoSchedule}]}",
               "{tolerations: [{key: k, operator: Lt, value: '6'}]}", "",
               "TaintTolerationComparisonOperators=true"},
           Row{"{taints: [{key: k, value: '5', effect: NoSchedule}]}",
               "{tolerations: [{key: k, operator: Gt, value: '6'}]}", kTaint,
               "TaintTolerationComparisonOperators=true"},
           Row{"{}", "{nodeSelector: {zone: a}}", ""},
           Row{"{}", "{nodeSelector: {zone: b}}", kAffinity},
           Row{"{}",
               "{affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: "
               "{nodeSelectorTerms: [{matchExpressions: [{key: zone, operator: In, values: "
               "[a]}]}]}}}}",
               ""},
           Row{"{}",
               "{affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: "
               "{nodeSelectorTerms: [{matchExpressions: [{key: zone, operator: NotIn, values: "
               "[a]}]}]}}}}",
               kAffinity},
           Row{"{}",
               "{affinity: {nodeAffinity: {preferredDuringSchedulingIgnoredDuringExecution: "
               "[{weight: 1, preference: {matchExpressions: [{key: zone, operator: In, values: "
               "[b]}]}}]}}}",
               ""},
       }) {
    Cluster world = ClusterOf(
        fmt::format(
            "apiVersion: v1\nkind: Node\nmetadata: {{name: n1, labels: {{zone: a}}}}\nspec: "
            "{}\n---\napiVersion: v1\nkind: Pod\nmetadata: {{name: p}}\nspec: {}\n",
            row.node, row.pod),
        row.gates);
    const inventory::Snapshot cluster = world.Take();
    EXPECT_EQ(
        WhyNodeRejects(world.pods().all().front(), *cluster.nodes().begin()->second, world.gates()),
        row.why)
        << row.node << " " << row.pod;
  }
}

}  // namespace
}  // namespace quadra::placement
