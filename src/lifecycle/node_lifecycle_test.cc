#include <algorithm>
#include <chrono>
#include <set>
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
constexpr std::string_view kLeases =
    "/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases";

// Nodes whose kubelets live in the test.
class NodeLifecycleTest : public testing::Test {
 protected:
  void SetUp() override {
    cluster.Make("/api/v1/namespaces/default/serviceaccounts",
                 R"({"metadata":{"name":"default"}})");
  }
  void Begin() {
    cluster.Run(MakeNodeLifecycle(cluster.context));
    ASSERT_TRUE(cluster.UntilIdle());
  }

  void MakeNode(const std::string& name) {
    cluster.Make("/api/v1/nodes", fmt::format(R"({{"metadata":{{"name":"{}"}}}})", name));
    cluster.Make(std::string(kLeases), fmt::format(R"({{"metadata":{{"name":"{}"}}}})", name));
    Tell(name, "True");
    Renew(name);
    alive.insert(name);
  }
  // What the kubelet says of its node.
  void Tell(const std::string& node, std::string_view ready) { SetCondition(node, "Ready", ready); }
  // One that is new comes before all others.
  void SetCondition(const std::string& node, std::string_view type, std::string_view status) {
    const std::string now = FormatSeconds(cluster.loop.Now());
    cluster.Ask(
        "PATCH strategic-merge", fmt::format("/api/v1/nodes/{}/status", node),
        fmt::format(
            R"({{"status":{{"conditions":[{{"type":"{}","status":"{}","lastHeartbeatTime":"{}","lastTransitionTime":"{}"}}]}}}})",
            type, status, now, now));
  }
  void Renew(const std::string& node) {
    std::string now = FormatSeconds(cluster.loop.Now());
    now.insert(now.size() - 1, ".000000");
    cluster.Ask("PATCH merge", fmt::format("{}/{}", kLeases, node),
                fmt::format(R"({{"spec":{{"renewTime":"{}"}}}})", now));
  }
  // Time passes; kubelets that live renew their leases.
  void Pass(int tens_of_seconds) {
    for (int i = 0; i < tens_of_seconds; ++i) {
      for (const std::string& node : alive) {
        Renew(node);
      }
      cluster.Advance(seconds(10));
    }
  }
  void MakePod(const std::string& name, const std::string& node) {
    cluster.Make(
        std::string(kPods),
        fmt::format(
            R"({{"metadata":{{"name":"{}"}},"spec":{{"nodeName":"{}","containers":[{{"name":"c","image":"i"}}]}}}})",
            name, node));
    cluster.Ask(
        "PATCH strategic-merge", fmt::format("{}/{}/status", kPods, name),
        R"({"status":{"phase":"Running","conditions":[{"type":"Ready","status":"True","reason":"Up"}]}})");
  }
  json::Value Conditions(const std::string& path) {
    return cluster.Read(path).Get("status").Get("conditions");
  }
  std::string Condition(const std::string& path, std::string_view type, std::string_view member) {
    const json::Value conditions = Conditions(path);
    if (conditions.is_null()) {
      return "";
    }
    for (const json::Value& one : conditions.items()) {
      if (one.Get("type").string() == type) {
        return one.Get(member).string();
      }
    }
    return "";
  }
  std::string Ready(const std::string& node) {
    return Condition("/api/v1/nodes/" + node, "Ready", "status");
  }
  // Key and effect of each, without what keys have in common.
  std::string Taints(const std::string& node) {
    const json::Value taints = cluster.Read("/api/v1/nodes/" + node).Get("spec").Get("taints");
    std::string text;
    for (const json::Value& taint : taints.is_null() ? json::Value::Array() : taints.items()) {
      const std::string key = taint.Get("key").string();
      text += (text.empty() ? "" : " ") + key.substr(key.find('/') + 1) + ":" +
              taint.Get("effect").string();
    }
    return text;
  }

  Cluster cluster;
  std::set<std::string> alive;
};

