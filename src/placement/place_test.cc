#include "placement/place.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "placement/pod_claims.h"
#include "placement/reservation.h"
#include "placement/worlds_for_tests.h"

namespace quadra::placement {
namespace {

constexpr std::string_view kClass =
    "---\napiVersion: resource.k8s.io/v1\nkind: DeviceClass\nmetadata: {name: any}\n";

std::string RequestYaml(int count) {
  return fmt::format(
      "spec: {{devices: {{requests: [{{name: r, exactly: {{deviceClassName: any, count: "
      "{}}}}}]}}}}",
      count);
}

std::string ClaimYaml(std::string_view name, int count = 1, std::string_view more = "") {
  return fmt::format(
      "---\napiVersion: resource.k8s.io/v1\nkind: ResourceClaim\nmetadata: {{name: {}{}}}\n{}\n",
      name, more, RequestYaml(count));
}

std::string TemplateYaml(std::string_view name, int count = 1) {
  return fmt::format(
      "---\napiVersion: resource.k8s.io/v1\nkind: ResourceClaimTemplate\nmetadata: {{name: "
      "{}}}\nspec: {{metadata: {{labels: {{l: v}}}}, {}}}\n",
      name, RequestYaml(count));
}

std::string PodYaml(std::string_view name, std::string_view claims, std::string_view spec = "",
                    std::string_view meta = "", std::string_view status = "") {
  return fmt::format(
      "---\napiVersion: v1\nkind: Pod\nmetadata: {{name: {}, uid: uid-{}{}}}\nspec: "
      "{{resourceClaims: [{}]{}}}\n{}\n",
      name, name, meta, claims, spec, status);
}

std::string Devices(const Decision& decision) {
  std::string text;
  for (const ServedClaim& served : decision.claims) {
    const api::AllocationResult allocation =
        served.claim.status.allocation.value_or(api::AllocationResult());
    for (const auto& result : allocation.devices.results) {
      text += (text.empty() ? "" : " ") + result.pool + "/" + result.device;
    }
  }
  return text;
}

std::string Told(const Decision& decision) {
  const std::string name = decision.pod != nullptr ? decision.pod->metadata.name
                                                   : decision.claims.front().claim.metadata.name;
  return decision.refusal ? fmt::format("{}: {}: {}\n", name,
                                        reasons::NameOf(decision.refusal->code), decision.sentence)
                          : fmt::format("{}@{}: {}\n", name, decision.node, Devices(decision));
}

// "pod@node: pool/device …" or "pod: Code: reason", one a line, in the order of being served.
// Without pods each claim by itself; `together`: all as those of one pod.
std::string Told(Cluster cluster, const PlaceOptions& options = {}, bool together = false) {
  selector::ExpressionCache expressions(TestLanguage());
  Placer placer(cluster, options, expressions);
  std::string text;
  for (const api::Pod* pod : placer.queue().waiting) {
    text += Told(placer.Place(*pod));
  }
  std::vector<const api::ResourceClaim*> claims;
  for (const api::ResourceClaim& claim : cluster.claims().all()) {
    claims.push_back(&claim);
  }
  const std::size_t group = together ? claims.size() : 1;
  for (std::size_t i = 0; cluster.pods().all().empty() && i < claims.size(); i += group) {
    text += Told(placer.Place(std::span(claims).subspan(i, group)));
  }
  return text;
}

std::string Told(const std::string& yaml, const PlaceOptions& options = {}, bool together = false) {
  return Told(ClusterOf(yaml), options, together);
}

TEST(Place, PodsByPriorityThenAgeThenName) {
  const std::string world =
      std::string(kClass) + NodeYaml("n1") + SliceYaml("n1", 4) + TemplateYaml("t");
  const std::string claim = "{name: c, resourceClaimTemplateName: t}";
  EXPECT_EQ(Told(world + PodYaml("young", claim, "", ", creationTimestamp: 2026-01-02T00:00:00Z") +
                 PodYaml("b", claim, "", ", creationTimestamp: 2026-01-01T00:00:00Z") +
                 PodYaml("a", claim, "", ", creationTimestamp: 2026-01-01T00:00:00Z") +
                 PodYaml("high", claim, ", priority: 5")),
            "high@n1: n1/d0\na@n1: n1/d1\nb@n1: n1/d2\nyoung@n1: n1/d3\n");
}

TEST(Place, PriorityClassesCount) {
  const std::string world =
      std::string(kClass) + NodeYaml("n1") + SliceYaml("n1", 4) + TemplateYaml("t");
  const std::string claim = "{name: c, resourceClaimTemplateName: t}";
  Cluster cluster =
      ClusterOf(world + PodYaml("a", claim) + PodYaml("b", claim, ", priorityClassName: top"));
  cluster.Put(api::PriorityClass{.metadata = {.name = "top"}, .value = 9});
  EXPECT_EQ(Told(std::move(cluster)), "b@n1: n1/d0\na@n1: n1/d1\n");
}

TEST(Place, SkipsWhoDoesNotWait) {
  const std::string claim = "{name: c, resourceClaimTemplateName: t}";
  Cluster cluster =
      ClusterOf(std::string(kClass) + NodeYaml("n1") + SliceYaml("n1", 4) + TemplateYaml("t") +
                PodYaml("done", claim, "", "", "status: {phase: Succeeded}") +
                PodYaml("gone", claim, "", ", deletionTimestamp: 2026-01-01T00:00:00Z") +
                PodYaml("gated", claim, ", schedulingGates: [{name: g}]") + PodYaml("plain", ""));
  selector::ExpressionCache expressions(TestLanguage());
  const Placer placer(cluster, {}, expressions);
  EXPECT_TRUE(placer.queue().waiting.empty());
  EXPECT_EQ(placer.queue().finished, 1U);
  EXPECT_EQ(placer.queue().deleting, 1U);
  EXPECT_EQ(placer.queue().gated, 1U);
  EXPECT_EQ(placer.queue().without_claims, 1U);
}

TEST(Place, SharedClaimsAreAllocatedOnce) {
  EXPECT_EQ(Told(std::string(kClass) + NodeYaml("n1") + NodeYaml("n2") + SliceYaml("n1", 1) +
                 SliceYaml("n2", 1) + ClaimYaml("shared") +
                 PodYaml("a", "{name: c, resourceClaimName: shared}") +
                 PodYaml("b", "{name: c, resourceClaimName: shared}")),
            "a@n1: n1/d0\nb@n1: n1/d0\n");
}

TEST(Place, AllocatedClaimsBindToTheirNodes) {
  const std::string allocated =
      "---\napiVersion: resource.k8s.io/v1\nkind: ResourceClaim\nmetadata: {name: c}\nstatus: "
      "{allocation: {nodeSelector: {nodeSelectorTerms: [{matchFields: [{key: metadata.name, "
      "operator: In, values: [n2]}]}]}, devices: {results: [{request: r, driver: drv, pool: n2, "
      "device: d0}]}}}\n";
  const std::string world = std::string(kClass) + NodeYaml("n1") + NodeYaml("n2") +
                            SliceYaml("n1", 2) + SliceYaml("n2", 2) + allocated;
  EXPECT_EQ(Told(world + PodYaml("a", "{name: c, resourceClaimName: c}")), "a@n2: n2/d0\n");
  EXPECT_EQ(
      Told(world + PodYaml("a", "{name: c, resourceClaimName: c}", ", nodeSelector: {zone: b}")),
      "a: NodeRejects: node(s) didn't match Pod's node affinity/selector: label zone=b is wanted; "
      "it would fit otherwise (2 nodes: NodeRejects "
      "2)\n");
}

TEST(Place, WaitingPodsAreToldInTheSchedulersWords) {
  const std::string world = std::string(kClass) + NodeYaml("n1") + SliceYaml("n1", 4);
  struct Row {
    std::string objects;
    std::string_view told;
  };
  const std::string by_name = "{name: c, resourceClaimName: x}";
  const std::string by_template = "{name: c, resourceClaimTemplateName: t}";
  const std::string status = "status: {resourceClaimStatuses: [{name: c, resourceClaimName: x}]}";
  for (const Row& row : {
           Row{PodYaml("p", by_name), "could not find ResourceClaim \"default/x\""},
           Row{PodYaml("p", by_template), "resource claim template \"t\": not found"},
           Row{PodYaml("p", "{name: c}"),
               "pod \"default/p\", spec.resourceClaim \"c\": none of the supported fields are set"},
           Row{PodYaml("p", by_template, "", "", status) + ClaimYaml("x"),
               "ResourceClaim default/x was not created for Pod default/p (Pod is not owner)"},
           Row{PodYaml("p", by_name, ", schedulingGroup: {podGroupName: g}") + ClaimYaml("x"),
               "the pod belongs to PodGroup g; groups and their claims are not modelled"},
       }) {
    EXPECT_EQ(Told(world + row.objects), fmt::format("p: NotModelled: {}\n", row.told));
  }
}

TEST(Place, ClaimsOfTemplatesAreMadeAsTheControllerMakesThem) {
  Cluster cluster =
      ClusterOf(std::string(kClass) + NodeYaml("n1") + SliceYaml("n1", 1) + TemplateYaml("t") +
                PodYaml("p", "{name: c, resourceClaimTemplateName: t}"));
  selector::ExpressionCache expressions(TestLanguage());
  Placer placer(cluster, {}, expressions);
  const Decision decision = placer.Place(*placer.queue().waiting[0]);
  ASSERT_EQ(decision.claims.size(), 1U);
  const api::ResourceClaim& claim = decision.claims[0].claim;
  EXPECT_EQ(claim.metadata.name, "p-c");
  EXPECT_EQ(claim.metadata.generate_name, "p-c-");
  EXPECT_EQ(*claim.metadata.labels.Find("l"), "v");
  EXPECT_EQ(*claim.metadata.annotations.Find(kPodClaimAnnotation), "c");
  ASSERT_EQ(claim.metadata.owner_references.size(), 1U);
  EXPECT_EQ(claim.metadata.owner_references[0].uid, "uid-p");
  ASSERT_EQ(claim.metadata.finalizers.size(), 1U);
  ASSERT_EQ(claim.status.reserved_for.size(), 1U);
  EXPECT_EQ(claim.status.reserved_for[0].resource, "pods");
  EXPECT_EQ(claim.status.reserved_for[0].uid, "uid-p");
  const auto& allocation = claim.status.allocation;
  EXPECT_TRUE(allocation && !allocation->allocation_timestamp);
}

TEST(Place, ClaimsMadeBeforeAreFoundByTheirOwner) {
  const std::string owned =
      ", uid: u, annotations: {resource.kubernetes.io/pod-claim-name: c}, ownerReferences: "
      "[{apiVersion: v1, kind: Pod, name: p, uid: uid-p, controller: true}]";
  Cluster cluster = ClusterOf(std::string(kClass) + NodeYaml("n1") + SliceYaml("n1", 1) +
                              ClaimYaml("p-c-x7k2p", 1, owned) +
                              PodYaml("p", "{name: c, resourceClaimTemplateName: t}"));
  selector::ExpressionCache expressions(TestLanguage());
  Placer placer(cluster, {}, expressions);
  const Decision decision = placer.Place(*placer.queue().waiting[0]);
  ASSERT_TRUE(decision.allocated()) << decision.sentence;
  EXPECT_EQ(decision.claims[0].claim.metadata.name, "p-c-x7k2p");
}

TEST(Place, PodsThatWerePutOnTheirNodeGetNothing) {
  EXPECT_EQ(
      Told(std::string(kClass) + NodeYaml("n1") + NodeYaml("n2", "spec: {unschedulable: true}") +
           SliceYaml("n1", 1) + SliceYaml("n2", 1) + ClaimYaml("x") +
           PodYaml("p", "{name: c, resourceClaimName: x}", ", nodeName: n2")),
      "p: NotScheduled: the pod was put on node n2 without the scheduler, and nobody else "
      "allocates "
      "claim default/x for it\n");
}

TEST(Place, TheNodeWithTheBetterAlternativeWins) {
  const std::string claim =
      "---\napiVersion: resource.k8s.io/v1\nkind: ResourceClaim\nmetadata: {name: x}\nspec: "
      "{devices: "
      "{requests: [{name: r, firstAvailable: [{name: two, deviceClassName: any, count: 2}, {name: "
      "one, deviceClassName: any, count: 1}]}]}}\n";
  EXPECT_EQ(Told(std::string(kClass) + NodeYaml("n1") + NodeYaml("n2") + SliceYaml("n1", 1) +
                 SliceYaml("n2", 2) + claim + PodYaml("p", "{name: c, resourceClaimName: x}")),
            "p@n2: n2/d0 n2/d1\n");
}

TEST(Place, TheReasonIsThatOfTheNearestNodes) {
  EXPECT_EQ(
      Told(std::string(kClass) + NodeYaml("n1") + NodeYaml("n2") + NodeYaml("n3") +
           NodeYaml("n4", "spec: {taints: [{key: k, effect: NoSchedule}]}") + SliceYaml("n1", 1) +
           SliceYaml("n3", 1) + SliceYaml("n4", 2) + TemplateYaml("t", 2) +
           PodYaml("p", "{name: c, resourceClaimTemplateName: t}")),
      "p: NodeRejects: node(s) had untolerated taint(s): k:NoSchedule; it would fit otherwise (4 "
      "nodes: CountPerNode 2, "
      "NoSlices 1, NodeRejects 1)\n");
}

TEST(Place, WhatNeedsNoSearch) {
  struct Row {
    std::string_view request;
    std::string_view told;
  };
  for (const Row& row : {
           Row{"deviceClassName: any, count: -5",
               "Invalid: request r: count must be greater than 0, not -5"},
           Row{"deviceClassName: none",
               "ClassMissing: request r: device class none does not exist"},
           Row{"deviceClassName: any, count: 33",
               "TooManyDevices: request r: adding 33 devices exceeds the claim limit of 32, with 0 "
               "already accounted for"},
           Row{"deviceClassName: any, adminAccess: true",
               "AdminAccessDenied: request r: admin access to devices requires the "
               "`resource.kubernetes.io/admin-access: true` label on namespace default"},
       }) {
    Cluster cluster = ClusterOf(
        std::string(kClass) + NodeYaml("n1") + SliceYaml("n1", 4) +
        fmt::format("---\napiVersion: resource.k8s.io/v1\nkind: ResourceClaim\nmetadata: {{name: "
                    "x}}\nspec: {{devices: {{requests: [{{name: r, exactly: {{{}}}}}]}}}}\n",
                    row.request));
    cluster.Put(api::Namespace{.metadata = {.name = "default"}});
    EXPECT_EQ(Told(std::move(cluster)), fmt::format("x: {}\n", row.told));
  }
}

// The API server would refuse the 257th; no node is chosen for it.
TEST(Place, AClaimHasAsManyConsumersAsItMay) {
  std::string world = std::string(kClass) + NodeYaml("n1") + SliceYaml("n1", 1) + ClaimYaml("x");
  std::string expected;
  for (std::size_t i = 0; i <= kMostConsumers; ++i) {
    const std::string name = fmt::format("p{:03}", i);
    world += PodYaml(name, "{name: c, resourceClaimName: x}");
    expected += i < kMostConsumers
                    ? name + "@n1: n1/d0\n"
                    : name +
                          ": ClaimInUse: resourceclaim in use: default/x has 256 consumers, and no "
                          "more are allowed\n";
  }
  EXPECT_EQ(Told(world), expected);
}

TEST(Place, ClaimsByThemselvesInOrderOrTogether) {
  const std::string world = std::string(kClass) + NodeYaml("n1") + NodeYaml("n2") +
                            SliceYaml("n1", 2) + SliceYaml("n2", 3) + ClaimYaml("b", 2) +
                            ClaimYaml("a", 1);
  EXPECT_EQ(Told(world), "b@n1: n1/d0 n1/d1\na@n2: n2/d0\n");
  EXPECT_EQ(Told(world, {}, true), "b@n2: n2/d0 n2/d1 n2/d2\n");
  EXPECT_EQ(Told(world, {.node = "n2"}), "b@n2: n2/d0 n2/d1\na@n2: n2/d2\n");
}

TEST(Place, NodesAreDerivedWhereThereAreNone) {
  EXPECT_EQ(
      Told(std::string(kClass) + SliceYaml("n7", 1) + ClaimYaml("x") + ClaimYaml("z")),
      "x@n7: n7/d0\nz: DevicesBusy: request r: 1 device wanted, 0 of 1 that match are free\n");
  const std::string everywhere =
      "---\napiVersion: resource.k8s.io/v1\nkind: ResourceSlice\nmetadata: {name: s}\nspec: "
      "{driver: drv, allNodes: true, pool: {name: p, generation: 1, resourceSliceCount: 1}, "
      "devices: [{name: d0}]}\n";
  EXPECT_EQ(Told(std::string(kClass) + everywhere + ClaimYaml("x")), "x@any: p/d0\n");
}

// What is remembered of one claim is told of another under its own name, and not at all where
// upstream's words name the first.
TEST(Place, LikeClaimsAreToldUnderTheirOwnNames) {
  const std::string world = std::string(kClass) + NodeYaml("n1") + SliceYaml("n1", 33);
  const std::string all =
      "---\napiVersion: resource.k8s.io/v1\nkind: ResourceClaim\nmetadata: {{name: {}}}\nspec: "
      "{{devices: {{requests: [{{name: r, exactly: {{deviceClassName: any, allocationMode: "
      "All}}}}]}}}}\n";
  constexpr std::string_view kTold =
      "{0}: TooManyDevices: claim default/{0}, request r: adding 33 devices exceeds the claim "
      "limit of 32, with 0 already accounted for\n";
  EXPECT_EQ(Told(world + fmt::format(fmt::runtime(all), "a") + fmt::format(fmt::runtime(all), "b")),
            fmt::format(kTold, "a") + fmt::format(kTold, "b"));
  const std::string two = "{name: c, resourceClaimName: few}, {name: d, resourceClaimName: ";
  EXPECT_EQ(Told(std::string(kClass) + NodeYaml("n1") + SliceYaml("n1", 1) + ClaimYaml("few") +
                 ClaimYaml("x", 2) + ClaimYaml("w", 2) + PodYaml("p", two + "x}") +
                 PodYaml("q", two + "w}")),
            "p: CountPerNode: claim default/x, request r: 2 devices wanted, 1 of 1 match\n"
            "q: CountPerNode: claim default/w, request r: 2 devices wanted, 1 of 1 match\n");
}

// Many like claims: what nodes said is remembered, and forgotten where it no longer holds.
TEST(Place, RemembersOnlyWhatStillHolds) {
  std::string world = std::string(kClass);
  for (int n = 0; n < 3; ++n) {
    world += NodeYaml(fmt::format("n{}", n)) + SliceYaml(fmt::format("n{}", n), 2);
  }
  std::string expected;
  for (int i = 0; i < 6; ++i) {
    world += ClaimYaml(fmt::format("c{}", i));
    expected += fmt::format("c{0}@n{1}: n{1}/d{2}\n", i, i / 2, i % 2);
  }
  for (int i = 6; i < 8; ++i) {
    world += ClaimYaml(fmt::format("c{}", i));
    expected += fmt::format(
        "c{}: DevicesBusy: request r: 1 device wanted, 0 of 2 that match are free (3 nodes: "
        "DevicesBusy 3)\n",
        i);
  }
  EXPECT_EQ(Told(world), expected);
}

}  // namespace
}  // namespace quadra::placement
