// The contracts of whoever keeps claims and evicts pods, each as one story that ends with what must
// hold then. What goes wrong on the way, and in which order, is the matter of the other tests.
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "claims/cluster_for_tests.h"
#include "claims/controller.h"
#include "claims/eviction.h"

namespace quadra::claims {
namespace {

std::unique_ptr<client::Controller> MakeClaims(client::ControllerContext& context) {
  return MakeClaimController(context);
}

std::string ClaimOf(TestCluster& cluster, const std::string& pod) {
  return cluster.Pick(At(kPods, pod), "{.status.resourceClaimStatuses[0].resourceClaimName}");
}

std::string Shared(TestCluster& cluster, std::string_view what) {
  return cluster.Pick(At(kClaims, "shared"), what);
}

// Two pods on a node that hold one claim.
std::vector<std::pair<std::string, std::string>> ShareAClaim(TestCluster& cluster) {
  std::vector<std::pair<std::string, std::string>> pods;
  cluster.Create(kClaims, ClaimJson("shared"));
  for (const std::string name : {"a", "b"}) {
    cluster.Create(kPods, PodJson(name, Given("gpu", "shared"), "node"));
    pods.emplace_back(name, cluster.Uid(At(kPods, name)));
  }
  Allocate(cluster, "shared", pods);
  cluster.Run();
  return pods;
}

// Every answer to the first ten requests is lost, two controllers ask, and both are started anew.
void OneClaimForOneNeed(TestCluster& cluster) {
  int lost = 0;
  cluster.fate = [&lost](const net::Request& request) {
    const bool is_lost = !IsBackground(request) && lost++ < 10;
    return net::Fate{.loss = is_lost ? net::Fate::Loss::kAnswer : net::Fate::Loss::kNone};
  };
  cluster.AddController(MakeClaims);
  cluster.Create(kTemplates, TemplateJson("gpus"));
  cluster.Create(kPods, PodJson("train", FromTemplate("gpu", "gpus")));
  cluster.Run(std::chrono::milliseconds(1));
  cluster.Stop();
  cluster.Start();
  cluster.Run();
  EXPECT_EQ(cluster.Names(kClaims), ClaimOf(cluster, "train") + " ");
}

void NoConsumerThatHasEndedAndNoneLost(TestCluster& cluster) {
  const auto pods = ShareAClaim(cluster);
  SetPhase(cluster, "a", "Succeeded");
  cluster.Patch(
      At(kClaims, "shared", "/status"),
      fmt::format(R"({{"status":{{"reservedFor":[)"
                  R"({{"resource":"pods","name":"a","uid":"{}"}},)"
                  R"({{"resource":"pods","name":"b","uid":"{}"}},)"
                  R"({{"resource":"pods","name":"never","uid":"was"}},)"
                  R"({{"apiGroup":"example.com","resource":"jobs","name":"j","uid":"1"}}]}}}})",
                  pods[0].second, pods[1].second));
  cluster.Run();
  EXPECT_EQ(Shared(cluster, "{.status.reservedFor[*].name}"), "b j");
}

void FreedWithTheLastConsumerAlone(TestCluster& cluster) {
  ShareAClaim(cluster);
  SetPhase(cluster, "a", "Failed");
  cluster.Run();
  EXPECT_NE(Shared(cluster, "{.status.allocation}"), "");
  EXPECT_NE(Shared(cluster, "{.metadata.finalizers}"), "");
  SetPhase(cluster, "b", "Failed");
  cluster.Run();
  EXPECT_EQ(Shared(cluster, "{.status.allocation}{.metadata.finalizers}"), "");
}

// As the two before, but nobody looks while it happens.
void DowntimeIsMadeUpFor(TestCluster& cluster) {
  cluster.Stop();
  ShareAClaim(cluster);
  cluster.Create(kTemplates, TemplateJson("gpus"));
  cluster.Create(kPods, PodJson("train", FromTemplate("gpu", "gpus")));
  SetPhase(cluster, "a", "Failed");
  cluster.Delete(At(kPods, "b"));
  cluster.Start();
  cluster.Run();
  EXPECT_EQ(Shared(cluster, "{.status.allocation}{.metadata.finalizers}"), "");
  EXPECT_NE(ClaimOf(cluster, "train"), "");
}

void EntriesOfThePodsStatusStayInTheirOrder(TestCluster& cluster) {
  constexpr std::string_view kEntries = "{.status.resourceClaimStatuses[*].name}";
  cluster.Create(kTemplates, TemplateJson("gpus"));
  cluster.Create(kPods,
                 PodJson("train", FromTemplate("z", "gpus") + "," + FromTemplate("a", "gpus")));
  cluster.Run();
  ASSERT_EQ(cluster.Pick(At(kPods, "train"), kEntries), "a z");
  cluster.Delete(At(kClaims, ClaimOf(cluster, "train")));
  cluster.Run();
  EXPECT_EQ(cluster.Pick(At(kPods, "train"), kEntries), "a z");
}

void EvictedOnlyWhoHoldsATaintedDevice(TestCluster& cluster) {
  const auto pods = ShareAClaim(cluster);
  cluster.Patch(At(kClaims, "shared", "/status"),
                fmt::format(R"({{"status":{{"reservedFor":[)"
                            R"({{"resource":"pods","name":"a","uid":"{}"}}]}}}})",
                            pods[0].second));
  cluster.Stop();
  cluster.AddController(MakeTaintEviction);
  cluster.Create(kRules, R"({"metadata":{"name":"bad"},"spec":{"deviceSelector":{"pool":"p"},
                             "taint":{"key":"k","effect":"NoExecute"}}})");
  cluster.Run();
  EXPECT_NE(cluster.Pick(At(kPods, "a"), "{.metadata.deletionTimestamp}"), "");
  EXPECT_EQ(cluster.Pick(At(kPods, "b"), "{.metadata.deletionTimestamp}"), "");
}

TEST(Contracts, Hold) {
  const struct {
    std::string_view contract;
    void (*story)(TestCluster&);
  } rows[] = {
      {"C1 a claim exists at most once for a pod's uid and entry", OneClaimForOneNeed},
      {"C2 reservedFor has nobody who ended or never was, and loses nobody else",
       NoConsumerThatHasEndedAndNoneLost},
      {"C3 the allocation goes with the last consumer, the finalizer after it",
       FreedWithTheLastConsumerAlone},
      {"C4 one pass after any downtime comes to the same", DowntimeIsMadeUpFor},
      {"C5 entries of the pod's status are neither dropped nor reordered",
       EntriesOfThePodsStatusStayInTheirOrder},
      {"C6 evicted is who holds a tainted device, and nobody else",
       EvictedOnlyWhoHoldsATaintedDevice},
  };
  for (const auto& row : rows) {
    SCOPED_TRACE(row.contract);
    TestCluster cluster;
    cluster.AddController(MakeClaims);
    cluster.Run();
    row.story(cluster);
  }
}

}  // namespace
}  // namespace quadra::claims
