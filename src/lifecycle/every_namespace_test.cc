// What every namespace has: the account that pods run as, and the authority of the server.
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "lifecycle/cluster_for_tests.h"
#include "lifecycle/lifecycle.h"

namespace quadra::lifecycle {
namespace {

using Lines = std::vector<std::string>;

const Lines kFirst = {"default", "kube-node-lease", "kube-public", "kube-system"};

std::string Account(std::string_view ns) {
  return fmt::format("/api/v1/namespaces/{}/serviceaccounts/default", ns);
}
std::string RootCa(std::string_view ns) {
  return fmt::format("/api/v1/namespaces/{}/configmaps/kube-root-ca.crt", ns);
}

class EveryNamespaceTest : public testing::Test {
 protected:
  void Make(std::string_view ns) {
    cluster.Make("/api/v1/namespaces", fmt::format(R"({{"metadata":{{"name":"{}"}}}})", ns));
  }
  bool UntilHas(const std::string& path) {
    return cluster.Until([&] { return cluster.Has(path); });
  }
  void Begin(std::unique_ptr<client::Controller> controller) {
    cluster.Run(std::move(controller));
    ASSERT_TRUE(cluster.UntilIdle());
  }

  Cluster cluster;
};

TEST_F(EveryNamespaceTest, HasAnAccount) {
  Begin(MakeServiceAccounts(cluster.context));
  for (const std::string& ns : kFirst) {
    EXPECT_TRUE(cluster.Has(Account(ns))) << ns;
  }
  Make("team-a");
  EXPECT_TRUE(UntilHas(Account("team-a")));
  cluster.Ask("DELETE", Account("team-a"));
  EXPECT_TRUE(UntilHas(Account("team-a")));
}

TEST_F(EveryNamespaceTest, HasTheAuthorityOfTheServer) {
  Begin(MakeRootCaPublisher(cluster.context, {.certificates = "PEM"}));
  for (const std::string& ns : kFirst) {
    EXPECT_EQ(cluster.Read(RootCa(ns)).Get("data").Get("ca.crt").string(), "PEM") << ns;
  }
  Make("team-a");
  EXPECT_TRUE(UntilHas(RootCa("team-a")));
  EXPECT_FALSE(cluster.Read(RootCa("team-a"))
                   .Get("metadata")
                   .Get("annotations")
                   .Get("kubernetes.io/description")
                   .string()
                   .empty());
  cluster.Ask("DELETE", RootCa("team-a"));
  EXPECT_TRUE(UntilHas(RootCa("team-a")));
}

TEST_F(EveryNamespaceTest, ChangedAuthoritiesArePutBackAndWhatElseWasWrittenStays) {
  Begin(MakeRootCaPublisher(cluster.context, {.certificates = "PEM"}));
  cluster.Ask("PATCH merge", RootCa("default"),
              R"({"data":{"ca.crt":"forged","more":"x"},
                  "metadata":{"labels":{"a":"b"},
                              "annotations":{"kubernetes.io/description":"ours"}}})");
  cluster.TakeWrites();
  ASSERT_TRUE(cluster.Until([&] { return !cluster.TakeWrites().empty(); }));
  ASSERT_TRUE(cluster.UntilIdle());
  const json::Value map = cluster.Read(RootCa("default"));
  EXPECT_EQ(json::ToJson(map.Get("data")), R"({"ca.crt":"PEM"})");
  EXPECT_EQ(map.Get("metadata").Get("labels").Get("a").string(), "b");
  EXPECT_EQ(map.Get("metadata").Get("annotations").Get("kubernetes.io/description").string(),
            "ours");
}

TEST_F(EveryNamespaceTest, WithoutAnAuthorityNothingIsPublished) {
  Begin(MakeRootCaPublisher(cluster.context, {}));
  cluster.Advance(std::chrono::minutes(1));
  EXPECT_EQ(cluster.TakeWrites(), Lines());
  EXPECT_EQ(cluster.TakeLines().size(), 1);
}

TEST_F(EveryNamespaceTest, OneThatGoesGetsNothing) {
  Make("team-a");
  cluster.Ask("DELETE", "/api/v1/namespaces/team-a");
  std::vector<std::unique_ptr<client::Controller>> both;
  both.push_back(MakeServiceAccounts(cluster.context));
  both.push_back(MakeRootCaPublisher(cluster.context, {.certificates = "PEM"}));
  cluster.Run(std::move(both));
  ASSERT_TRUE(cluster.UntilIdle());
  EXPECT_TRUE(cluster.Has(Account("default")));
  EXPECT_FALSE(cluster.Has(Account("team-a")));
  EXPECT_FALSE(cluster.Has(RootCa("team-a")));
  EXPECT_EQ(cluster.TakeWrites().size(), 2 * kFirst.size());
}

TEST_F(EveryNamespaceTest, NothingIsWrittenWhereNothingHappens) {
  std::vector<std::unique_ptr<client::Controller>> both;
  both.push_back(MakeServiceAccounts(cluster.context));
  both.push_back(MakeRootCaPublisher(cluster.context, {.certificates = "PEM"}));
  cluster.Run(std::move(both));
  ASSERT_TRUE(cluster.UntilIdle());
  cluster.TakeWrites();
  const std::size_t before = cluster.requests();
  cluster.Advance(std::chrono::minutes(3));
  EXPECT_EQ(cluster.TakeWrites(), Lines());
  EXPECT_EQ(cluster.requests(), before);
}

}  // namespace
}  // namespace quadra::lifecycle
