#include <algorithm>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "lifecycle/cluster_for_tests.h"
#include "lifecycle/lifecycle.h"

namespace quadra::lifecycle {
namespace {

using Lines = std::vector<std::string>;

constexpr std::string_view kMaps = "/api/v1/namespaces/default/configmaps";

struct Owner {
  std::string api_version = "v1";
  std::string kind = "ConfigMap";
  std::string name;
  std::string uid;
  bool blocks = false;
};

std::string OwnerJson(const Owner& owner) {
  return fmt::format(
      R"({{"apiVersion":"{}","kind":"{}","name":"{}","uid":"{}","blockOwnerDeletion":{}}})",
      owner.api_version, owner.kind, owner.name, owner.uid, owner.blocks);
}

std::string MapJson(std::string_view name, const std::vector<Owner>& owners = {}) {
  std::string references;
  for (const Owner& owner : owners) {
    references += (references.empty() ? "" : ",") + OwnerJson(owner);
  }
  return fmt::format(R"({{"metadata":{{"name":"{}","ownerReferences":[{}]}}}})", name, references);
}

std::string Path(std::string_view name) { return fmt::format("{}/{}", kMaps, name); }

class GarbageCollectorTest : public testing::Test {
 protected:
  std::string Map(std::string_view name, const std::vector<Owner>& owners = {}) {
    return cluster.Make(std::string(kMaps), MapJson(name, owners));
  }
  void Begin() {
    cluster.Run(MakeGarbageCollector(cluster.context));
    ASSERT_TRUE(cluster.UntilIdle());
  }
  net::Response Delete(std::string_view name, std::string_view policy) {
    return cluster.Ask("DELETE", Path(name),
                       fmt::format(R"({{"propagationPolicy":"{}"}})", policy));
  }
  bool UntilGone(const Lines& names) {
    return cluster.Until([&] {
      return std::ranges::none_of(names,
                                  [&](const std::string& name) { return cluster.Has(Path(name)); });
    });
  }
  std::size_t OwnersOf(std::string_view name) {
    const json::Value tree = cluster.Read(Path(name));
    const json::Value& owners = tree.Get("metadata").Get("ownerReferences");
    return owners.is_null() ? 0 : owners.items().size();
  }
  static void SortedEq(Lines have, Lines want) {
    std::ranges::sort(have);
    std::ranges::sort(want);
    EXPECT_EQ(have, want);
  }

