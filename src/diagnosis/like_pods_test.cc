#include "diagnosis/like_pods.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "api/object.h"
#include "placement/worlds_for_tests.h"

namespace quadra::diagnosis {
namespace {

using placement::Cluster;
using placement::ClusterOf;
using placement::NodeYaml;
using placement::SliceYaml;

constexpr std::string_view kClass =
    "---\napiVersion: resource.k8s.io/v1\nkind: DeviceClass\nmetadata: {name: gpu}\nspec: {}\n";

// A template, and pods p, q and p-q with two claims of it each.
std::string LikePodsYaml(std::string_view request, std::string_view spec = "") {
  std::string yaml = fmt::format(
      "---\napiVersion: resource.k8s.io/v1\nkind: ResourceClaimTemplate\nmetadata: {{name: t}}\n"
      "spec: {{spec: {{devices: {{requests: [{{name: r, exactly: {{{}}}}}]}}}}}}\n",
      request);
  for (const std::string_view name : {"p", "q", "p-q"}) {
    yaml += fmt::format(
        "---\napiVersion: v1\nkind: Pod\nmetadata: {{name: {0}, uid: u-{0}}}\nspec: {{{1} "
        "resourceClaims: [{{name: a, resourceClaimTemplateName: t}}, {{name: b, "
        "resourceClaimTemplateName: t}}]}}\nstatus: {{conditions: [{{type: PodScheduled, status: "
        "'False', message: of {0}}}]}}\n",
        name, spec);
  }
  return yaml;
}

// Everything that people and programs are told, but for the effort.
std::string Told(const Diagnosis& diagnosis) {
  std::string told =
      fmt::format("{} {} {} {} {} {} {}\n", static_cast<int>(diagnosis.state), diagnosis.subject,
                  diagnosis.node, diagnosis.why_node, diagnosis.key.claim, diagnosis.sentence,
                  diagnosis.scheduled ? diagnosis.scheduled->message : "");
  for (const api::ResourceClaim& claim : diagnosis.claims) {
    told += api::EncodeJson(claim) + "\n";
  }
  for (const NodeFinding& finding : diagnosis.nodes) {
    told += fmt::format("{} {} {}\n", finding.name, finding.refusal.claim, finding.refusal.message);
  }
  for (const ReasonGroup& group : diagnosis.groups) {
    told += group.message + "\n";
  }
  for (const allocator::Fix& fix : diagnosis.fixes.found) {
    told += fmt::format("{}: {} {}\n", fix.text, fix.node,
                        fix.changed ? api::EncodeJson(*fix.changed) : "");
  }
  for (const std::string& futile : diagnosis.fixes.futile) {
    told += futile + "\n";
  }
  return told;
}

// Of each pod: with the others, and with a placer of its own.
void ExpectTheSame(const std::string& yaml) {
  Cluster cluster = ClusterOf(yaml);
  selector::ExpressionCache expressions(placement::TestLanguage());
  placement::Placer placer(cluster, {.strict = true}, expressions);
  LikePods pods(placer, 100);
  for (const api::Pod& pod : cluster.pods().all()) {
    placement::Placer own(cluster, {.strict = true}, expressions);
    EXPECT_EQ(Told(pods.Diagnose(pod)), Told(DiagnosePod(own, pod))) << yaml;
  }
}

TEST(LikePods, AreToldWhatEachWouldBeToldAlone) {
  const std::string nodes = std::string(kClass) + NodeYaml("n1") + NodeYaml("n2") +
                            SliceYaml("n1", 3) + SliceYaml("n2", 1);
  ExpectTheSame(nodes + LikePodsYaml("deviceClassName: gpu"));
  ExpectTheSame(nodes + LikePodsYaml("deviceClassName: gpu, count: 2"));
  ExpectTheSame(nodes + LikePodsYaml("deviceClassName: gpu, count: 9"));
  ExpectTheSame(nodes + LikePodsYaml("deviceClassName: gqu"));
  ExpectTheSame(nodes + LikePodsYaml("deviceClassName: gpu, selectors: [{cel: {expression: "
                                     "'device.attributes[\"drv\"].none == 1'}}]"));
  ExpectTheSame(nodes + LikePodsYaml("deviceClassName: gpu", "nodeSelector: {zone: a},"));
}

TEST(LikePods, KeepTheNearestNodesAndCountTheOthers) {
  Cluster cluster = ClusterOf(std::string(kClass) + NodeYaml("n1") + NodeYaml("n2") +
                              NodeYaml("n3") + LikePodsYaml("deviceClassName: gpu"));
  selector::ExpressionCache expressions(placement::TestLanguage());
  placement::Placer placer(cluster, {}, expressions);
  const Diagnosis diagnosis = LikePods(placer, 1).Diagnose(cluster.pods().all().front());
  EXPECT_EQ(diagnosis.nodes.size(), 1U);
  EXPECT_EQ(diagnosis.further_nodes, 2U);
}

}  // namespace
}  // namespace quadra::diagnosis
