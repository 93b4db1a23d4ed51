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

constexpr std::string_view kPods = "/api/v1/namespaces/default/pods";
constexpr std::string_view kBudgets = "/apis/policy/v1/namespaces/default/poddisruptionbudgets";

struct OwnerSketch {
  std::string api_version;
  std::string kind;
  std::string name;
  std::string uid;
};

std::string OwnerJson(const OwnerSketch& owner) {
  return fmt::format(
      R"([{{"apiVersion":"{}","kind":"{}","name":"{}","uid":"{}","controller":true}}])",
      owner.api_version, owner.kind, owner.name, owner.uid);
}

constexpr std::string_view kTemplate =
    R"("selector":{"matchLabels":{"app":"web"}},"template":{"metadata":{"labels":{"app":"web"}},"spec":{"containers":[{"name":"c","image":"i"}]}})";

class DisruptionTest : public testing::Test {
 protected:
  void SetUp() override {
    cluster.Make("/api/v1/namespaces/default/serviceaccounts",
                 R"({"metadata":{"name":"default"}})");
    cluster.Run(MakeDisruption(cluster.context));
    ASSERT_TRUE(cluster.UntilIdle());
    cluster.TakeWrites();
  }

  std::string Workload(const std::string& plural, std::string_view extra,
                       const std::string& owners = "[]") {
    return cluster.Make(
        fmt::format("/apis/apps/v1/namespaces/default/{}", plural),
        fmt::format(R"({{"metadata":{{"name":"web","ownerReferences":{}}},"spec":{{{},{}}}}})",
                    owners, extra, kTemplate));
  }
  void MakePod(const std::string& name, bool ready, const std::string& owners = "[]") {
    cluster.Make(
        std::string(kPods),
        fmt::format(
            R"({{"metadata":{{"name":"{}","labels":{{"app":"web"}},"ownerReferences":{}}},"spec":{{"containers":[{{"name":"c","image":"i"}}]}}}})",
            name, owners));
    SetCondition(name, "Ready", ready ? "True" : "False");
  }
  void SetCondition(const std::string& pod, std::string_view type, std::string_view status) {
    const std::string now = FormatSeconds(cluster.loop.Now());
    cluster.Ask(
        "PATCH strategic-merge", fmt::format("{}/{}/status", kPods, pod),
        fmt::format(
            R"({{"status":{{"phase":"Running","conditions":[{{"type":"{}","status":"{}","lastTransitionTime":"{}"}}]}}}})",
            type, status, now));
  }
  void Budget(std::string_view limit, std::string_view name = "b") {
    cluster.Make(
        std::string(kBudgets),
        fmt::format(
            R"({{"metadata":{{"name":"{}"}},"spec":{{{},"selector":{{"matchLabels":{{"app":"web"}}}}}}}})",
            name, limit));
  }
  json::Value Status(std::string_view name = "b") {
    cluster.Settle();
    return cluster.Read(fmt::format("{}/{}", kBudgets, name)).Get("status");
  }
  // expected/healthy/desired/allowed, and the reason of the condition.
  std::string Numbers(std::string_view name = "b") {
    const json::Value status = Status(name);
    const auto number = [&](std::string_view member) { return json::ToJson(status.Get(member)); };
    return fmt::format("{}/{}/{}/{} {}", number("expectedPods"), number("currentHealthy"),
                       number("desiredHealthy"), number("disruptionsAllowed"),
                       status.Get("conditions").items().front().Get("reason").string());
  }
  std::vector<std::string> Events() {
    std::vector<std::string> events;
    const json::Value list = cluster.Read("/api/v1/namespaces/default/events");
    for (const json::Value& event : list.Get("items").items()) {
      events.push_back(event.Get("reason").string() + ": " + event.Get("message").string());
    }
    return events;
  }

  Cluster cluster;
};

TEST_F(DisruptionTest, CountsPodsWhereANumberMustBeAvailable) {
  Budget(R"("minAvailable":1)");
  EXPECT_EQ(Numbers(), "0/0/1/0 InsufficientPods");
  MakePod("a", true);
  MakePod("b", true);
  MakePod("c", false);
  EXPECT_EQ(Numbers(), "3/2/1/1 SufficientPods");
  SetCondition("a", "Ready", "False");
  EXPECT_EQ(Numbers(), "3/1/1/0 InsufficientPods");
  EXPECT_EQ(json::ToJson(Status().Get("observedGeneration")), "1");

  cluster.TakeWrites();
  cluster.Advance(std::chrono::minutes(5));
  EXPECT_EQ(cluster.TakeWrites(), std::vector<std::string>());
}

TEST_F(DisruptionTest, AsksOwnersHowManyTheyWant) {
  const std::string deployment = Workload("deployments", R"("replicas":6)");
  const std::string set = Workload("replicasets", R"("replicas":4)",
                                   OwnerJson({"apps/v1", "Deployment", "web", deployment}));
  const std::string stateful = Workload("statefulsets", R"("replicas":2,"serviceName":"s")");
  MakePod("a", true, OwnerJson({"apps/v1", "ReplicaSet", "web", set}));
  MakePod("b", true, OwnerJson({"apps/v1", "ReplicaSet", "web", set}));
  MakePod("c", true, OwnerJson({"apps/v1", "StatefulSet", "web", stateful}));
  Budget(R"("maxUnavailable":"25%")");
  EXPECT_EQ(Numbers(), "8/3/6/0 InsufficientPods");
}