TEST_F(NodeLifecycleTest, LetsNodesThatAreHeardOfBe) {
  MakeNode("a");
  MakeNode("b");
  Begin();
  Pass(1);
  EXPECT_EQ(Taints("a"), "") << "not-ready, with which nodes are made, is lifted";
  cluster.TakeWrites();
  Pass(12);
  EXPECT_EQ(cluster.TakeWrites(), std::vector<std::string>());
  EXPECT_EQ(Ready("a"), "True");
}

TEST_F(NodeLifecycleTest, GivesUpNodesThatAreSilentForFiftySeconds) {
  MakeNode("a");
  MakeNode("b");
  Begin();
  MakePod("p", "a");
  Pass(1);
  alive.erase("a");
  Pass(4);
  EXPECT_EQ(Ready("a"), "True");
  cluster.TakeWrites();
  Pass(2);
  EXPECT_EQ(Ready("a"), "Unknown");
  EXPECT_EQ(Ready("b"), "True");
  EXPECT_EQ(Condition("/api/v1/nodes/a", "Ready", "reason"), "NodeStatusUnknown");
  EXPECT_EQ(Condition("/api/v1/nodes/a", "MemoryPressure", "reason"), "NodeStatusNeverUpdated");
  EXPECT_EQ(Taints("a"), "unreachable:NoSchedule unreachable:NoExecute");
  const std::string pod = fmt::format("{}/p", kPods);
  EXPECT_EQ(Condition(pod, "Ready", "status"), "False");
  EXPECT_EQ(Condition(pod, "Ready", "reason"), "Up");
  cluster.TakeWrites();
  Pass(6);
  EXPECT_EQ(cluster.TakeWrites(), std::vector<std::string>());

  Tell("a", "True");
  alive.insert("a");
  Pass(1);
  EXPECT_EQ(Taints("a"), "");
}

TEST_F(NodeLifecycleTest, GivesUpNodesWhoseReadyConditionIsTheLast) {
  for (const char* const name : {"a", "b"}) {
    cluster.Make("/api/v1/nodes", fmt::format(R"({{"metadata":{{"name":"{}"}}}})", name));
    SetCondition(name, "Ready", "True");
    for (const char* const type : {"PIDPressure", "DiskPressure", "MemoryPressure"}) {
      SetCondition(name, type, "False");
    }
    cluster.Make(std::string(kLeases), fmt::format(R"({{"metadata":{{"name":"{}"}}}})", name));
    alive.insert(name);
  }
  Begin();
  Pass(1);
  alive.erase("a");
  Pass(7);
  EXPECT_EQ(cluster.TakeLines(), std::vector<std::string>());
  for (const char* const type : {"MemoryPressure", "DiskPressure", "PIDPressure", "Ready"}) {
    EXPECT_EQ(Condition("/api/v1/nodes/a", type, "status"), "Unknown") << type;
  }
  EXPECT_EQ(Taints("a"), "unreachable:NoSchedule unreachable:NoExecute");
  EXPECT_EQ(Ready("b"), "True");
}

TEST_F(NodeLifecycleTest, GivesUpSilentNodesWhoseLeasesAreMarkedBySomebodyElse) {
  MakeNode("a");
  MakeNode("b");
  Begin();
  Pass(1);
  alive.erase("a");
  Pass(1);
  cluster.Ask("PATCH merge", fmt::format("{}/a", kLeases),
              R"({"metadata":{"annotations":{"example.com/seen":"yes"}}})");
  Pass(5);
  EXPECT_EQ(Ready("a"), "Unknown");
  EXPECT_EQ(Ready("b"), "True");
}

TEST_F(NodeLifecycleTest, TaintsByWhatKubeletsSay) {
  MakeNode("a");
  MakeNode("b");
  Begin();
  Pass(1);
  Tell("a", "False");
  cluster.Settle();
  EXPECT_EQ(Taints("a"), "not-ready:NoSchedule");
  Pass(1);
  EXPECT_EQ(Taints("a"), "not-ready:NoSchedule not-ready:NoExecute");
  alive.erase("a");
  Pass(6);
  EXPECT_EQ(Ready("a"), "Unknown");
  EXPECT_EQ(Taints("a"), "unreachable:NoExecute unreachable:NoSchedule");
  Tell("a", "True");
  alive.insert("a");
  Pass(1);
  EXPECT_EQ(Taints("a"), "");
}

