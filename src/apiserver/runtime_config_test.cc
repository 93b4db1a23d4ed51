#include "apiserver/runtime_config.h"

#include <gtest/gtest.h>

#include "apiserver/server_for_tests.h"

namespace quadra::apiserver {
namespace {

TEST(RuntimeConfig, TheNarrowerWordCounts) {
  struct Row {
    std::string_view text, api_version, kind;
    bool served;
  };
  constexpr Row kRows[] = {
      {"", "resource.k8s.io/v1beta1", "ResourceSlice", true},
      {"resource.k8s.io/v1beta1=false", "resource.k8s.io/v1beta1", "ResourceSlice", false},
      {"resource.k8s.io/v1beta1=false", "resource.k8s.io/v1beta2", "ResourceSlice", true},
      {" resource.k8s.io/v1beta1 = false ,", "resource.k8s.io/v1beta1", "ResourceSlice", false},
      {"api/beta=false", "resource.k8s.io/v1beta1", "ResourceSlice", false},
      {"api/beta=false", "resource.k8s.io/v1", "ResourceSlice", true},
      {"api/beta=false", "resource.k8s.io/v1alpha3", "DeviceTaintRule", true},
      {"api/alpha=false", "resource.k8s.io/v1alpha3", "DeviceTaintRule", false},
      {"api/ga=false", "resource.k8s.io/v1beta1", "ResourceSlice", true},
      {"api/ga=false", "v1", "Pod", false},
      {"api/all=false,api/ga=true", "v1", "Pod", true},
      {"api/all=false,api/ga=true", "resource.k8s.io/v1beta1", "ResourceSlice", false},
      {"api/all=true,api/beta=false", "resource.k8s.io/v1beta1", "ResourceSlice", false},
      {"api/beta=false,resource.k8s.io/v1beta1", "resource.k8s.io/v1beta1", "ResourceSlice", true},
      {"api/all=false,/v1=true", "v1", "Pod", true},
      {"v1=false", "v1", "Pod", false},
      {"api/v1/pods=false", "v1", "Pod", false},
      {"api/v1/pods=false", "v1", "Node", false},
      {"api/legacy=false", "v1", "Pod", true},
      {"resource.k8s.io/v1/resourceslices=false", "resource.k8s.io/v1", "ResourceSlice", false},
      {"resource.k8s.io/v1/resourceslices=0", "resource.k8s.io/v1", "ResourceClaim", true},
      {"resource.k8s.io/v1=F,resource.k8s.io/v1/resourceslices=T", "resource.k8s.io/v1",
       "ResourceSlice", true},
  };
  for (const Row& row : kRows) {
    const Result<RuntimeConfig> config = RuntimeConfig::Parse(row.text);
    ASSERT_TRUE(config.has_value()) << row.text;
    EXPECT_EQ(config->Serves(*api::FindKind(row.api_version, row.kind)), row.served)
        << row.text << " " << row.api_version << " " << row.kind;
  }
}

TEST(RuntimeConfig, RefusesInUpstreamsWords) {
  struct Row {
    std::string_view text, message;
  };
  constexpr Row kRows[] = {
      {"api/all=false", "invalid runtime-config with only api/all=false"},
      {"api/all=no,/v1=true", "invalid value api/all=no"},
      {"api/beta", "invalid value api/beta="},
      {"v2=false", "runtime-config invalid key v2"},
      {"a/b/c/d=true", "runtime-config invalid key a/b/c/d"},
      {"b.example/v1=true,a.example/v1=false", "unknown api groups a.example/v1,b.example/v1"},
      {"api/stable=true", "unknown api groups api/stable"},
      {"apps/v9=true", "group version apps/v9 that has not been registered"},
      {"apps/v1=maybe",
       R"(invalid value of apps/v1: maybe, err: strconv.ParseBool: parsing "maybe": invalid syntax)"},
      {"apps/v1/Deployments=true",
       R"(invalid key apps/v1/Deployments: group/version/resource and resource is always lowercase plural, not "Deployments")"},
  };
  for (const Row& row : kRows) {
    const Result<RuntimeConfig> config = RuntimeConfig::Parse(row.text);
    ASSERT_FALSE(config.has_value()) << row.text;
    EXPECT_EQ(config.error().message, row.message) << row.text;
  }
}

TEST(RuntimeConfig, DecidesWhatIsServedAndToldOfButNotWhatIsStored) {
  const std::string slices = "/resourceslices";
  const std::string base = "/apis/resource.k8s.io/";
  TestServer server;
  const std::string slice =
      R"({"metadata":{"name":"s"},"spec":{"driver":"d.example","nodeName":"n","pool":{"name":"p","resourceSliceCount":1}}})";
  ASSERT_EQ(server.Ask("POST", base + "v1beta1" + slices, slice).status, 201);
  server.Restart({.runtime_config = *RuntimeConfig::Parse(
                      "resource.k8s.io/v1beta1=false,apps/v1=false,/v1/secrets=false")});
  struct Row {
    std::string_view target;
    int status;
  };
  constexpr Row kRows[] = {
      {"/apis/resource.k8s.io/v1beta1/resourceslices", 404},
      {"/apis/resource.k8s.io/v1beta2/resourceslices/s", 200},
      {"/apis/resource.k8s.io/v1/resourceslices/s", 200},
      {"/apis/resource.k8s.io/v1beta1", 404},
      {"/apis/apps", 404},
      {"/apis/apps/v1/deployments", 404},
      {"/openapi/v3/apis/apps/v1", 404},
      {"/openapi/v3/apis/resource.k8s.io/v1", 200},
      {"/openapi/v3/apis/resource.k8s.io/v1beta1", 404},
      {"/api/v1/secrets", 404},
      {"/api/v1/configmaps", 200},
  };
  for (const Row& row : kRows) {
    EXPECT_EQ(server.Ask("GET", std::string(row.target)).status, row.status) << row.target;
  }
  const std::string groups = *server.Ask("GET", "/apis").body;
  EXPECT_EQ(groups.find("resource.k8s.io/v1beta1"), std::string::npos);
  EXPECT_EQ(groups.find("\"apps\""), std::string::npos);
  server.Restart({});
  EXPECT_EQ(server.Ask("GET", base + "v1beta1" + slices + "/s").status, 200);
}

}  // namespace
}  // namespace quadra::apiserver
