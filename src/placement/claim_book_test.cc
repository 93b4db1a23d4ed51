#include "placement/claim_book.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "placement/extended_resources.h"
#include "placement/pod_claims.h"
#include "placement/worlds_for_tests.h"

namespace quadra::placement {
namespace {

constexpr std::string_view kTemplate =
    "---\napiVersion: resource.k8s.io/v1\nkind: ResourceClaimTemplate\nmetadata: {name: t}\nspec: "
    "{metadata: {labels: {l: v}, annotations: {a: b}}, spec: {devices: {requests: [{name: r, "
    "exactly: {deviceClassName: any}}]}}}\n";

std::string Claim(std::string_view name, std::string_view meta = "") {
  return fmt::format(
      "---\napiVersion: resource.k8s.io/v1\nkind: ResourceClaim\nmetadata: {{name: {}{}}}\nspec: "
      "{{devices: {{requests: [{{name: r, exactly: {{deviceClassName: any}}}}]}}}}\n",
      name, meta);
}

// Of pod `p`, made for it as `pod_claim`.
std::string Owned(std::string_view uid, std::string_view pod_claim) {
  return fmt::format(
      ", annotations: {{resource.kubernetes.io/pod-claim-name: {}}}, ownerReferences: "
      "[{{apiVersion: v1, kind: Pod, name: p, uid: {}, controller: true}}]",
      pod_claim, uid);
}

std::string Pod(std::string_view claims, std::string_view statuses = "") {
  return fmt::format(
      "---\napiVersion: v1\nkind: Pod\nmetadata: {{name: p, uid: u}}\nspec: {{resourceClaims: "
      "[{}]}}\nstatus: {{resourceClaimStatuses: [{}]}}\n",
      claims, statuses);
}

// The names of the claims with spaces between, or why not.
std::string Told(const std::string& yaml) {
  const Cluster cluster = ClusterOf(yaml);
  const auto claims = ClaimBook(cluster).ClaimsOf(cluster.pods().all().front());
  if (!claims) {
    return fmt::format("{}: {}", reasons::NameOf(claims.error().code), claims.error().message);
  }
  std::string names;
  for (const api::ResourceClaim& claim : *claims) {
    names += (names.empty() ? "" : " ") + claim.metadata.name;
  }
  return names;
}

TEST(ClaimBook, FindsTheClaimsOfAPod) {
  const std::string named = "{name: c, resourceClaimName: x}";
  const std::string made = "{name: c, resourceClaimTemplateName: t}";
  const std::string t(kTemplate);
  struct Row {
    std::string_view what;
    std::string objects;
    std::string_view told;
  };
  for (const Row& row : {
           Row{"no claims", Pod(""), ""},
           Row{"by name", Pod(named) + Claim("x"), "x"},
           Row{"by name, anybody's", Pod(named) + Claim("x", Owned("other", "c")), "x"},
           Row{"one under two names is served twice",
               Pod(named + ", {name: d, resourceClaimName: x}") + Claim("x"), "x x"},
           Row{"in the pod's order",
               Pod(named + ", {name: d, resourceClaimName: w}") + Claim("w") + Claim("x"), "x w"},
           Row{"to be made", Pod(made) + t, "p-c"},
           Row{"to be made, the name is taken", Pod(made) + t + Claim("p-c"), "p-c-2"},
           Row{"made, as the status says",
               Pod(made, "{name: c, resourceClaimName: x}") + Claim("x", Owned("u", "c")), "x"},
           Row{"made, and the status does not say so yet",
               Pod(made) + t + Claim("x", Owned("u", "c")), "x"},
           Row{"made for another of its names", Pod(made) + t + Claim("x", Owned("u", "d")), "p-c"},
           Row{"deliberately not made", Pod(made, "{name: c}") + t, ""},
           Row{"missing", Pod(named), "NotModelled: could not find ResourceClaim \"default/x\""},
           Row{"template missing", Pod(made),
               "NotModelled: resource claim template \"t\": not found"},
           Row{"on its way out",
               Pod(named) + Claim("x", ", deletionTimestamp: 2026-01-01T00:00:00Z"),
               "ClaimDeleting: resourceclaim \"x\" is being deleted"},
           Row{"made for another pod",
               Pod(made, "{name: c, resourceClaimName: x}") + Claim("x", Owned("other", "c")),
               "NotModelled: ResourceClaim default/x was not created for Pod default/p (Pod is "
               "not owner)"},
           Row{"of a kind nobody knows", Pod("{name: c}"),
               "NotModelled: pod \"default/p\", spec.resourceClaim \"c\": none of the supported "
               "fields are set"},
       }) {
    EXPECT_EQ(Told(row.objects), row.told) << row.what;
  }
}

TEST(ClaimBook, WhatWasDecidedHidesWhatTheClusterHas) {
  const Cluster cluster = ClusterOf(Claim("x") + Pod("{name: c, resourceClaimName: x}"));
  ClaimBook book(cluster);
  api::ResourceClaim claim = *book.Find("default", "x");
  claim.status.allocation = api::AllocationResult();
  book.Put(claim);
  EXPECT_TRUE(book.Find("default", "x")->status.allocation);
  EXPECT_TRUE(book.ClaimsOf(cluster.pods().all().front())->front().status.allocation);
  EXPECT_FALSE(cluster.claims().Find("default", "x")->status.allocation);
  EXPECT_EQ(book.FreeName("default", "x"), "x-2");
  EXPECT_EQ(book.FreeName("other", "x"), "x");
}

TEST(ClaimBook, FindsWhatAnEarlierAttemptMadeForExtendedResources) {
  const std::string extended = fmt::format(
      ", annotations: {{{}: 'true'}}, ownerReferences: [{{apiVersion: v1, kind: Pod, "
      "name: p, uid: u, controller: true}}]",
      kExtendedClaimAnnotation);
  const Cluster with = ClusterOf(Pod("") + Claim("x", extended));
  const Cluster without = ClusterOf(Pod("") + Claim("x"));
  EXPECT_NE(ClaimBook(with).FindExtendedClaim(with.pods().all().front()), nullptr);
  EXPECT_EQ(ClaimBook(without).FindExtendedClaim(without.pods().all().front()), nullptr);
}

// --- Claims from templates.

TEST(PodClaims, GenerateNamesAreCutAsUpstreamCutsThem) {
  const std::string a100(100, 'a');
  EXPECT_EQ(GenerateNameOf("pod", "gpu"), "pod-gpu-");
  EXPECT_EQ(GenerateNameOf(std::string(63, 'a'), std::string(63, 'b')),
            std::string(28, 'a') + "-" + std::string(28, 'b'));
  EXPECT_EQ(GenerateNameOf(a100, "gpu"), std::string(54, 'a') + "-g");
}

TEST(PodClaims, AClaimIsMadeOfItsTemplate) {
  const Cluster cluster =
      ClusterOf(std::string(kTemplate) + Pod("{name: c, resourceClaimTemplateName: t}"));
  const api::Pod& pod = cluster.pods().all().front();
  const api::ResourceClaim claim =
      ClaimFromTemplate(pod, "c", *cluster.templates().Find("default", "t"));
  EXPECT_EQ(claim.metadata.name, "");
  EXPECT_EQ(claim.metadata.generate_name, "p-c-");
  EXPECT_EQ(claim.metadata.ns, "default");
  EXPECT_EQ(*claim.metadata.labels.Find("l"), "v");
  EXPECT_EQ(*claim.metadata.annotations.Find("a"), "b");
  EXPECT_EQ(*claim.metadata.annotations.Find(kPodClaimAnnotation), "c");
  EXPECT_TRUE(IsOwnedBy(claim, pod));
  EXPECT_EQ(claim.spec.devices.requests.size(), 1U);
}

}  // namespace
}  // namespace quadra::placement