TEST_F(DisruptionTest, AllowsNothingWhereOwnersCannotBeAsked) {
  const std::string job = cluster.Make(
      "/apis/batch/v1/namespaces/default/jobs",
      R"({"metadata":{"name":"web"},"spec":{"template":{"spec":{"restartPolicy":"Never","containers":[{"name":"c","image":"i"}]}}}})");
  MakePod("a", true, OwnerJson({"batch/v1", "Job", "web", job}));
  Budget(R"("maxUnavailable":1)");
  EXPECT_EQ(Numbers(), "0/0/0/0 SyncFailed");
  const json::Value condition = Status().Get("conditions").items().front();
  EXPECT_EQ(condition.Get("message").string(),
            "jobs.batch does not implement the scale subresource");
  EXPECT_EQ(Events(), std::vector<std::string>{
                          "CalculateExpectedPodCountFailed: Failed to calculate the number of "
                          "expected pods: jobs.batch does not implement the scale subresource"});
}

TEST_F(DisruptionTest, NamesAnOwnerThatIsGoneOrUnheardOf) {
  struct Row {
    OwnerSketch owner;
    std::string message;
  };
  const Row rows[] = {
      {{"apps/v1", "ReplicaSet", "gone", "u"}, R"(found no controllers for pod "p")"},
      {{"example.com/v1", "Thing", "t", "u"},
       R"(no matches for kind "Thing" in version "example.com/v1")"},
  };
  Budget(R"("maxUnavailable":1)");
  for (const Row& row : rows) {
    MakePod("p", true, OwnerJson(row.owner));
    EXPECT_EQ(Numbers(), "0/0/0/0 SyncFailed");
    EXPECT_EQ(Status().Get("conditions").items().front().Get("message").string(), row.message);
    cluster.Ask("DELETE", fmt::format("{}/p?gracePeriodSeconds=0", kPods));
    EXPECT_EQ(Numbers(), "0/0/0/0 InsufficientPods");
  }
}

TEST_F(DisruptionTest, SaysThatPodsWithoutOwnersDoNotCount) {
  MakePod("a", true);
  Budget(R"("minAvailable":"50%")");
  EXPECT_EQ(Numbers(), "0/1/0/0 InsufficientPods");
  const std::vector<std::string> events = Events();
  ASSERT_EQ(events.size(), 1U);
  EXPECT_TRUE(events[0].starts_with(
      "UnmanagedPods: Pods selected by this PodDisruptionBudget (selector: "
      "&LabelSelector{MatchLabels:map[string]string{app: web,},MatchExpressions:"
      "[]LabelSelectorRequirement{},}) were found to be unmanaged."))
      << events[0];
}

TEST_F(DisruptionTest, ForgetsPodsThatWereNotDeletedAfterAll) {
  MakePod("a", true);
  MakePod("b", true);
  Budget(R"("minAvailable":1)");
  EXPECT_EQ(Numbers(), "2/2/1/1 SufficientPods");
  cluster.Ask("PATCH merge", fmt::format("{}/b/status", kBudgets),
              fmt::format(R"({{"status":{{"disruptedPods":{{"a":"{}"}}}}}})",
                          FormatSeconds(cluster.loop.Now())));
  EXPECT_EQ(Numbers(), "2/1/1/0 InsufficientPods");
  cluster.Advance(std::chrono::seconds(110));
  EXPECT_EQ(Numbers(), "2/1/1/0 InsufficientPods");
  cluster.Advance(std::chrono::seconds(20));
  EXPECT_EQ(Numbers(), "2/2/1/1 SufficientPods");
  EXPECT_TRUE(Status().Get("disruptedPods").is_null());
}

TEST_F(DisruptionTest, TakesBackMarksOfPodsThatNobodyDeleted) {
  MakePod("a", true);
  SetCondition("a", "DisruptionTarget", "True");
  const auto mark = [&] {
    cluster.Settle();
    const json::Value status = cluster.Read(fmt::format("{}/a", kPods)).Get("status");
    const json::Value::Array& conditions = status.Get("conditions").items();
    const auto found = std::ranges::find_if(conditions, [](const json::Value& one) {
      return one.Get("type").string() == "DisruptionTarget";
    });
    return found == conditions.end() ? "" : found->Get("status").string();
  };
  cluster.Advance(std::chrono::seconds(110));
  EXPECT_EQ(mark(), "True");
  cluster.Advance(std::chrono::seconds(20));
  EXPECT_EQ(mark(), "False");
}

TEST_F(DisruptionTest, LooksAtTheBudgetThatAPodLeaves) {
  Budget(R"("minAvailable":0)");
  MakePod("a", true);
  EXPECT_EQ(Numbers(), "1/1/0/1 SufficientPods");
  cluster.Ask("PATCH merge", fmt::format("{}/a", kPods),
              R"({"metadata":{"labels":{"app":"other"}}})");
  EXPECT_EQ(Numbers(), "0/0/0/0 InsufficientPods");
}

TEST_F(DisruptionTest, KeepsAllBudgetsOfAPodRightAndSaysThatThereAreTwo) {
  Budget(R"("minAvailable":1)", "b");
  Budget(R"("minAvailable":0)", "c");
  MakePod("a", true);
  EXPECT_EQ(Numbers("b"), "1/1/1/0 InsufficientPods");
  EXPECT_EQ(Numbers("c"), "1/1/0/1 SufficientPods");
  bool told = false;
  for (const std::string& event : Events()) {
    told = told ||
           event.starts_with(R"(MultiplePodDisruptionBudgets: Pod "default"/"a" matches multiple )"
                             R"(PodDisruptionBudgets.  Chose "b" arbitrarily.)");
  }
  EXPECT_TRUE(told);
}

}  // namespace
}  // namespace quadra::lifecycle
