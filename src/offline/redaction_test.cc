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
                 "containers":[{"name":"c","image":"i"}]},
                 "status":{"conditions":[{"message":"claim \"big-claim\" waits on node-b."}]}})")};
  Anonymize(objects);
  // a < app < big-claim < node-b < s < set < team
  EXPECT_EQ(
      ToJson(objects[0]),
      R"({"kind":"Node","metadata":{"name":"n0000003","uid":"00000000-0000-4000-8000-000000000001","labels":{"kubernetes.io/hostname":"n0000003","count":"8","spot":"true","zone":"n0000000"}},"status":{}})");
  EXPECT_EQ(
      ToJson(objects[1]),
      R"({"kind":"ResourceSlice","metadata":{"name":"n0000004"},"spec":{"nodeName":"n0000003","driver":"gpu.example.com","pool":{"name":"n0000003"},"devices":[{"name":"gpu-0","attributes":{"data":{"string":"node-b"}}}]}})");
  EXPECT_EQ(
      ToJson(objects[2]),
      R"({"kind":"Pod","metadata":{"name":"n0000001","namespace":"n0000006","ownerReferences":[{"name":"n0000005","uid":"00000000-0000-4000-8000-000000000000"}]},"spec":{"nodeSelector":{"zone":"n0000000"},"resourceClaims":[{"name":"gpu","resourceClaimName":"n0000002"}],"containers":[{"name":"c"}]},"status":{"conditions":[{"message":"claim \"n0000002\" waits on n0000003."}]}})");
}

}  // namespace
}  // namespace quadra::offline
