#include "lifecycle/discovery.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "lifecycle/cluster_for_tests.h"

namespace quadra::lifecycle {
namespace {

constexpr std::string_view kGroups = R"({"kind":"APIGroupDiscoveryList","items":[
 {"metadata":{"name":"example.com"},"versions":[
  {"version":"v2","resources":[
   {"resource":"widgets","responseKind":{"kind":"Widget"},"scope":"Namespaced","verbs":["get","delete"]}],
   "freshness":"Current"},
  {"version":"v1","resources":[
   {"resource":"widgets","responseKind":{"kind":"Widget"},"scope":"Namespaced","verbs":["get","delete"]},
   {"resource":"gadgets","responseKind":{"kind":"Gadget"},"scope":"Cluster","verbs":["list"]}],
   "freshness":"Current"}]},
 {"metadata":{"name":"metrics.k8s.io"},"versions":[{"version":"v1beta1","freshness":"Stale"}]}]})";

TEST(Discovery, KnowsWhatGroupsPreferAndWhatIsMissing) {
  Kinds kinds;
  ASSERT_TRUE(AddGroups(kGroups, kinds));
  std::vector<std::string> told;
  for (const ServedKind& kind : kinds.all) {
    told.push_back(kind.resource.Path("ns", "x") + (kind.preferred ? " preferred" : "") +
                   (kind.Can("delete") ? " delete" : ""));
  }
  EXPECT_EQ(told, (std::vector<std::string>{
                      "/apis/example.com/v2/namespaces/ns/widgets/x preferred delete",
                      "/apis/example.com/v1/namespaces/ns/widgets/x delete",
                      "/apis/example.com/v1/gadgets/x preferred"}));
  EXPECT_EQ(kinds.missing, std::vector<std::string>{"metrics.k8s.io/v1beta1"});
  EXPECT_EQ(kinds.Find("example.com/v1", "Widget")->version, "v1");
  EXPECT_EQ(kinds.Find("example.com/v2", "Gadget"), nullptr);
}

TEST(Discovery, OtherAnswersAreRefused) {
  for (const std::string_view json : {R"({"kind":"APIGroupList","groups":[]})", "", "[]"}) {
    Kinds kinds;
    EXPECT_FALSE(AddGroups(json, kinds)) << json;
  }
}

TEST(Discovery, FindsTheKindsOfAServer) {
  Cluster cluster;
  loop::TaskGroup tasks;
  std::optional<client::Answer<Kinds>> told;
  const auto ask = [&]() -> loop::Task<void> { told.emplace(co_await Discover(cluster.api)); };
  tasks.Start(ask());
  ASSERT_TRUE(cluster.Until([&] { return told.has_value(); }));
  ASSERT_TRUE(told->has_value()) << told->error().message;
  EXPECT_EQ(cluster.requests(), 2);
  const client::Resource* const pods = (*told)->Find("v1", "Pod");
  ASSERT_NE(pods, nullptr);
  EXPECT_EQ(*pods, client::ResourceFor("v1", "Pod"));
  const client::Resource* const claims = (*told)->Find("resource.k8s.io/v1", "ResourceClaim");
  ASSERT_NE(claims, nullptr);
  EXPECT_EQ(*claims, client::ResourceFor("resource.k8s.io/v1", "ResourceClaim"));
  EXPECT_TRUE((*told)->missing.empty());
}

}  // namespace
}  // namespace quadra::lifecycle
