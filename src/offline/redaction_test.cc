#include "offline/redaction.h"

#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

namespace quadra::offline {
namespace {

json::Value Parsed(std::string_view text) { return *json::ParseValue(text); }

TEST(Redaction, WhatMayHoldSecretsGoes) {
  json::Value pod = Parsed(
      R"({"kind":"Pod","metadata":{"name":"p","managedFields":[{}],"annotations":{
          "kubectl.kubernetes.io/last-applied-configuration":"{}"}},
          "spec":{"containers":[{"name":"c","image":"i","env":[{"name":"TOKEN","value":"secret"}],
          "args":["--password=secret"],"resources":{"claims":[{"name":"gpu"}]}}]}})");
  Redact(pod);
  EXPECT_EQ(
      ToJson(pod),
      R"({"kind":"Pod","metadata":{"name":"p"},"spec":{"containers":[{"name":"c","image":"i","resources":{"claims":[{"name":"gpu"}]}}]}})");
}

TEST(Redaction, WhatIsTheSameIsCalledTheSameInTheSameOrder) {
  std::vector<json::Value> objects = {
      Parsed(R"({"kind":"Node","metadata":{"name":"node-b","uid":"u2","labels":{
                 "kubernetes.io/hostname":"node-b","count":"8","spot":"true","zone":"a"}},
                 "status":{"addresses":[{"address":"10.0.0.1"}]}})"),
      Parsed(R"({"kind":"ResourceSlice","metadata":{"name":"s"},"spec":{"nodeName":"node-b",
                 "driver":"gpu.example.com","pool":{"name":"node-b"},"devices":[{"name":"gpu-0",
                 "attributes":{"data":{"string":"node-b"}}}]}})"),
      Parsed(R"({"kind":"Pod","metadata":{"name":"app","namespace":"team","ownerReferences":[
                 {"name":"set","uid":"u1"}]},"spec":{"nodeSelector":{"zone":"a"},
                 "resourceClaims":[{"name":"gpu","resourceClaimName":"big-claim"}],
                 "containers":[{"name":"c","image":"i"}]}})")};
  Anonymize(objects);
  // a < app < big-claim < c < node-b < s < set < team
  EXPECT_EQ(
      ToJson(objects[0]),
      R"({"kind":"Node","metadata":{"name":"n0000004","uid":"00000000-0000-4000-8000-000000000001","labels":{"kubernetes.io/hostname":"n0000004","count":"8","spot":"true","zone":"n0000000"}},"status":{}})");
  EXPECT_EQ(
      ToJson(objects[1]),
      R"({"kind":"ResourceSlice","metadata":{"name":"n0000005"},"spec":{"nodeName":"n0000004","driver":"gpu.example.com","pool":{"name":"n0000004"},"devices":[{"name":"gpu-0","attributes":{"data":{"string":"node-b"}}}]}})");
  EXPECT_EQ(
      ToJson(objects[2]),
      R"({"kind":"Pod","metadata":{"name":"n0000001","namespace":"n0000007","ownerReferences":[{"name":"n0000006","uid":"00000000-0000-4000-8000-000000000000"}]},"spec":{"nodeSelector":{"zone":"n0000000"},"resourceClaims":[{"name":"gpu","resourceClaimName":"n0000002"}],"containers":[{"name":"n0000003"}]}})");
}

TEST(Redaction, WhatPeopleAndProgramsWroteFreelyGoesOrIsRenamed) {
  std::vector<json::Value> objects = {
      Parsed(R"({"kind":"Pod","metadata":{"name":"p","finalizers":["example.com/private"],
                 "annotations":{"private":"private","resource.kubernetes.io/private":"private",
                 "resource.kubernetes.io/pod-claim-name":"gpu"}},
                 "spec":{"schedulerName":"private","schedulingGates":[{"name":"example.com/private"}],
                 "subdomain":"private","containers":[{"name":"private","workingDir":"/private",
                 "ports":[{"name":"private","hostPort":80}],
                 "resources":{"claims":[{"name":"gpu"}]}}],
                 "initContainers":[{"name":"private-init"}]},
                 "status":{"message":"private","reason":"Private","conditions":[
                 {"type":"PodScheduled","reason":"SchedulingGated","message":"private"}],
                 "extendedResourceClaimStatus":{"requestMappings":[{"containerName":"private"}]}}})"),
      Parsed(R"({"kind":"PriorityClass","metadata":{"name":"p"},"description":"private"})"),
      Parsed(R"({"kind":"ResourceClaim","metadata":{"name":"c"},"spec":{"devices":{"config":[
                 {"opaque":{"driver":"d","parameters":{"private":"private"}}}]}},
                 "status":{"devices":[{"driver":"d","data":{"private":1},"conditions":[
                 {"type":"Ready","status":"True","reason":"Private","message":"private"}]}]}})"),
      Parsed(
          R"({"kind":"Pod","metadata":{"name":"q"},"spec":{"schedulerName":"default-scheduler"}})")};
  Anonymize(objects);
  // c < example.com/private < p < private < private-init < q
  EXPECT_EQ(
      ToJson(objects[0]),
      R"({"kind":"Pod","metadata":{"name":"n0000002","finalizers":[],"annotations":{"resource.kubernetes.io/pod-claim-name":"gpu"}},"spec":{"schedulerName":"n0000003","schedulingGates":[{"name":"n0000001"}],"containers":[{"name":"n0000003","ports":[{"hostPort":80}],"resources":{"claims":[{"name":"gpu"}]}}],"initContainers":[{"name":"n0000004"}]},"status":{"conditions":[{"type":"PodScheduled","reason":"SchedulingGated"}],"extendedResourceClaimStatus":{"requestMappings":[{"containerName":"n0000003"}]}}})");
  EXPECT_EQ(ToJson(objects[1]), R"({"kind":"PriorityClass","metadata":{"name":"n0000002"}})");
  EXPECT_EQ(
      ToJson(objects[2]),
      R"({"kind":"ResourceClaim","metadata":{"name":"n0000000"},"spec":{"devices":{"config":[{"opaque":{"driver":"d","parameters":{}}}]}},"status":{"devices":[{"driver":"d","conditions":[{"type":"Ready","status":"True"}]}]}})");
  EXPECT_EQ(
      ToJson(objects[3]),
      R"({"kind":"Pod","metadata":{"name":"n0000005"},"spec":{"schedulerName":"default-scheduler"}})");
}

}  // namespace
}  // namespace quadra::offline
