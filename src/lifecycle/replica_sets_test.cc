#include <algorithm>
#include <chrono>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "lifecycle/cluster_for_tests.h"
#include "lifecycle/lifecycle.h"

namespace quadra::lifecycle {
namespace {

using std::chrono::seconds;

constexpr std::string_view kPods = "/api/v1/namespaces/default/pods";
constexpr std::string_view kSets = "/apis/apps/v1/namespaces/default/replicasets";

struct SetSketch {
  std::string name = "web";
  int replicas = 3;
  int min_ready_seconds = 0;
  std::string pod_spec = R"("containers":[{"name":"c","image":"i"}])";
};

std::string SetJson(const SetSketch& set) {
  return fmt::format(
      R"({{"metadata":{{"name":"{0}"}},"spec":{{"replicas":{1},"minReadySeconds":{2},"selector":{{"matchLabels":{{"app":"{0}"}}}},"template":{{"metadata":{{"labels":{{"app":"{0}"}},"annotations":{{"note":"kept"}}}},"spec":{{"terminationGracePeriodSeconds":0,{3}}}}}}}}})",
      set.name, set.replicas, set.min_ready_seconds, set.pod_spec);
}

class ReplicaSetsTest : public testing::Test {
 protected:
  void SetUp() override {
    cluster.Make("/api/v1/namespaces/default/serviceaccounts",
                 R"({"metadata":{"name":"default"}})");
    cluster.Run(MakeReplicaSets(cluster.context));
    ASSERT_TRUE(cluster.UntilIdle());
    cluster.TakeWrites();
  }

  std::vector<json::Value> Pods() { return cluster.Read(std::string(kPods)).Get("items").items(); }
  std::vector<std::string> Names() {
    std::vector<std::string> names;
    for (const json::Value& pod : Pods()) {
      names.push_back(pod.Get("metadata").Get("name").string());
    }
    return names;
  }
  bool UntilPods(std::size_t count) {
    return cluster.Until([&] { return Pods().size() == count && cluster.idle(); });
  }
  // A member of the status as JSON.
  std::string StatusOf(std::string_view member, const std::string& set = "web") {
    return json::ToJson(cluster.Read(fmt::format("{}/{}", kSets, set)).Get("status").Get(member));
  }
  bool UntilStatus(std::string_view member, std::string_view value) {
    return cluster.Until([&] { return StatusOf(member) == value && cluster.idle(); });
  }
  void Scale(int replicas) {
    cluster.Ask("PATCH merge", fmt::format("{}/web", kSets),
                fmt::format(R"({{"spec":{{"replicas":{}}}}})", replicas));
  }
  void MakeReady(const std::string& pod) {
    const std::string now = FormatSeconds(cluster.loop.Now());
    cluster.Ask(
        "PATCH strategic-merge", fmt::format("{}/{}/status", kPods, pod),
        fmt::format(
            R"({{"status":{{"phase":"Running","conditions":[{{"type":"Ready","status":"True","lastTransitionTime":"{}"}}]}}}})",
            now));
  }
  void Label(const std::string& pod, std::string_view app) {
    cluster.Ask("PATCH merge", fmt::format("{}/{}", kPods, pod),
                fmt::format(R"({{"metadata":{{"labels":{{"app":"{}"}}}}}})", app));
  }
  static std::size_t CountOf(const std::vector<std::string>& writes, std::string_view what) {
    return static_cast<std::size_t>(std::ranges::count(writes, what));
  }
  // Reasons and messages, sorted, without doubles.
  std::vector<std::string> Events() {
    std::vector<std::string> events;
    const std::string path = "/api/v1/namespaces/default/events";
    const json::Value list = cluster.Read(path);
    for (const json::Value& event : list.Get("items").items()) {
      events.push_back(event.Get("reason").string() + ": " + event.Get("message").string());
    }
    std::ranges::sort(events);
    return events;
  }

