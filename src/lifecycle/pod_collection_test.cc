#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "lifecycle/cluster_for_tests.h"
#include "lifecycle/lifecycle.h"

namespace quadra::lifecycle {
namespace {

using Lines = std::vector<std::string>;
using std::chrono::seconds;

constexpr std::string_view kPods = "/api/v1/namespaces/default/pods";

std::string Path(std::string_view name) { return fmt::format("{}/{}", kPods, name); }
std::string Deleting(std::string_view name) { return "DELETE " + Path(name); }
std::string Failing(std::string_view name) { return "PATCH " + Path(name) + "/status"; }

class PodCollectionTest : public testing::Test {
 protected:
  void SetUp() override {
    cluster.Ask("POST", "/api/v1/namespaces/default/serviceaccounts",
                R"({"metadata":{"name":"default"}})");
  }
  void Pod(std::string_view name, std::string_view node = "", std::string_view phase = "",
           std::string_view reason = "", bool keep = false) {
    cluster.Make(std::string(kPods), fmt::format(R"({{"metadata":{{"name":"{}","finalizers":[{}]}},
                     "spec":{{"nodeName":"{}","containers":[{{"name":"c","image":"i"}}]}}}})",
                                                 name, keep ? R"("example.com/keep")" : "", node));
    if (!phase.empty()) {
      cluster.Ask("PATCH merge", Path(name) + "/status",
                  fmt::format(R"({{"status":{{"phase":"{}","reason":"{}"}}}})", phase, reason));
    }
    cluster.Advance(seconds(1));
  }
  void Node(std::string_view name, std::string_view ready = "True", std::string_view taint = "") {
    cluster.Make(
        "/api/v1/nodes",
        fmt::format(R"({{"metadata":{{"name":"{}"}},"spec":{{"taints":[{}]}}}})", name, taint));
    cluster.Ask(
        "PATCH merge", fmt::format("/api/v1/nodes/{}/status", name),
        fmt::format(R"({{"status":{{"conditions":[{{"type":"Ready","status":"{}"}}]}}}})", ready));
  }
  void Begin(PodCollectionOptions options = {}) {
    cluster.Run(MakePodCollection(cluster.context, options));
    ASSERT_TRUE(cluster.UntilIdle());
  }
  bool Has(std::string_view name) { return cluster.Has(Path(name)); }

  Cluster cluster;
};

TEST_F(PodCollectionTest, TheOldestOfTooManyFinishedPodsGo) {
  Pod("old", "n", "Succeeded");
  Pod("evicted", "n", "Failed", "Evicted");
  Pod("runs", "n", "Running");
  Pod("middle", "n", "Failed");
  Pod("young", "n", "Succeeded");
  Node("n");
  Begin({.terminated_threshold = 2});
  EXPECT_EQ(cluster.TakeWrites(), (Lines{Deleting("evicted"), Deleting("old")}));
  EXPECT_TRUE(Has("middle") && Has("young") && Has("runs"));
}

TEST_F(PodCollectionTest, WithoutAThresholdFinishedPodsStay) {
  Pod("old", "n", "Succeeded");
  Node("n");
  Begin({.terminated_threshold = 0});
  cluster.Advance(seconds(100));
  EXPECT_EQ(cluster.TakeWrites(), Lines());
}

TEST_F(PodCollectionTest, PodsOfNodesThatAreGoneFailAndGo) {
  Node("here");
  Pod("stays", "here", "Running");
  Pod("orphan", "gone", "Running", "", true);
  Pod("done", "gone", "Succeeded");
  Begin();
  cluster.Advance(seconds(39));
  EXPECT_EQ(cluster.TakeWrites(), Lines());
  cluster.Advance(seconds(2));
  EXPECT_EQ(cluster.TakeWrites(), (Lines{Failing("orphan"), Deleting("done"), Deleting("orphan")}));
  EXPECT_FALSE(Has("done"));
  EXPECT_TRUE(Has("stays"));
  const json::Value orphan = cluster.Read(Path("orphan"));
  EXPECT_EQ(orphan.Get("status").Get("phase").string(), "Failed");
  const json::Value& condition = orphan.Get("status").Get("conditions").items().back();
  EXPECT_EQ(condition.Get("type").string(), "DisruptionTarget");
  EXPECT_EQ(condition.Get("status").string(), "True");
  EXPECT_EQ(condition.Get("reason").string(), "DeletionByPodGC");
  EXPECT_EQ(condition.Get("message").string(), "PodGC: node no longer exists");
}

TEST_F(PodCollectionTest, ANodeThatComesInTimeKeepsItsPods) {
  Pod("pod", "late", "Running");
  Begin();
  cluster.Advance(seconds(30));
  Node("late");
  cluster.Advance(seconds(200));
  EXPECT_EQ(cluster.TakeWrites(), Lines());
}

TEST_F(PodCollectionTest, PodsThatWereDeletedBeforeTheyHadANodeGo) {
  Pod("pod", "", "", "", true);
  cluster.Ask("DELETE", Path("pod"));
  ASSERT_TRUE(Has("pod"));
  Begin();
  EXPECT_EQ(cluster.TakeWrites(), (Lines{Failing("pod"), Deleting("pod")}));
  cluster.Ask("PATCH merge", Path("pod"), R"({"metadata":{"finalizers":[]}})");
  EXPECT_FALSE(Has("pod"));
}

TEST_F(PodCollectionTest, WhatIsDeletedOnNodesOutOfServiceGoesByForce) {
  const std::string taint = R"({"key":"node.kubernetes.io/out-of-service","effect":"NoExecute"})";
  Node("down", "Unknown", taint);
  Node("ready", "True", taint);
  Node("silent", "Unknown");
  for (const std::string node : {"down", "ready", "silent"}) {
    Pod("on-" + node, node, "Running");
    cluster.Ask("DELETE", Path("on-" + node));
  }
  Pod("wanted", "down", "Running");
  Begin();
  EXPECT_EQ(cluster.TakeWrites(), (Lines{Failing("on-down"), Deleting("on-down")}));
  EXPECT_FALSE(Has("on-down"));
  EXPECT_TRUE(Has("on-ready") && Has("on-silent") && Has("wanted"));
}

}  // namespace
}  // namespace quadra::lifecycle
