#include "placement/cluster.h"

#include <gtest/gtest.h>

#include "placement/derived_nodes.h"
#include "placement/worlds_for_tests.h"

namespace quadra::placement {
namespace {

TEST(Cluster, PrioritiesOfPods) {
  Cluster cluster = ClusterOf("");
  cluster.Put(api::PriorityClass{.metadata = {.name = "high"}, .value = 1000});
  struct Row {
    std::string_view what;
    std::optional<std::int32_t> priority;
    std::string_view priority_class;
    std::int32_t expected;
  };
  const auto check = [&](const Row& row) {
    api::Pod pod;
    pod.spec.priority = row.priority;
    pod.spec.priority_class_name = row.priority_class;
    EXPECT_EQ(cluster.PriorityOf(pod), row.expected) << row.what;
  };
  check({"its own", 5, "high", 5});
  check({"of its class", std::nullopt, "high", 1000});
  check({"of a class that every cluster has", std::nullopt, "system-node-critical", 2'000'001'000});
  check({"of a class that is not there", std::nullopt, "low", 0});
  check({"without a class", std::nullopt, "", 0});
  cluster.Put(
      api::PriorityClass{.metadata = {.name = "usual"}, .value = 7, .global_default = true});
  check({"the global default", std::nullopt, "", 7});
  cluster.RemovePriorityClass("usual");
  check({"no default any more", std::nullopt, "", 0});
}

constexpr std::string_view kHolder =
    "apiVersion: resource.k8s.io/v1\nkind: ResourceClaim\nmetadata: {name: c, uid: one}\nstatus: "
    "{allocation: {devices: {results: [{request: r, driver: d, pool: p, device: x}]}}}\n";

// Objects and inventory follow from the same calls.
TEST(Cluster, WhatAClaimHoldsGoesWithIt) {
  const inventory::DeviceId device{"d", "p", "x"};
  Cluster cluster = ClusterOf(kHolder);
  EXPECT_NE(cluster.Take().held().Find(device), nullptr);
  cluster.RemoveClaim("default", "c");
  EXPECT_EQ(cluster.Take().held().Find(device), nullptr);
  EXPECT_TRUE(cluster.claims().all().empty());
  cluster.RemoveClaim("default", "c");
}

TEST(Cluster, AClaimMadeAnewHoldsOnlyWhatItHolds) {
  Cluster cluster = ClusterOf(kHolder);
  api::ResourceClaim anew = cluster.claims().all().front();
  anew.metadata.uid = "two";
  anew.status = {};
  EXPECT_FALSE(cluster.Put(anew));
  EXPECT_EQ(cluster.Take().held().Find({"d", "p", "x"}), nullptr);
}

TEST(Cluster, SaysWhatIsNewAndForgetsWhatIsRemoved) {
  Cluster cluster = ClusterOf("");
  const api::Node node{.metadata = {.name = "n"}};
  EXPECT_TRUE(cluster.Put(node));
  EXPECT_FALSE(cluster.Put(node));
  cluster.RemoveNode("n");
  EXPECT_TRUE(cluster.Take().nodes().empty());
  EXPECT_TRUE(cluster.Put(node));
  EXPECT_TRUE(cluster.Put(api::Namespace{.metadata = {.name = "a"}}));
  EXPECT_NE(cluster.NamespaceLabels("a"), nullptr);
  cluster.RemoveNamespace("a");
  EXPECT_EQ(cluster.NamespaceLabels("a"), nullptr);
}

// Pointers to others hold while objects come and go.
TEST(Shelf, KeepsOrderAndPlaces) {
  Shelf<api::Pod> shelf;
  const auto pod = [](std::string_view name, std::string_view phase = "") {
    api::Pod made;
    made.metadata = {.name = std::string(name), .ns = "a"};
    made.status.phase = phase;
    return made;
  };
  for (const std::string_view name : {"x", "y", "z"}) {
    EXPECT_TRUE(shelf.Put(pod(name)));
  }
  const api::Pod* z = shelf.Find("a", "z");
  shelf.Remove("a", "y");
  shelf.Remove("b", "x");
  EXPECT_FALSE(shelf.Put(pod("x", "Running")));
  EXPECT_TRUE(shelf.Put(pod("y")));
  EXPECT_EQ(shelf.Find("a", "z"), z);
  std::string names;
  for (const api::Pod& each : shelf.all()) {
    names += each.metadata.name + each.status.phase + " ";
  }
  EXPECT_EQ(names, "xRunning z y ");
}

TEST(DerivedNodes, AreThoseThatSlicesName) {
  Cluster cluster = ClusterOf(R"(
apiVersion: resource.k8s.io/v1
kind: ResourceSlice
metadata: {name: s1}
spec: {driver: d, nodeName: n2, pool: {name: p, generation: 1, resourceSliceCount: 1}}
---
apiVersion: resource.k8s.io/v1
kind: ResourceSlice
metadata: {name: s2}
spec:
  driver: d
  perDeviceNodeSelection: true
  pool: {name: q, generation: 1, resourceSliceCount: 1}
  devices: [{name: one, nodeName: n1}, {name: two, allNodes: true}]
)");
  const auto names = [](const inventory::Snapshot& snapshot) {
    std::string text;
    for (const auto& [name, node] : snapshot.nodes()) {
      text += name + " ";
    }
    return text;
  };
  EXPECT_EQ(names(WithNodes(cluster.Take(), std::nullopt).Take()), "n1 n2 ");
  EXPECT_EQ(names(WithNodes(cluster.Take(), "n7").Take()), "n1 n2 n7 ");
  EXPECT_EQ(names(WithNodes(ClusterOf("").Take(), std::nullopt).Take()), "any ");
  cluster.Put(api::Node{.metadata = {.name = "real"}});
  EXPECT_EQ(names(WithNodes(cluster.Take(), "n7").Take()), "real ");
}

}  // namespace
}  // namespace quadra::placement
