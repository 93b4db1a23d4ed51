#include "apiserver/discovery.h"

#include <gtest/gtest.h>

#include "json/value.h"

namespace quadra::apiserver {
namespace {

const Discovery& Builtin() {
  static const Catalog catalog(api::Registry().All());
  static const Discovery discovery(catalog, {.server_address = "127.0.0.1:6443"});
  return discovery;
}

// What the bodies say is compared with upstream's (conformance/discovery); here, which there are.
TEST(Discovery, HasABodyWhereAClientMayAsk) {
  struct Row {
    std::string_view path;
    DiscoveryForm form;
    std::string_view kind;  // empty: none
  };
  const Row rows[] = {
      {"/api", DiscoveryForm::kPlain, "APIVersions"},
      {"/api", DiscoveryForm::kAggregatedV2, "APIGroupDiscoveryList"},
      {"/api", DiscoveryForm::kAggregatedV2beta1, "APIGroupDiscoveryList"},
      {"/apis", DiscoveryForm::kPlain, "APIGroupList"},
      {"/apis", DiscoveryForm::kAggregatedV2, "APIGroupDiscoveryList"},
      {"/api/v1", DiscoveryForm::kPlain, "APIResourceList"},
      {"/api/v1", DiscoveryForm::kAggregatedV2, ""},
      {"/apis/apps", DiscoveryForm::kPlain, "APIGroup"},
      {"/apis/apps/v1", DiscoveryForm::kPlain, "APIResourceList"},
      {"/apis/apps/v2", DiscoveryForm::kPlain, ""},
      {"/apis/", DiscoveryForm::kPlain, ""},
      {"/", DiscoveryForm::kPlain, ""},
  };
  for (const Row& row : rows) {
    const std::string* body = Builtin().Find(row.path, row.form);
    ASSERT_EQ(body == nullptr, row.kind.empty()) << row.path;
    if (body != nullptr) {
      EXPECT_EQ(json::ParseValue(*body)->Get("kind").string(), row.kind) << row.path;
    }
  }
}

TEST(Discovery, FormsDifferInNameAlone) {
  json::Value v2 = *json::ParseValue(*Builtin().Find("/apis", DiscoveryForm::kAggregatedV2));
  const json::Value beta =
      *json::ParseValue(*Builtin().Find("/apis", DiscoveryForm::kAggregatedV2beta1));
  EXPECT_EQ(v2.Get("apiVersion").string(), "apidiscovery.k8s.io/v2");
  v2.Set("apiVersion", json::Value(std::string("apidiscovery.k8s.io/v2beta1")));
  EXPECT_EQ(v2, beta);
}

TEST(Discovery, SaysWhereTheServerIs) {
  const json::Value body = *json::ParseValue(*Builtin().Find("/api", DiscoveryForm::kPlain));
  const json::Value& address = body.Get("serverAddressByClientCIDRs").items().at(0);
  EXPECT_EQ(address.Get("serverAddress").string(), "127.0.0.1:6443");
}

TEST(Discovery, VersionIsThatOfTheApi) {
  const json::Value body = *json::ParseValue(VersionBody("quadra.0.1.0"));
  EXPECT_EQ(body.Get("gitVersion").string(), "v1.37.1+quadra.0.1.0");
  EXPECT_EQ(body.Get("minor").string(), "37");
}

}  // namespace
}  // namespace quadra::apiserver
