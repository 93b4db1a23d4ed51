#include <chrono>
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
constexpr std::string_view kTainted = R"([{"key":"fire","effect":"NoExecute"}])";

// Tolerations, as JSON.
std::string For(std::string_view length) {
  return fmt::format(R"([{{"key":"fire","operator":"Exists","tolerationSeconds":{}}}])", length);
}
const std::string kForever = R"([{"operator":"Exists"}])";

class TaintEvictionTest : public testing::Test {
 protected:
  void SetUp() override {
    cluster.Make("/api/v1/namespaces/default/serviceaccounts",
                 R"({"metadata":{"name":"default"}})");
    cluster.Make("/api/v1/nodes", R"({"metadata":{"name":"n"}})");
    cluster.Run(MakeTaintEviction(cluster.context));
    ASSERT_TRUE(cluster.UntilIdle());
  }

  void Taint(std::string_view taints) {
    cluster.Ask("PATCH merge", "/api/v1/nodes/n",
                fmt::format(R"({{"spec":{{"taints":{}}}}})", taints));
    cluster.Settle();
  }
  void MakePod(std::string_view name, std::string_view tolerations, int grace = 0) {
    cluster.Make(
        std::string(kPods),
        fmt::format(
            R"({{"metadata":{{"name":"{}"}},"spec":{{"nodeName":"n","tolerations":{},"terminationGracePeriodSeconds":{},"containers":[{{"name":"c","image":"i"}}]}}}})",
            name, tolerations, grace));
    cluster.Settle();
  }
  bool Has(std::string_view name) { return cluster.Has(fmt::format("{}/{}", kPods, name)); }
  std::vector<std::string> Events() {
    std::vector<std::string> messages;
    const json::Value list = cluster.Read("/api/v1/namespaces/default/events");
    for (const json::Value& event : list.Get("items").items()) {
      EXPECT_EQ(event.Get("reason").string(), "TaintManagerEviction");
      messages.push_back(event.Get("message").string());
    }
    return messages;
  }

  Cluster cluster;
};

TEST_F(TaintEvictionTest, TakesPodsAwayWhenTheirTimeHasCome) {
  MakePod("none", "[]");
  MakePod("short", For("20"));
  MakePod("long", For("60"));
  MakePod("negative", For("-7"));
  MakePod("forever", kForever);
  cluster.Advance(seconds(5));
  Taint(kTainted);
  const auto left = [&] {
    std::string names;
    for (const char* const name : {"forever", "long", "negative", "none", "short"}) {
      names += Has(name) ? std::string(name) + " " : "";
    }
    return names;
  };
  EXPECT_EQ(left(), "forever long short ");
  cluster.Advance(seconds(19));
  EXPECT_EQ(left(), "forever long short ");
  cluster.Advance(seconds(2));
  EXPECT_EQ(left(), "forever long ");
  cluster.Advance(seconds(40));
  EXPECT_EQ(left(), "forever ");
  cluster.TakeWrites();
  cluster.Advance(std::chrono::hours(1));
  EXPECT_EQ(cluster.TakeWrites(), std::vector<std::string>());
}

TEST_F(TaintEvictionTest, CountsThePodsThatItDeleted) {
  MakePod("none", "[]");
  MakePod("short", For("20"));
  MakePod("forever", kForever);
  const auto counted = [&] {
    return cluster.Metrics("taint_eviction_controller_pod_deletions_total");
  };
  EXPECT_EQ(counted(), Lines{"taint_eviction_controller_pod_deletions_total 0"});
  Taint(kTainted);
  EXPECT_EQ(counted(), Lines{"taint_eviction_controller_pod_deletions_total 1"});
  cluster.Advance(seconds(21));
  EXPECT_EQ(counted(), Lines{"taint_eviction_controller_pod_deletions_total 2"});
  constexpr std::string_view kSeconds =
      "taint_eviction_controller_pod_deletion_duration_seconds_bucket{le=\"0.005\"}";
  EXPECT_EQ(cluster.Metrics(kSeconds), Lines{std::string(kSeconds) + " 2"})
      << "from when their time was over";
}

TEST_F(TaintEvictionTest, SaysWhyInTheConditionBeforeItDeletes) {
  MakePod("p", "[]", 30);
  cluster.TakeWrites();
  Taint(kTainted);
  const json::Value pod = cluster.Read(fmt::format("{}/p", kPods));
  EXPECT_FALSE(pod.Get("metadata").Get("deletionTimestamp").is_null());
  const json::Value condition = pod.Get("status").Get("conditions").items().back();
  EXPECT_EQ(condition.Get("type").string(), "DisruptionTarget");
  EXPECT_EQ(condition.Get("status").string(), "True");
  EXPECT_EQ(condition.Get("reason").string(), "DeletionByTaintManager");
  EXPECT_EQ(condition.Get("message").string(), "Taint manager: deleting due to NoExecute taint");
  std::vector<std::string> writes = cluster.TakeWrites();
  std::erase(writes, "POST /api/v1/namespaces/default/events");
  EXPECT_EQ(writes, (std::vector<std::string>{fmt::format("PATCH {}/p/status", kPods),
                                              fmt::format("DELETE {}/p", kPods)}));
  EXPECT_EQ(Events(), std::vector<std::string>{"Marking for deletion Pod default/p"});

  Taint(R"([{"key":"flood","effect":"NoExecute"}])");
  EXPECT_EQ(cluster.TakeWrites(), std::vector<std::string>()) << "it is going already";
}

TEST_F(TaintEvictionTest, StaysAwayWhenTheTaintIsLifted) {
  Taint(kTainted);
  MakePod("p", For("20"));
  cluster.Advance(seconds(10));
  Taint("null");
  EXPECT_EQ(Events(), std::vector<std::string>{"Cancelling deletion of Pod default/p"});
  cluster.Advance(seconds(60));
  EXPECT_TRUE(Has("p"));
  Taint(kTainted);
  cluster.Advance(seconds(15));
  EXPECT_TRUE(Has("p")) << "time begins anew";
  cluster.Advance(seconds(6));
  EXPECT_FALSE(Has("p"));
}

TEST_F(TaintEvictionTest, KeepsTheFirstPlanWhenTaintsAreAdded) {
  MakePod("p", R"([{"operator":"Exists","tolerationSeconds":20}])");
  Taint(kTainted);
  cluster.Advance(seconds(15));
  Taint(R"([{"key":"fire","effect":"NoExecute"},{"key":"flood","effect":"NoExecute"}])");
  cluster.Advance(seconds(4));
  EXPECT_TRUE(Has("p"));
  cluster.Advance(seconds(2));
  EXPECT_FALSE(Has("p"));
}

TEST_F(TaintEvictionTest, LooksAtPodsThatCome) {
  Taint(kTainted);
  MakePod("p", "[]");
  EXPECT_FALSE(Has("p"));
  Taint(R"([{"key":"fire","effect":"NoSchedule"}])");
  MakePod("q", "[]");
  EXPECT_TRUE(Has("q"));
}

TEST_F(TaintEvictionTest, TakesNothingBackWhenTheNodeGoes) {
  MakePod("p", For("20"));
  Taint(kTainted);
  cluster.Ask("DELETE", "/api/v1/nodes/n");
  cluster.Advance(seconds(19));
  EXPECT_TRUE(Has("p"));
  cluster.Advance(seconds(2));
  EXPECT_FALSE(Has("p"));
}

}  // namespace
}  // namespace quadra::lifecycle