TEST_F(NodeLifecycleTest, TakesPodsOfOneNodeAfterTheOther) {
  for (const char* const name : {"a", "b", "c", "d", "e"}) {
    MakeNode(name);
  }
  Begin();
  Pass(1);
  Tell("a", "False");
  Tell("b", "False");
  const auto tainted = [&] {
    return (Taints("a").find("NoExecute") != std::string::npos ? 1 : 0) +
           (Taints("b").find("NoExecute") != std::string::npos ? 1 : 0);
  };
  cluster.Advance(seconds(6));
  EXPECT_EQ(tainted(), 1);
  Pass(1);
  EXPECT_EQ(tainted(), 2);
}

TEST_F(NodeLifecycleTest, TaintsNodesThatDoNotCountForTheirZone) {
  cluster.Make(
      "/api/v1/nodes",
      R"({"metadata":{"name":"a","labels":{"topology.kubernetes.io/zone":"z","node.kubernetes.io/exclude-disruption":""}}})");
  Tell("a", "False");
  MakeNode("b");
  Begin();
  Pass(1);
  EXPECT_EQ(Taints("a"), "not-ready:NoSchedule not-ready:NoExecute");
}

TEST_F(NodeLifecycleTest, TakesNobodyAwayWhereAllNodesAreLost) {
  MakeNode("a");
  Begin();
  Pass(1);
  alive.clear();
  Pass(8);
  EXPECT_EQ(Ready("a"), "Unknown");
  EXPECT_EQ(Taints("a"), "unreachable:NoSchedule");
  cluster.TakeWrites();
  Pass(6);
  EXPECT_EQ(cluster.TakeWrites(), std::vector<std::string>());
  Tell("a", "True");
  alive.insert("a");
  Pass(1);
  EXPECT_EQ(Taints("a"), "");
}

TEST_F(NodeLifecycleTest, LeavesTaintsOfLostNodesAloneWhenItStarts) {
  MakeNode("a");
  MakeNode("b");
  Tell("a", "Unknown");
  cluster.Ask(
      "PATCH merge", "/api/v1/nodes/a",
      R"({"spec":{"taints":[{"key":"node.kubernetes.io/unreachable","effect":"NoSchedule"},{"key":"node.kubernetes.io/unreachable","effect":"NoExecute","timeAdded":"2026-12-24T18:00:00Z"}]}})");
  alive.erase("a");
  const auto spec = [&] { return json::ToJson(cluster.Read("/api/v1/nodes/a").Get("spec")); };
  const std::string before = spec();
  Begin();
  Pass(12);
  EXPECT_EQ(spec(), before);
  EXPECT_EQ(Ready("b"), "True");
}

TEST_F(NodeLifecycleTest, GivesUpNodesThatNeverSaidAnything) {
  MakeNode("b");
  cluster.Make("/api/v1/nodes", R"({"metadata":{"name":"a"}})");
  Begin();
  Pass(5);
  EXPECT_EQ(Ready("a"), "");
  Pass(2);
  EXPECT_EQ(Ready("a"), "Unknown");
  EXPECT_EQ(Condition("/api/v1/nodes/a", "Ready", "message"), "Kubelet never posted node status.");
}

TEST_F(NodeLifecycleTest, MarksPodsUnreadyThatComeToALostNode) {
  MakeNode("a");
  MakeNode("b");
  Begin();
  alive.erase("a");
  Pass(7);
  ASSERT_EQ(Ready("a"), "Unknown");
  cluster.Make(std::string(kPods),
               R"({"metadata":{"name":"p"},"spec":{"containers":[{"name":"c","image":"i"}]}})");
  cluster.Ask("PATCH strategic-merge", fmt::format("{}/p/status", kPods),
              R"({"status":{"conditions":[{"type":"Ready","status":"True"}]}})");
  cluster.Ask(
      "POST", fmt::format("{}/p/binding", kPods),
      R"({"apiVersion":"v1","kind":"Binding","metadata":{"name":"p"},"target":{"kind":"Node","name":"a"}})");
  cluster.Settle();
  EXPECT_EQ(Condition(fmt::format("{}/p", kPods), "Ready", "status"), "False");
}