  Cluster cluster;
};

TEST_F(ReplicaSetsTest, MakesPodsOfTheTemplateAndCountsThem) {
  const std::string uid = cluster.Make(std::string(kSets), SetJson({}));
  ASSERT_TRUE(UntilPods(3));
  EXPECT_TRUE(UntilStatus("replicas", "3"));
  EXPECT_EQ(StatusOf("fullyLabeledReplicas"), "3");
  EXPECT_EQ(StatusOf("readyReplicas"), "null");
  EXPECT_EQ(StatusOf("observedGeneration"), "1");
  EXPECT_EQ(StatusOf("terminatingReplicas"), "0");

  const json::Value pod = Pods().front();
  const json::Value& meta = pod.Get("metadata");
  EXPECT_EQ(meta.Get("generateName").string(), "web-");
  EXPECT_EQ(json::ToJson(meta.Get("labels")), R"({"app":"web"})");
  EXPECT_EQ(json::ToJson(meta.Get("annotations")), R"({"note":"kept"})");
  EXPECT_EQ(json::ToJson(meta.Get("ownerReferences")),
            fmt::format(R"([{{"apiVersion":"apps/v1","kind":"ReplicaSet","name":"web",)"
                        R"("uid":"{}","controller":true,"blockOwnerDeletion":true}}])",
                        uid));
  EXPECT_EQ(pod.Get("spec").Get("containers").items().front().Get("image").string(), "i");
  EXPECT_EQ(CountOf(cluster.TakeWrites(), fmt::format("POST {}", kPods)), 3U);
  std::vector<std::string> told;
  for (const std::string& name : Names()) {
    told.push_back("SuccessfulCreate: Created pod: " + name);
  }
  EXPECT_EQ(Events(), told);

  const std::size_t requests = cluster.requests();
  cluster.Advance(std::chrono::minutes(1));
  EXPECT_EQ(cluster.requests(), requests) << "nothing to do, nothing asked";
}

TEST_F(ReplicaSetsTest, CountsReadyPodsAndAfterAWhileAvailableOnes) {
  cluster.Make(std::string(kSets), SetJson({.replicas = 2, .min_ready_seconds = 30}));
  ASSERT_TRUE(UntilPods(2));
  MakeReady(Names().front());
  cluster.Settle();
  EXPECT_EQ(StatusOf("readyReplicas"), "1");
  EXPECT_EQ(StatusOf("availableReplicas"), "null");
  cluster.Advance(seconds(20));
  EXPECT_EQ(StatusOf("availableReplicas"), "null");
  cluster.Advance(seconds(11));
  EXPECT_EQ(StatusOf("availableReplicas"), "1");
}

TEST_F(ReplicaSetsTest, DeletesWhatIsTooManyThoseThatAreNotReadyFirst) {
  cluster.Make(std::string(kSets), SetJson({}));
  ASSERT_TRUE(UntilPods(3));
  const std::string keeper = Names()[1];
  MakeReady(keeper);
  ASSERT_TRUE(UntilStatus("readyReplicas", "1"));
  Scale(1);
  ASSERT_TRUE(UntilPods(1));
  EXPECT_EQ(Names(), std::vector<std::string>{keeper});
  EXPECT_TRUE(UntilStatus("replicas", "1"));
  EXPECT_EQ(StatusOf("observedGeneration"), "2");
  const std::vector<std::string> events = Events();
  EXPECT_EQ(std::ranges::count_if(events,
                                  [](const std::string& event) {
                                    return event.starts_with("SuccessfulDelete: Deleted pod: web-");
                                  }),
            2);
}

TEST_F(ReplicaSetsTest, ReplacesPodsThatGoOrFail) {
  cluster.Make(std::string(kSets), SetJson({.replicas = 2}));
  ASSERT_TRUE(UntilPods(2));
  const std::vector<std::string> first = Names();
  cluster.Ask("DELETE", fmt::format("{}/{}", kPods, first[0]));
  ASSERT_TRUE(UntilPods(2));
  cluster.Ask("PATCH merge", fmt::format("{}/{}/status", kPods, first[1]),
              R"({"status":{"phase":"Failed"}})");
  ASSERT_TRUE(UntilPods(3)) << "the one that failed stays";
  EXPECT_TRUE(UntilStatus("replicas", "2"));
}

TEST_F(ReplicaSetsTest, AdoptsOrphansThatMatchAndReleasesPodsThatDoNot) {
  const std::string orphan =
      R"({"metadata":{"name":"orphan","labels":{"app":"web"}},"spec":{"containers":[{"name":"c","image":"i"}]}})";
  cluster.Make(std::string(kPods), orphan);
  const std::string uid = cluster.Make(std::string(kSets), SetJson({.replicas = 1}));
  ASSERT_TRUE(UntilStatus("replicas", "1"));
  const auto owners = [&](const std::string& pod) {
    const json::Value meta = cluster.Read(fmt::format("{}/{}", kPods, pod)).Get("metadata");
    return json::ToJson(meta.Get("ownerReferences"));
  };
  EXPECT_NE(owners("orphan").find(uid), std::string::npos);
  EXPECT_EQ(Names(), std::vector<std::string>{"orphan"});

  Label("orphan", "other");
  ASSERT_TRUE(UntilPods(2));
  EXPECT_TRUE(cluster.Until([&] { return owners("orphan") == "null"; }));
  EXPECT_EQ(StatusOf("replicas"), "1");

  Label("orphan", "web");
  ASSERT_TRUE(UntilPods(1)) << "adopted again, so that one is too many";
}

TEST_F(ReplicaSetsTest, TriesOnePodWhereAllAreRefusedAndSaysSo) {
  SetSketch sketch{.replicas = 10};
  sketch.pod_spec += R"(,"priorityClassName":"none-such")";
  cluster.Make(std::string(kSets), SetJson(sketch));
  ASSERT_TRUE(cluster.Until([&] { return StatusOf("conditions") != "null"; }));
  const std::size_t tried = CountOf(cluster.TakeWrites(), fmt::format("POST {}", kPods));
  EXPECT_LE(tried, 2U) << "one for each look: the first, and that after its own status";
  const json::Value condition =
      cluster.Read(fmt::format("{}/web", kSets)).Get("status").Get("conditions").items().front();
  EXPECT_EQ(condition.Get("type").string(), "ReplicaFailure");
  EXPECT_EQ(condition.Get("reason").string(), "FailedCreate");
  const std::string message = condition.Get("message").string();
  EXPECT_NE(message.find("no PriorityClass with name none-such was found"), std::string::npos)
      << message;
  EXPECT_TRUE(cluster.Until([&] { return !Events().empty(); }));
  EXPECT_EQ(Events().front(), "FailedCreate: Error creating: " + message);

  cluster.Make("/apis/scheduling.k8s.io/v1/priorityclasses",
               R"({"metadata":{"name":"none-such"},"value":1})");
  ASSERT_TRUE(UntilPods(10));
  EXPECT_TRUE(UntilStatus("conditions", "null"));
}

TEST_F(ReplicaSetsTest, LeavesPodsAloneWhileItIsBeingDeleted) {
  cluster.Make(std::string(kSets), SetJson({.replicas = 1}));
  ASSERT_TRUE(UntilPods(1));
  cluster.Ask("DELETE", fmt::format("{}/web", kSets), R"({"propagationPolicy":"Foreground"})");
  cluster.Ask("DELETE", fmt::format("{}/{}", kPods, Names().front()));
  ASSERT_TRUE(UntilPods(0));
  cluster.Advance(std::chrono::minutes(6));
  EXPECT_EQ(Pods().size(), 0U);
}

}  // namespace
}  // namespace quadra::lifecycle
