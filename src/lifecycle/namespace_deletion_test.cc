#include <algorithm>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "lifecycle/cluster_for_tests.h"
#include "lifecycle/lifecycle.h"
#include "lifecycle/namespace_conditions.h"

namespace quadra::lifecycle {
namespace {

using Lines = std::vector<std::string>;

constexpr std::string_view kTeam = "/api/v1/namespaces/team-a";

std::string In(std::string_view path) { return fmt::format("{}/{}", kTeam, path); }
std::string Named(std::string_view name, std::string_view more = "") {
  return fmt::format(R"({{"metadata":{{"name":"{}"{}}}}})", name, more);
}

// "Type=True Reason: message", of all conditions.
Lines ConditionsOf(const json::Value& ns) {
  Lines lines;
  const json::Value& conditions = ns.Get("status").Get("conditions");
  for (const json::Value& condition :
       conditions.is_null() ? json::Value::Array() : conditions.items()) {
    lines.push_back(fmt::format("{}={} {}: {}", condition.Get("type").string(),
                                condition.Get("status").string(), condition.Get("reason").string(),
                                condition.Get("message").string()));
  }
  return lines;
}

const Lines kAllWell = {
    "NamespaceDeletionDiscoveryFailure=False ResourcesDiscovered: All resources successfully "
    "discovered",
    "NamespaceDeletionGroupVersionParsingFailure=False ParsedGroupVersions: All legacy kube types "
    "successfully parsed",
    "NamespaceDeletionContentFailure=False ContentDeleted: All content successfully deleted, may "
    "be waiting on finalization",
    "NamespaceContentRemaining=False ContentRemoved: All content successfully removed",
    "NamespaceFinalizersRemaining=False ContentHasNoFinalizers: All content-preserving finalizers "
    "finished"};

class NamespaceDeletionTest : public testing::Test {
 protected:
  void SetUp() override { cluster.Make("/api/v1/namespaces", Named("team-a")); }
  void Begin() {
    cluster.Run(MakeNamespaceDeletion(cluster.context));
    ASSERT_TRUE(cluster.UntilIdle());
  }
  void Delete() { EXPECT_EQ(cluster.Ask("DELETE", std::string(kTeam)).status, 200); }
  bool UntilGone() {
    return cluster.Until([&] { return !cluster.Has(std::string(kTeam)); });
  }

  Cluster cluster;
};

TEST_F(NamespaceDeletionTest, EmptiesItAndLetsGo) {
  cluster.Make(In("configmaps"), Named("one"));
  cluster.Make(In("serviceaccounts"), Named("two"));
  cluster.Make("/apis/coordination.k8s.io/v1/namespaces/team-a/leases", Named("three"));
  Begin();
  Delete();
  EXPECT_TRUE(UntilGone());
  ASSERT_TRUE(cluster.UntilIdle());
  Lines writes = cluster.TakeWrites();
  std::ranges::sort(writes);
  EXPECT_EQ(writes, (Lines{"DELETE /api/v1/namespaces/team-a/configmaps",
                           "DELETE /api/v1/namespaces/team-a/serviceaccounts",
                           "DELETE /apis/coordination.k8s.io/v1/namespaces/team-a/leases",
                           "PUT /api/v1/namespaces/team-a/finalize",
                           "PUT /api/v1/namespaces/team-a/status"}));
  EXPECT_EQ(cluster.TakeLines(), Lines());
}

TEST_F(NamespaceDeletionTest, GivesServersTimeToHearOfIt) {
  Begin();
  Delete();
  cluster.Advance(std::chrono::milliseconds(4900));
  EXPECT_EQ(cluster.TakeWrites(), Lines());
  cluster.Advance(std::chrono::milliseconds(200));
  EXPECT_FALSE(cluster.Has(std::string(kTeam)));
}

TEST_F(NamespaceDeletionTest, AThousandObjectsCostAsManyWritesAsOne) {
  for (int i = 0; i < 1000; ++i) {
    cluster.Make(In("configmaps"), Named(fmt::format("map-{}", i)));
  }
  Begin();
  const std::size_t before = cluster.requests();
  Delete();
  EXPECT_TRUE(UntilGone());
  EXPECT_EQ(cluster.TakeWrites(), (Lines{"DELETE /api/v1/namespaces/team-a/configmaps",
                                         "PUT /api/v1/namespaces/team-a/status",
                                         "PUT /api/v1/namespaces/team-a/finalize"}));
  EXPECT_LT(cluster.requests() - before, std::size_t{100});
}

TEST_F(NamespaceDeletionTest, SaysWhichFinalizersItWaitsFor) {
  cluster.Make(In("configmaps"), Named("kept", R"(,"finalizers":["example.com/keep"])"));
  Begin();
  Delete();
  ASSERT_TRUE(cluster.Until([&] { return !cluster.TakeWrites().empty(); }));
  cluster.Advance(std::chrono::seconds(60));
  Lines want = kAllWell;
  want[3] =
      "NamespaceContentRemaining=True SomeResourcesRemain: Some resources are remaining: "
      "configmaps. has 1 resource instances";
  want[4] =
      "NamespaceFinalizersRemaining=True SomeFinalizersRemain: Some content in the namespace "
      "has finalizers remaining: example.com/keep in 1 resource instances";
  EXPECT_EQ(ConditionsOf(cluster.Read(std::string(kTeam))), want);
  cluster.Ask("PATCH merge", In("configmaps/kept"), R"({"metadata":{"finalizers":[]}})");
  EXPECT_TRUE(UntilGone());
}

TEST_F(NamespaceDeletionTest, EverythingElseWaitsForPods) {
  cluster.Make(In("serviceaccounts"), Named("default"));
  cluster.Make(In("pods"), R"({"metadata":{"name":"pod"},"spec":{"nodeName":"n",
      "terminationGracePeriodSeconds":40,"containers":[{"name":"c","image":"i"}]}})");
  Begin();
  Delete();
  cluster.Advance(std::chrono::seconds(100));
  EXPECT_TRUE(cluster.Has(In("pods/pod")));
  EXPECT_TRUE(cluster.Has(In("serviceaccounts/default")));
  cluster.Ask("DELETE", In("pods/pod"), R"({"gracePeriodSeconds":0})");
  EXPECT_TRUE(UntilGone());
}