TEST_F(NodeLifecycleTest, RepeatsWhatIsUnschedulableAsATaint) {
  MakeNode("a");
  Begin();
  Pass(1);
  cluster.Ask(
      "PATCH merge", "/api/v1/nodes/a",
      R"({"metadata":{"labels":{"kubernetes.io/os":"linux"}},"spec":{"unschedulable":true}})");
  cluster.Settle();
  EXPECT_EQ(Taints("a"), "unschedulable:NoSchedule");
  const json::Value labels = cluster.Read("/api/v1/nodes/a").Get("metadata").Get("labels");
  EXPECT_EQ(labels.Get("beta.kubernetes.io/os").string(), "linux");
  cluster.Ask("PATCH merge", "/api/v1/nodes/a", R"({"spec":{"unschedulable":null}})");
  cluster.Settle();
  EXPECT_EQ(Taints("a"), "");
}

TEST_F(NodeLifecycleTest, CountsNodesByZone) {
  for (const char* const name : {"a", "b", "c", "d"}) {
    MakeNode(name);
  }
  Begin();
  Pass(1);
  EXPECT_EQ(cluster.Metrics("node_collector_evictions_total"),
            Lines{R"(node_collector_evictions_total{zone=""} 0)"});
  alive.erase("a");
  Pass(7);
  const auto zones = [&] {
    Lines lines = cluster.Metrics("node_collector_unhealthy_nodes_in_zone");
    for (const char* const name : {"node_collector_zone_health", "node_collector_zone_size"}) {
      const Lines more = cluster.Metrics(name);
      lines.insert(lines.end(), more.begin(), more.end());
    }
    return lines;
  };
  EXPECT_EQ(zones(), (Lines{R"(node_collector_unhealthy_nodes_in_zone{zone=""} 1)",
                            R"(node_collector_zone_health{zone=""} 75)",
                            R"(node_collector_zone_size{zone=""} 4)"}));
  EXPECT_EQ(cluster.Metrics("node_collector_evictions_total"),
            Lines{R"(node_collector_evictions_total{zone=""} 1)"});
  EXPECT_EQ(cluster.Metrics("node_collector_update_all_nodes_health_duration_seconds_count"),
            Lines{"node_collector_update_all_nodes_health_duration_seconds_count 17"});
  EXPECT_EQ(cluster.Metrics("node_collector_update_node_health_duration_seconds_count"),
            Lines{"node_collector_update_node_health_duration_seconds_count 68"});
  for (const char* const name : {"a", "b", "c", "d"}) {
    cluster.Ask("DELETE", fmt::format("/api/v1/nodes/{}", name));
  }
  alive.clear();
  Pass(1);
  EXPECT_EQ(zones(), (Lines{R"(node_collector_unhealthy_nodes_in_zone{zone=""} 0)",
                            R"(node_collector_zone_health{zone=""} 100)",
                            R"(node_collector_zone_size{zone=""} 0)"}));
}

TEST_F(NodeLifecycleTest, TellsOfNodesThatComeAndGo) {
  MakeNode("a");
  Begin();
  cluster.Ask("DELETE", "/api/v1/nodes/a");
  alive.clear();
  Pass(2);
  std::vector<std::string> messages;
  const json::Value list = cluster.Read("/api/v1/namespaces/default/events");
  for (const json::Value& event : list.Get("items").items()) {
    messages.push_back(event.Get("message").string());
  }
  std::ranges::sort(messages);
  EXPECT_EQ(messages, (std::vector<std::string>{"Node a event: Registered Node a in Controller",
                                                "Node a event: Removing Node a from Controller"}));
}

}  // namespace
}  // namespace quadra::lifecycle
