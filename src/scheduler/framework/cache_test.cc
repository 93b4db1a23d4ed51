#include "scheduler/framework/cache.h"

#include <gtest/gtest.h>

#include "scheduler/framework/worlds_for_tests.h"

namespace quadra::scheduler {
namespace {

constexpr std::string_view kOneCpu = "{containers: [{name: c, resources: {requests: {cpu: 1}}}]}";

PodInfoPtr Bound(std::string_view name, std::string_view node) {
  return PodOf(
      {.name = name,
       .spec = fmt::format("{{nodeName: {}, containers: [{{name: c, resources: {{requests: "
                           "{{cpu: 1}}}}}}]}}",
                           node)});
}

std::string OrderOf(const Cache& cache) {
  std::string order;
  for (const NodeInfo* const node : cache.nodes()) {
    order += (order.empty() ? "" : " ") + node->name();
  }
  return order;
}

std::string PodsOn(const Cache& cache, std::string_view node) {
  const NodeInfo* const info = cache.Find(node);
  if (info == nullptr) {
    return "-";
  }
  std::string pods;
  for (const PodInfoPtr& pod : info->pods()) {
    pods += (pods.empty() ? "" : " ") + pod->pod.metadata.name;
  }
  EXPECT_EQ(info->requested().milli_cpu, static_cast<std::int64_t>(info->pods().size()) * 1000);
  return pods;
}

std::shared_ptr<const api::Node> InZone(std::string_view name, std::string_view zone) {
  return NodeOf({.name = name, .labels = fmt::format("{{topology.kubernetes.io/zone: {}}}", zone)});
}

TEST(Cache, WalksZonesInTurns) {
  Cache cache;
  cache.PutNode(InZone("a1", "a"));
  cache.PutNode(InZone("a2", "a"));
  cache.PutNode(InZone("b1", "b"));
  cache.PutNode(NodeOf({.name = "none"}));
  cache.PutNode(InZone("a3", "a"));
  cache.PutNode(InZone("b2", "b"));
  EXPECT_EQ(OrderOf(cache), "a1 b1 none a2 b2 a3");
  cache.PutNode(InZone("a1", "b"));  // moved: it is the last of its new zone
  EXPECT_EQ(OrderOf(cache), "a2 b1 none a3 b2 a1");
  cache.RemoveNode("none");
  cache.RemoveNode("b1");
  EXPECT_EQ(OrderOf(cache), "a2 b2 a3 a1");
  cache.PutNode(NodeOf({.name = "old",
                        .labels = "{failure-domain.beta.kubernetes.io/zone: a, "
                                  "topology.kubernetes.io/zone: b}"}));
  cache.PutNode(InZone("a4", "a"));
  EXPECT_EQ(OrderOf(cache), "a2 b2 a3 a1 old a4");  // the older label counts
}

TEST(Cache, CountsPodsWhereTheyAre) {
  Cache cache;
  cache.PutNode(NodeOf({.name = "n1"}));
  cache.PutNode(NodeOf({.name = "n2"}));
  cache.PutPod(Bound("a", "n1"));
  cache.PutPod(Bound("b", "n1"));
  EXPECT_EQ(PodsOn(cache, "n1"), "a b");
  cache.PutPod(Bound("a", "n2"));
  EXPECT_EQ(PodsOn(cache, "n1") + "|" + PodsOn(cache, "n2"), "b|a");
  cache.RemovePod(*Bound("b", "n1"));
  cache.RemovePod(*Bound("b", "n1"));
  EXPECT_EQ(PodsOn(cache, "n1"), "");
}

TEST(Cache, KeepsPodsForNodesThatAreToCome) {
  Cache cache;
  cache.PutPod(Bound("a", "n1"));
  cache.PutPod(Bound("b", "n1"));
  EXPECT_EQ(PodsOn(cache, "n1"), "-");
  cache.RemovePod(*Bound("b", "n1"));
  cache.PutNode(NodeOf({.name = "n1"}));
  EXPECT_EQ(PodsOn(cache, "n1"), "a");
  cache.RemoveNode("n1");
  EXPECT_EQ(cache.Find("n1"), nullptr);
  cache.PutNode(NodeOf({.name = "n1"}));
  EXPECT_EQ(PodsOn(cache, "n1"), "a");
}

TEST(Cache, AssumesPodsUntilTheyAreConfirmed) {
  Cache cache;
  cache.PutNode(NodeOf({.name = "n1"}));
  cache.PutNode(NodeOf({.name = "n2"}));
  const PodInfoPtr pod = PodOf({.name = "a", .spec = kOneCpu});
  cache.Assume(pod, "n1");
  EXPECT_TRUE(cache.IsAssumed(*pod));
  EXPECT_EQ(cache.FindAssumed(*PodOf({.name = "a"})), pod);
  EXPECT_EQ(PodsOn(cache, "n1"), "a");
  cache.Forget(*pod);
  EXPECT_FALSE(cache.IsAssumed(*pod));
  EXPECT_EQ(PodsOn(cache, "n1"), "");

  cache.Assume(pod, "n1");
  cache.PutPod(Bound("a", "n2"));  // somebody else was quicker
  EXPECT_FALSE(cache.IsAssumed(*pod));
  EXPECT_EQ(PodsOn(cache, "n1") + "|" + PodsOn(cache, "n2"), "|a");
  cache.Forget(*pod);  // it is there
  EXPECT_EQ(PodsOn(cache, "n2"), "a");
}

TEST(Cache, ListsNodesWithAffinity) {
  constexpr std::string_view kTerm = "[{topologyKey: zone, labelSelector: {matchLabels: {a: b}}}]";
  Cache cache;
  cache.PutNode(NodeOf({.name = "n1"}));
  cache.PutNode(NodeOf({.name = "n2"}));
  EXPECT_TRUE(cache.with_affinity().empty());
  const PodInfoPtr near =
      PodOf({.name = "near",
             .spec = fmt::format("{{nodeName: n1, affinity: {{podAffinity: "
                                 "{{requiredDuringSchedulingIgnoredDuringExecution: {}}}}}}}",
                                 kTerm)});
  const PodInfoPtr far =
      PodOf({.name = "far",
             .spec = fmt::format("{{nodeName: n2, affinity: {{podAntiAffinity: "
                                 "{{requiredDuringSchedulingIgnoredDuringExecution: {}}}}}}}",
                                 kTerm)});
  cache.PutPod(near);
  EXPECT_EQ(cache.with_affinity().size(), 1U);
  EXPECT_TRUE(cache.with_required_anti_affinity().empty());
  cache.PutPod(far);
  EXPECT_EQ(cache.with_affinity().size(), 2U);
  ASSERT_EQ(cache.with_required_anti_affinity().size(), 1U);
  EXPECT_EQ(cache.with_required_anti_affinity().front()->name(), "n2");
  cache.RemovePod(*far);
  EXPECT_EQ(cache.with_affinity().size(), 1U);
  EXPECT_TRUE(cache.with_required_anti_affinity().empty());
}

std::shared_ptr<const api::Node> WithImages(std::string_view name, std::string_view images) {
  return NodeOf({.name = name, .status = fmt::format("{{images: {}}}", images)});
}
std::string ImageText(const Cache& cache, std::string_view image) {
  const ImageState* const state = cache.Image(image);
  return state == nullptr ? "-" : fmt::format("{} on {}", state->size, state->nodes);
}

TEST(Cache, KnowsHowWidespreadImagesAre) {
  Cache cache;
  cache.PutNode(WithImages("n1", "[{names: ['a:1', 'a@sha256:x'], sizeBytes: 10}]"));
  cache.PutNode(WithImages("n2", "[{names: ['a:1', 'b:1'], sizeBytes: 20}]"));
  EXPECT_EQ(ImageText(cache, "a:1"), "10 on 2");  // of the size that was told first
  EXPECT_EQ(ImageText(cache, "a@sha256:x"), "10 on 1");
  EXPECT_EQ(ImageText(cache, "b:1"), "20 on 1");
  EXPECT_TRUE(cache.Find("n2")->HasImage("b:1"));
  EXPECT_FALSE(cache.Find("n1")->HasImage("b:1"));
  cache.RemoveNode("n1");
  EXPECT_EQ(ImageText(cache, "a:1"), "10 on 1");
  EXPECT_EQ(ImageText(cache, "a@sha256:x"), "-");
  cache.PutNode(WithImages("n2", "[{names: ['a:1'], sizeBytes: 30}]"));
  EXPECT_EQ(ImageText(cache, "a:1"), "30 on 1");  // nobody else has it
  EXPECT_EQ(ImageText(cache, "b:1"), "-");
  cache.PutNode(
      WithImages("n3", "[{names: ['c:1'], sizeBytes: 1}, {names: ['c:1', 'c:1'], sizeBytes: 2}]"));
  EXPECT_EQ(ImageText(cache, "c:1"), "1 on 1");  // however often a node lists it
}

TEST(Cache, NamesImagesWithTheirTags) {
  struct Row {
    std::string_view image;
    std::string_view normalized;
  };
  const Row rows[] = {
      {"nginx", "nginx:latest"},
      {"nginx:1.27", "nginx:1.27"},
      {"reg.io/nginx", "reg.io/nginx:latest"},
      {"reg.io:5000/nginx", "reg.io:5000/nginx:latest"},
      {"reg.io:5000/nginx:1", "reg.io:5000/nginx:1"},
      {"nginx@sha256:abc", "nginx@sha256:abc"},
  };
  for (const Row& row : rows) {
    EXPECT_EQ(NormalizedImageName(row.image), row.normalized);
  }
}

TEST(Cache, KnowsTheLabelsOfNamespaces) {
  Cache cache;
  EXPECT_EQ(cache.NamespaceLabels("team"), nullptr);
  cache.PutNamespace("team", {{"a", "b"}});
  ASSERT_NE(cache.NamespaceLabels("team"), nullptr);
  EXPECT_TRUE(cache.NamespaceLabels("team")->contains("a"));
  cache.RemoveNamespace("team");
  EXPECT_EQ(cache.NamespaceLabels("team"), nullptr);
}

TEST(NodeInfo, CountsWhatPodsTake) {
  NodeInfo node(
      NodeOf({.status = "{allocatable: {cpu: 4, memory: 8, pods: 10, example.com/a: 2}}"}));
  EXPECT_EQ(node.allowed_pods(), 10);
  EXPECT_EQ(node.allocatable().Get("example.com/a"), 2);
  const std::uint64_t generation = node.generation();
  const PodInfoPtr pod = PodOf(
      {.name = "a",
       .spec = "{containers: [{name: c, ports: [{hostPort: 80}], resources: {requests: {cpu: 1, "
               "example.com/a: 1}}}, {name: d}]}"});
  node.Add(pod);
  EXPECT_EQ(node.requested().milli_cpu, 1000);
  EXPECT_EQ(node.requested().Get("example.com/a"), 1);
  EXPECT_EQ(node.non_zero_requested().milli_cpu, 1100);
  EXPECT_EQ(node.non_zero_requested().memory, std::int64_t{400} * 1024 * 1024);
  EXPECT_EQ(node.used_ports().size(), 1U);
  EXPECT_NE(node.generation(), generation);

  NodeInfo trial = node;
  EXPECT_TRUE(trial.Remove(*pod));
  EXPECT_FALSE(trial.Remove(*pod));
  EXPECT_EQ(trial.requested().milli_cpu, 0);
  EXPECT_EQ(trial.non_zero_requested().memory, 0);
  EXPECT_TRUE(trial.used_ports().empty());
  EXPECT_EQ(node.pods().size(), 1U);
}

}  // namespace
}  // namespace quadra::scheduler
