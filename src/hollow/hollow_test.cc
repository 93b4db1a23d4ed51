#include "hollow/hollow.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "claims/cluster_for_tests.h"
#include "hollow/fleet.h"

namespace quadra::hollow {
namespace {

using claims::At;
using claims::kClaims;
using claims::kPods;
using claims::kSlices;

constexpr std::string_view kNodes = "/api/v1/nodes";
constexpr std::string_view kLeases =
    "/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases";

class HollowTest : public ::testing::Test {
 protected:
  HollowTest() {
    cluster_.AddController([](client::ControllerContext& context) {
      return MakeHollowNodes(context, {.nodes = PlainFleet({.nodes = 2, .devices_per_node = 4})});
    });
    Run(2);
  }

  void Run(int seconds) { cluster_.Run(std::chrono::seconds(seconds)); }
  // Bound to node-1 already, as a scheduler leaves it.
  void Bind(const std::string& name, const std::string& more, const std::string& annotations = "") {
    cluster_.Create(
        kPods,
        fmt::format(R"({{"metadata":{{"name":"{}","annotations":{{{}}}}},"spec":{{"nodeName":)"
                    R"("node-1","containers":[{{"name":"main","image":"app"{}}}]{}}}}})",
                    name, annotations,
                    more.starts_with("cpu=")
                        ? R"(,"resources":{"requests":{"cpu":")" + more.substr(4) + R"("}})"
                        : "",
                    more.starts_with("cpu=") ? "" : more));
  }
  std::string Phase(const std::string& pod) {
    return cluster_.Pick(At(kPods, pod), "{.status.phase}{.status.reason}");
  }

  claims::TestCluster cluster_;
};

TEST_F(HollowTest, NodesAreReadyAndTellOfTheirDevices) {
  EXPECT_EQ(cluster_.Names(kNodes), "node-1 node-2 ");
  EXPECT_EQ(
      cluster_.Pick(At(kNodes, "node-1"), R"({.status.conditions[?(@.type=="Ready")].status})"),
      "True");
  EXPECT_EQ(cluster_.Pick(kSlices,
                          "{range .items[*]}{.spec.nodeName} {.metadata.ownerReferences[0].name} "
                          "{.spec.devices[3].name}\n{end}"),
            "node-1 node-1 gpu-3\nnode-2 node-2 gpu-3\n");
}

TEST_F(HollowTest, LeasesAreRenewed) {
  Run(10);
  const std::string before = cluster_.Pick(At(kLeases, "node-1"), "{.spec.renewTime}");
  Run(10);
  EXPECT_NE(cluster_.Pick(At(kLeases, "node-1"), "{.spec.renewTime}"), before);
}

TEST_F(HollowTest, ANodeThatIsDeletedComesBack) {
  cluster_.Delete(At(kNodes, "node-2"));
  Run(2);
  EXPECT_EQ(cluster_.Names(kNodes), "node-1 node-2 ");
}

TEST_F(HollowTest, APodRunsUntilItIsDeleted) {
  Bind("web", "cpu=1");
  Run(60);
  EXPECT_EQ(Phase("web"), "Running");
  EXPECT_EQ(cluster_.Pick(At(kPods, "web"), "{.status.containerStatuses[0].ready}"), "true");
  cluster_.DeleteSlowly(At(kPods, "web"));
  Run(1);
  EXPECT_EQ(cluster_.Names(kPods), "");
}

TEST_F(HollowTest, APodThatSaysForHowLongEnds) {
  Bind("batch", "cpu=1", R"("hollow.quadra/runs-for-seconds":"20")");
  Run(10);
  EXPECT_EQ(Phase("batch"), "Running");
  Run(15);
  EXPECT_EQ(Phase("batch"), "Succeeded");
}

TEST_F(HollowTest, WhatDoesNotFitIsRefused) {
  Bind("first", "cpu=60");
  Run(1);
  Bind("second", "cpu=10");
  Run(1);
  EXPECT_EQ(Phase("first"), "Running");
  EXPECT_EQ(Phase("second"), "FailedOutOfcpu");
  EXPECT_EQ(cluster_.Pick(At(kPods, "second"), "{.status.message}"),
            "Pod was rejected: Node didn't have enough resource: cpu, requested: 10000, used: "
            "60000, capacity: 64000");
}

TEST_F(HollowTest, APodStartsWhenItsClaimIsAllocatedAndReservedForIt) {
  cluster_.Create(kClaims, R"({"metadata":{"name":"gpus"},"spec":{"devices":{"requests":[)"
                           R"({"name":"one","exactly":{"deviceClassName":"gpu"}}]}}})");
  Bind("train", R"(,"resourceClaims":[{"name":"gpu","resourceClaimName":"gpus"}])");
  Run(1);
  EXPECT_EQ(Phase("train"), "Pending");
  EXPECT_NE(cluster_.Events().find("ResourceClaim gpus is not allocated"), std::string::npos);

  cluster_.Patch(At(kClaims, "gpus", "/status"),
                 R"({"status":{"allocation":{"devices":{"results":[{"request":"one","driver":)"
                 R"("gpu.example.com","pool":"node-1","device":"gpu-0"}]}}}})");
  Run(1);
  EXPECT_EQ(Phase("train"), "Pending") << "reserved for nobody";

  cluster_.Patch(At(kClaims, "gpus", "/status"),
                 fmt::format(R"({{"status":{{"reservedFor":[{{"resource":"pods","name":"train",)"
                             R"("uid":"{}"}}]}}}})",
                             cluster_.Uid(At(kPods, "train"))));
  Run(1);
  EXPECT_EQ(Phase("train"), "Running");
}

TEST(DemoFleetTest, HasSixtyFourDevicesOfThreeDrivers) {
  std::set<std::string> drivers;
  for (const HollowNode& node : DemoFleet(8)) {
    for (const publisher::Pool& pool : node.pools) {
      drivers.insert(pool.driver);
    }
  }
  EXPECT_EQ(CountDevices(DemoFleet(8)), 64);
  EXPECT_EQ(drivers.size(), 3);
}

}  // namespace
}  // namespace quadra::hollow