  Cluster cluster;
};

TEST_F(GarbageCollectorTest, BackgroundTakesAllThatDependsOnIt) {
  const std::string owner = Map("owner");
  const std::string child = Map("child", {{.name = "owner", .uid = owner}});
  Map("grandchild", {{.name = "child", .uid = child}});
  Map("stranger");
  Begin();
  Delete("owner", "Background");
  EXPECT_FALSE(cluster.Has(Path("owner")));
  EXPECT_TRUE(UntilGone({"child", "grandchild"}));
  EXPECT_TRUE(cluster.Has(Path("stranger")));
  ASSERT_TRUE(cluster.UntilIdle());
  SortedEq(cluster.TakeWrites(), {"DELETE " + Path("child"), "DELETE " + Path("grandchild")});
}

TEST_F(GarbageCollectorTest, WhatLostItsOwnersBeforeItStartedGoesToo) {
  const std::string owner = Map("owner");
  Map("child", {{.name = "owner", .uid = owner}});
  Delete("owner", "Background");
  Begin();
  EXPECT_TRUE(UntilGone({"child"}));
}

TEST_F(GarbageCollectorTest, ForegroundWaitsForThoseThatHoldItUp) {
  const std::string owner = Map("owner");
  Map("blocks", {{.name = "owner", .uid = owner, .blocks = true}});
  cluster.Ask("PATCH merge", Path("blocks"), R"({"metadata":{"finalizers":["example.com/keep"]}})");
  Map("follows", {{.name = "owner", .uid = owner}});
  Begin();
  Delete("owner", "Foreground");
  EXPECT_TRUE(UntilGone({"follows"}));
  cluster.Advance(std::chrono::seconds(100));
  EXPECT_TRUE(cluster.Has(Path("owner")));
  cluster.Ask("PATCH merge", Path("blocks"), R"({"metadata":{"finalizers":[]}})");
  EXPECT_TRUE(UntilGone({"blocks", "owner"}));
}

TEST_F(GarbageCollectorTest, ForegroundDoesNotWaitForOthers) {
  const std::string owner = Map("owner");
  Map("follows", {{.name = "owner", .uid = owner}});
  cluster.Ask("PATCH merge", Path("follows"),
              R"({"metadata":{"finalizers":["example.com/keep"]}})");
  Begin();
  Delete("owner", "Foreground");
  EXPECT_TRUE(UntilGone({"owner"}));
  EXPECT_TRUE(cluster.Has(Path("follows")));
}

TEST_F(GarbageCollectorTest, ForegroundGoesDownTheWholeTree) {
  const std::string owner = Map("owner");
  const std::string child = Map("child", {{.name = "owner", .uid = owner, .blocks = true}});
  Map("grandchild", {{.name = "child", .uid = child, .blocks = true}});
  Begin();
  Delete("owner", "Foreground");
  EXPECT_TRUE(UntilGone({"owner", "child", "grandchild"}));
}

TEST_F(GarbageCollectorTest, OrphansStay) {
  const std::string owner = Map("owner");
  const std::string other = Map("other");
  Map("one", {{.name = "owner", .uid = owner}});
  Map("two", {{.name = "owner", .uid = owner}, {.name = "other", .uid = other}});
  Begin();
  Delete("owner", "Orphan");
  EXPECT_TRUE(UntilGone({"owner"}));
  ASSERT_TRUE(cluster.UntilIdle());
  EXPECT_EQ(OwnersOf("one"), 0);
  EXPECT_EQ(OwnersOf("two"), 1);
  SortedEq(cluster.TakeWrites(),
           {"PATCH " + Path("one"), "PATCH " + Path("two"), "PATCH " + Path("owner")});
}

TEST_F(GarbageCollectorTest, ManyAreOrphaned) {
  const std::string owner = Map("owner");
  constexpr int kMany = 120;
  for (int i = 0; i < kMany; ++i) {
    Map(fmt::format("child-{}", i), {{.name = "owner", .uid = owner}});
  }
  Begin();
  Delete("owner", "Orphan");
  EXPECT_TRUE(UntilGone({"owner"}));
  EXPECT_EQ(cluster.TakeWrites().size(), kMany + 1);
  EXPECT_EQ(OwnersOf("child-0") + OwnersOf("child-77"), 0);
}

TEST_F(GarbageCollectorTest, OneOwnerThatIsThereKeepsIt) {
  const std::string owner = Map("owner");
  const std::string other = Map("other");
  Map("child", {{.name = "owner", .uid = owner}, {.name = "other", .uid = other}});
  Begin();
  Delete("owner", "Background");
  EXPECT_TRUE(cluster.Until([&] { return OwnersOf("child") == 1; }));
  ASSERT_TRUE(cluster.UntilIdle());
  EXPECT_EQ(cluster.TakeWrites(), Lines{"PATCH " + Path("child")});
}

TEST_F(GarbageCollectorTest, AnOwnerOfAnotherUidIsNotTheOwner) {
  const std::string owner = Map("owner");
  Map("child", {{.name = "owner", .uid = owner}});
  Begin();
  // Made anew before the collector looks.
  Delete("owner", "Background");
  const std::string again = Map("owner");
  Map("heir", {{.name = "owner", .uid = again}});
  EXPECT_TRUE(UntilGone({"child"}));
  ASSERT_TRUE(cluster.UntilIdle());
  EXPECT_TRUE(cluster.Has(Path("heir")));
  EXPECT_TRUE(cluster.Has(Path("owner")));
}

TEST_F(GarbageCollectorTest, CirclesAreLeftAloneUntilSomebodyDeletesOne) {
  const std::string one = Map("one");
  const std::string two = Map("two", {{.name = "one", .uid = one, .blocks = true}});
  cluster.Ask("PATCH merge", Path("one"),
              fmt::format(R"({{"metadata":{{"ownerReferences":[{}]}}}})",
                          OwnerJson({.name = "two", .uid = two, .blocks = true})));
  Begin();
  EXPECT_EQ(cluster.TakeWrites(), Lines());
  Delete("one", "Foreground");
  EXPECT_TRUE(UntilGone({"one", "two"}));
}

TEST_F(GarbageCollectorTest, AnOwnerInAnotherNamespaceIsNoOwner) {
  const std::string elsewhere =
      cluster.Make("/api/v1/namespaces/kube-public/configmaps", MapJson("owner"));
  Map("child", {{.name = "owner", .uid = elsewhere}});
  Begin();
  EXPECT_TRUE(UntilGone({"child"}));
  EXPECT_TRUE(cluster.Has("/api/v1/namespaces/kube-public/configmaps/owner"));
  ASSERT_TRUE(
      cluster.Until([&] { return cluster.Count("/api/v1/namespaces/default/events") > 0; }));
  const json::Value event = cluster.Read("/api/v1/namespaces/default/events");
  EXPECT_EQ(event.Get("items").items()[0].Get("reason").string(), "OwnerRefInvalidNamespace");
  EXPECT_EQ(event.Get("items").items()[0].Get("message").string(),
            fmt::format("ownerRef [v1/ConfigMap, namespace: default, name: owner, uid: {}] does "
                        "not exist in namespace \"default\"",
                        elsewhere));
}

TEST_F(GarbageCollectorTest, WhatHasNoNamespaceIsNotOwnedFromOne) {
  const std::string owner = Map("owner");
  cluster.Make("/apis/rbac.authorization.k8s.io/v1/clusterroles",
               MapJson("role", {{.name = "owner", .uid = owner}}));
  Begin();
  Delete("owner", "Background");
  cluster.Advance(std::chrono::seconds(60));
  EXPECT_TRUE(cluster.Has("/apis/rbac.authorization.k8s.io/v1/clusterroles/role"));
  EXPECT_EQ(cluster.TakeWrites(), Lines{"POST /api/v1/namespaces/default/events"});
}

TEST_F(GarbageCollectorTest, AnOwnerWithoutNamespaceMayBeOwnedFromAny) {
  const std::string owner =
      cluster.Make("/apis/rbac.authorization.k8s.io/v1/clusterroles", MapJson("role"));
  Map("child", {{.api_version = "rbac.authorization.k8s.io/v1",
                 .kind = "ClusterRole",
                 .name = "role",
                 .uid = owner}});
  Begin();
  EXPECT_EQ(cluster.TakeWrites(), Lines());
  cluster.Ask("DELETE", "/apis/rbac.authorization.k8s.io/v1/clusterroles/role");
  EXPECT_TRUE(UntilGone({"child"}));
}

TEST_F(GarbageCollectorTest, AnOwnerOfAKindThatNobodyServesKeepsIt) {
  Map("child", {{.api_version = "example.com/v1", .kind = "Widget", .name = "w", .uid = "w"}});
  Begin();
  const std::size_t before = cluster.requests();
  cluster.Advance(std::chrono::minutes(30));
  EXPECT_TRUE(cluster.Has(Path("child")));
  EXPECT_EQ(cluster.TakeWrites(), Lines());
  // Nothing but what is discovered every half minute.
  EXPECT_LE(cluster.requests() - before, std::size_t{2 * 61});
}

TEST_F(GarbageCollectorTest, NothingIsWrittenWhereNothingHappens) {
  const std::string owner = Map("owner");
  Map("child", {{.name = "owner", .uid = owner}});
  Begin();
  cluster.Advance(std::chrono::minutes(5));
  EXPECT_EQ(cluster.TakeWrites(), Lines());
  EXPECT_EQ(cluster.TakeLines(), Lines());
}

}  // namespace
}  // namespace quadra::lifecycle