TEST_F(NamespaceDeletionTest, OtherFinalizersOfTheNamespaceAreOthers) {
  cluster.Ask("PATCH merge", std::string(kTeam),
              R"({"metadata":{"finalizers":["example.com/keep"]}})");
  Begin();
  Delete();
  ASSERT_TRUE(cluster.Until([&] {
    const json::Value ns = cluster.Read(std::string(kTeam));
    const json::Value& finalizers = ns.Get("spec").Get("finalizers");
    return finalizers.is_null() || finalizers.items().empty();
  }));
  cluster.TakeWrites();
  cluster.Advance(std::chrono::minutes(2));
  EXPECT_TRUE(cluster.Has(std::string(kTeam)));
  EXPECT_EQ(cluster.TakeWrites(), Lines());
  EXPECT_EQ(ConditionsOf(cluster.Read(std::string(kTeam))), kAllWell);
}

TEST_F(NamespaceDeletionTest, WhatWasDeletedBeforeItStartedGoesToo) {
  cluster.Make(In("configmaps"), Named("one"));
  Delete();
  Begin();
  EXPECT_TRUE(UntilGone());
}

TEST_F(NamespaceDeletionTest, NothingIsAskedWhereNothingIsDeleted) {
  Begin();
  const std::size_t before = cluster.requests();
  cluster.Advance(std::chrono::minutes(3));
  EXPECT_EQ(cluster.requests(), before);
}

TEST(NamespaceConditions, SayWhatIsInTheWay) {
  const Time now{std::chrono::hours(1)};
  struct Case {
    NamespaceFindings findings;
    std::size_t place;
    std::string want;
  };
  const std::vector<Case> cases = {
      {{.undiscovered = {"metrics.k8s.io/v1beta1"}},
       0,
       "NamespaceDeletionDiscoveryFailure=True DiscoveryFailed: Discovery failed for some groups, "
       "1 "
       "failing: unable to retrieve the complete list of server APIs: metrics.k8s.io/v1beta1: "
       "stale "
       "GroupVersion discovery: metrics.k8s.io/v1beta1"},
      {{.discovery_failure = "not now"},
       0,
       "NamespaceDeletionDiscoveryFailure=True DiscoveryFailed: not now"},
      {{.failures = {"b", "a"}},
       2,
       "NamespaceDeletionContentFailure=True ContentDeletionFailed: Failed to delete all resource "
       "types, 2 remaining: a, b"},
      {{.left_by_kind = {{"widgets.example.com", 2}, {"pods.", 10}}},
       3,
       "NamespaceContentRemaining=True SomeResourcesRemain: Some resources are remaining: pods. "
       "has "
       "10 resource instances, widgets.example.com has 2 resource instances"},
  };
  for (const Case& c : cases) {
    json::Value ns{json::Value::Object{}};
    EXPECT_TRUE(UpdateConditions(ns, c.findings, now));
    Lines want = kAllWell;
    want[c.place] = c.want;
    EXPECT_EQ(ConditionsOf(ns), want);
  }
}

TEST(NamespaceConditions, TimesTellWhenAStatusTurned) {
  const Time first{std::chrono::hours(1)};
  const Time second{std::chrono::hours(2)};
  json::Value ns{json::Value::Object{}};
  EXPECT_TRUE(UpdateConditions(ns, {.failures = {"a"}}, first));
  EXPECT_FALSE(UpdateConditions(ns, {.failures = {"a"}}, second));
  const auto turned = [&] {
    return ns.Get("status").Get("conditions").items()[2].Get("lastTransitionTime").string();
  };
  EXPECT_TRUE(UpdateConditions(ns, {.failures = {"b"}}, second));
  EXPECT_EQ(turned(), FormatSeconds(first));
  EXPECT_TRUE(UpdateConditions(ns, {}, second));
  EXPECT_EQ(turned(), FormatSeconds(second));
}

}  // namespace
}  // namespace quadra::lifecycle
