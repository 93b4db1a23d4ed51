#include "diagnosis/diagnose.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "placement/worlds_for_tests.h"

namespace quadra::diagnosis {
namespace {

using placement::Cluster;
using placement::ClusterOf;
using placement::NodeYaml;
using placement::SliceYaml;

constexpr std::string_view kClasses =
    "---\napiVersion: resource.k8s.io/v1\nkind: DeviceClass\nmetadata: {name: gpu}\nspec: "
    "{extendedResourceName: example.com/gpu}\n";

std::string Claim(std::string_view name, int count, std::string_view more = "") {
  return fmt::format(
      "---\napiVersion: resource.k8s.io/v1\nkind: ResourceClaim\nmetadata: {{name: {}}}\nspec: "
      "{{devices: {{requests: [{{name: r, exactly: {{deviceClassName: gpu, count: {}}}}}]}}}}\n{}",
      name, count, more);
}

// `holder` has d0 of the node's pool.
std::string Held(std::string_view node, std::string_view annotation = "") {
  return fmt::format(
      "---\napiVersion: resource.k8s.io/v1\nkind: ResourceClaim\nmetadata: {{name: holder{1}}}\n"
      "status: {{reservedFor: [{{resource: pods, name: busy, uid: u-busy}}], allocation: "
      "{{nodeSelector: {{nodeSelectorTerms: [{{matchFields: [{{key: metadata.name, operator: In, "
      "values: [{0}]}}]}}]}}, devices: {{results: [{{request: r, driver: drv, pool: {0}, device: "
      "d0}}]}}}}}}\n",
      node, annotation);
}

std::string Pod(std::string_view name, std::string_view spec) {
  return fmt::format(
      "---\napiVersion: v1\nkind: Pod\nmetadata: {{name: {0}, uid: u-{0}}}\nspec: "
      "{{{1}}}\n",
      name, spec);
}

constexpr std::string_view kByName = "resourceClaims: [{name: c, resourceClaimName: x}]";
constexpr std::string_view kExtended =
    "containers: [{name: m, resources: {requests: {example.com/gpu: 1}}}]";
constexpr std::string_view kMadeForBusy =
    ", annotations: {resource.kubernetes.io/extended-resource-claim: 'true'}, ownerReferences: "
    "[{apiVersion: v1, kind: Pod, name: p, uid: u-p, controller: true}]";

Diagnosis DiagnosisOf(const std::string& yaml) {
  Cluster cluster = ClusterOf(yaml);
  selector::ExpressionCache expressions(placement::TestLanguage());
  placement::Placer placer(cluster, {}, expressions);
  return DiagnosePod(placer, *cluster.pods().Find("default", "p"));
}

std::string Told(const Diagnosis& diagnosis) {
  switch (diagnosis.state) {
    case Diagnosis::State::kWantsNone:
      return "wants none";
    case Diagnosis::State::kPassedOver:
      return "passed over: " + diagnosis.standing;
    case Diagnosis::State::kHas:
      return fmt::format("has on {}: {}", diagnosis.node, diagnosis.why_node);
    case Diagnosis::State::kWouldGet:
      return fmt::format("would get on {}: {}", diagnosis.node, diagnosis.why_node);
    case Diagnosis::State::kWouldNot:
      break;
  }
  return fmt::format("{} @{}: {}", reasons::NameOf(diagnosis.key.code), diagnosis.key_node,
                     diagnosis.sentence);
}

// Pod p. "has …", "would get …", or "Code @nearest node: sentence".
TEST(Diagnose, SaysWhatBecomesOfAPod) {
  const std::string one = std::string(kClasses) + NodeYaml("n1") + SliceYaml("n1", 1);
  const std::string two = one + NodeYaml("n2") + SliceYaml("n2", 2);
  struct Row {
    std::string_view what;
    std::string world;
    std::string_view told;
  };
  for (const Row& row : {
           Row{"nothing wanted", one + Pod("p", "containers: [{name: m}]"), "wants none"},
           Row{"allocated",
               one + Held("n1") +
                   Pod("p", "resourceClaims: [{name: c, resourceClaimName: holder}]"),
               "has on n1: the devices of claim holder belong to that node"},
           Row{"the only node", one + Claim("x", 1) + Pod("p", kByName),
               "would get on n1: it is the only node that fits"},
           Row{"the first of two", two + Claim("x", 1) + Pod("p", kByName),
               "would get on n1: of 2 nodes that fit it has the first name"},
           Row{"busy", one + Held("n1") + Claim("x", 1) + Pod("p", kByName),
               "DevicesBusy @n1: request \"r\" of claim default/x: 1 device wanted, 0 of 1 that "
               "match are free"},
           Row{"the nearest of two nodes", two + Held("n2") + Claim("x", 2) + Pod("p", kByName),
               "DevicesBusy @n2: request \"r\" of claim default/x: 2 devices wanted, 1 of 2 that "
               "match are free"},
           Row{"no node could change it", one + Claim("x", 33) + Pod("p", kByName),
               "TooManyDevices @: request r: adding 33 devices exceeds the claim limit of 32, with "
               "0 already accounted for"},
           Row{"a claim is missing", one + Pod("p", kByName),
               "NotModelled @: could not find ResourceClaim \"default/x\""},
           Row{"finished", one + Claim("x", 1) + Pod("p", kByName) + "status: {phase: Failed}\n",
               "passed over: it is finished (Failed)"},
           Row{"two claims that do not fit together",
               one + NodeYaml("n2") + SliceYaml("n2", 2) + Held("n1") + Claim("x", 2) +
                   Claim("z", 2) +
                   Pod("p",
                       "resourceClaims: [{name: c, resourceClaimName: x}, {name: d, "
                       "resourceClaimName: z}]"),
               "CountPerNode @n1: claim default/x fits on n2, claim default/z fits on n2, and no "
               "node fits all of them: request \"r\" of claim default/x: 2 devices wanted, 1 of 1 "
               "match; likewise request \"r\" of claim default/z"},
           // Claims that are not there yet: all of none is no reason to be content.
           Row{"extended resources only, and they are there", one + Pod("p", kExtended),
               "would get on n1: it is the only node that fits"},
           Row{"extended resources only, and they are busy", one + Held("n1") + Pod("p", kExtended),
               "DevicesBusy @n1: resource example.com/gpu: 1 device wanted, 0 of 1 that match are "
               "free"},
           Row{"extended resources only, and no node has them",
               std::string(kClasses) + NodeYaml("n1") + Pod("p", kExtended),
               "NoSlices @n1: resource example.com/gpu: no devices are published for the node"},
           Row{"extended resources of a pod on its node",
               one + Held("n1", kMadeForBusy) + Pod("p", std::string(kExtended) + ", nodeName: n1"),
               "has on n1: the devices of claim holder belong to that node"},
           Row{"claims that were deliberately not made",
               one + Pod("p", "resourceClaims: [{name: c, resourceClaimTemplateName: t}]") +
                   "status: {resourceClaimStatuses: [{name: c}]}\n",
               "wants none"},
       }) {
    EXPECT_EQ(Told(DiagnosisOf(row.world)), row.told) << row.what;
  }
}

TEST(Diagnose, ProvesItByCounting) {
  const Diagnosis diagnosis =
      DiagnosisOf(std::string(kClasses) + NodeYaml("n1") + SliceYaml("n1", 2) + NodeYaml("n2") +
                  SliceYaml("n2", 1) + NodeYaml("n3", "spec: {unschedulable: true}") + Held("n1") +
                  Claim("x", 2) + Pod("p", kByName) + Pod("busy", "containers: [{name: m}]"));
  std::string steps;
  for (const Stage& stage : diagnosis.stages) {
    steps += fmt::format("{}: {} on {}\n", stage.step, stage.devices, stage.nodes);
  }
  EXPECT_EQ(steps,
            "published: 3 on 2\naccepted by the class: 3 on 2\nuntainted or tolerated: 3 on 2\n"
            "free: 2 on 2\nwith capacity and counters left: 2 on 2\n2 on one node: 1 on 0\n");
  ASSERT_EQ(diagnosis.nodes.size(), 3U);
  EXPECT_EQ(diagnosis.nodes[0].name, "n1");
  ASSERT_EQ(diagnosis.nodes[0].holders.size(), 1U);
  EXPECT_EQ(diagnosis.nodes[0].holders[0].claim, "default/holder");
  EXPECT_EQ(diagnosis.groups.size(), 3U);
  EXPECT_EQ(diagnosis.effort.nodes, 3U);
  EXPECT_EQ(diagnosis.effort.devices, 3U);
}

// What a fix changes: a claim of its own, a template, or those that have to go.
TEST(Diagnose, RepairsWhatAFixChanges) {
  const std::string world =
      std::string(kClasses) + NodeYaml("n1") + SliceYaml("n1", 1) + Held("n1") + Claim("x", 1) +
      Pod("busy", "resourceClaims: [{name: c, resourceClaimName: holder}], nodeName: n1") +
      Pod("p", kByName);
  const Cluster cluster = ClusterOf(world);
  const Diagnosis diagnosis = DiagnosisOf(world);
  ASSERT_FALSE(diagnosis.fixes.found.empty());
  const Repair repair =
      RepairOf(cluster, diagnosis.fixes.found[0], cluster.pods().Find("default", "p"));
  ASSERT_EQ(repair.claims.size(), 1U);
  EXPECT_EQ(repair.claims[0].metadata.name, "holder");
  EXPECT_TRUE(repair.claims[0].metadata.deletion_timestamp);
  ASSERT_EQ(repair.pods.size(), 1U);
  EXPECT_EQ(repair.pods[0].status.phase, "Succeeded");
}

// --- Effort.

// A node with devices of which never nine agree in both attributes, though nine do in each.
std::string HardNode(std::string_view name) {
  std::string devices;
  for (int i = 0; i < 40; ++i) {
    devices += fmt::format(
        "{{name: d{0}, attributes: {{numa: {{int: {1}}}, root: {{int: {2}}}, size: {{int: "
        "{0}}}}}}},",
        i, i % 4, i / 4 % 4);
  }
  return NodeYaml(name) +
         fmt::format(
             "---\napiVersion: resource.k8s.io/v1\nkind: ResourceSlice\nmetadata: {{name: {0}}}\n"
             "spec: {{driver: drv, nodeName: {0}, pool: {{name: {0}, generation: 1, "
             "resourceSliceCount: 1}}, devices: [{1}]}}\n",
             name, devices);
}

// Three requests with four alternatives of three devices each, all to agree in both attributes.
std::string HardClaim() {
  std::string requests;
  for (int i = 0; i < 3; ++i) {
    std::string alternatives;
    for (int j = 0; j < 4; ++j) {
      alternatives += fmt::format(
          "{{name: a{0}, deviceClassName: gpu, count: 3, selectors: [{{cel: {{expression: "
          "\"device.attributes['drv'].size >= {0}\"}}}}]}},",
          j);
    }
    requests += fmt::format("{{name: r{}, firstAvailable: [{}]}},", i, alternatives);
  }
  return fmt::format(
      "---\napiVersion: resource.k8s.io/v1\nkind: ResourceClaim\nmetadata: {{name: x}}\nspec: "
      "{{devices: {{requests: [{}], constraints: [{{matchAttribute: drv/numa}}, "
      "{{matchAttribute: drv/root}}]}}}}\n",
      requests);
}

TEST(DiagnoseEffort, TryingFixesEndsAndSaysWhatWasNotTried) {
  constexpr std::uint64_t kSteps = 20'000;
  constexpr std::uint64_t kOneNode = 100'000;  // a trial under way may still search it
  Cluster cluster = ClusterOf(std::string(kClasses) + HardNode("n1") + HardNode("n2") +
                              HardClaim() + Pod("p", kByName));
  selector::ExpressionCache expressions(placement::TestLanguage());
  placement::Placer placer(cluster, {}, expressions);
  const Diagnosis diagnosis =
      DiagnosePod(placer, *cluster.pods().Find("default", "p"), {.trial_steps = kSteps});
  EXPECT_EQ(diagnosis.key.code, reasons::Code::kConstraintUnmet);
  EXPECT_LT(diagnosis.effort.steps, 20'000U);
  EXPECT_GE(diagnosis.effort.trial_steps, kSteps);
  EXPECT_LT(diagnosis.effort.trial_steps, kSteps + kOneNode);
  EXPECT_GT(diagnosis.fixes.untried, 0U);
  ASSERT_EQ(diagnosis.fixes.found.size(), 2U);
  EXPECT_EQ(diagnosis.fixes.found[0].text, "drop constraint 0 of claim x: matchAttribute drv/numa");
  EXPECT_EQ(diagnosis.fixes.found[1].text, "drop constraint 1 of claim x: matchAttribute drv/root");
}

}  // namespace
}  // namespace quadra::diagnosis
