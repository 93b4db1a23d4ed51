#include "apiserver/core_defaults.h"

#include <gtest/gtest.h>

#include "apiserver/pod_qos.h"

namespace quadra::apiserver {
namespace {

api::Object Decode(std::string_view json) {
  api::Decoded<api::Object> object = api::DecodeJson(json);
  EXPECT_TRUE(object.has_value()) << json;
  return object ? *std::move(object) : api::Object();
}

// The part of the object's JSON that stands behind `"name":`, as long as `like`.
std::string PartOf(const api::Object& object, std::string_view name, std::string_view like) {
  const std::string json = api::EncodeJson(object);
  const std::size_t at = json.find("\"" + std::string(name) + "\":");
  return at == std::string::npos ? json : json.substr(at + name.size() + 3, like.size());
}

TEST(CoreDefaults, FillInWhatWasLeftOut) {
  struct Row {
    std::string_view why, sent, part, becomes;
  };
  const Row rows[] = {
      {"a template of pods has fewer than a pod",
       R"({"apiVersion":"v1","kind":"PodTemplate","template":{"spec":{"containers":[]}}})", "spec",
       R"({"containers":[],"restartPolicy":"Always","terminationGracePeriodSeconds":30,"dnsPolicy":"ClusterFirst","securityContext":{},"schedulerName":"default-scheduler"})"},
      {"a pod has environment variables of services",
       R"({"apiVersion":"v1","kind":"Pod","spec":{"containers":[]}})", "enableServiceLinks",
       "true"},
      {"an image without a tag may change at any time",
       R"({"apiVersion":"v1","kind":"Pod","spec":{"containers":[{"name":"a","image":"r:5000/b"}]}})",
       "imagePullPolicy", R"("Always")"},
      {"an image with a tag does not",
       R"({"apiVersion":"v1","kind":"Pod","spec":{"containers":[{"name":"a","image":"b:1"}]}})",
       "imagePullPolicy", R"("IfNotPresent")"},
      {"an image with a digest does not",
       R"({"apiVersion":"v1","kind":"Pod","spec":{"containers":[{"name":"a","image":"b@sha256:0"}]}})",
       "imagePullPolicy", R"("IfNotPresent")"},
      {"limits are requested",
       R"({"apiVersion":"v1","kind":"Pod","spec":{"containers":[{"name":"a","resources":{"limits":{"cpu":"1"}}}]}})",
       "requests", R"({"cpu":"1"})"},
      {"on the network of the host ports are its ports",
       R"({"apiVersion":"v1","kind":"Pod","spec":{"hostNetwork":true,"containers":[{"name":"a","ports":[{"containerPort":80}]}]}})",
       "ports", R"([{"hostPort":80,"containerPort":80}])"},
      {"a volume without a source is an empty folder",
       R"({"apiVersion":"v1","kind":"Pod","spec":{"containers":[],"volumes":[{"name":"v"}]}})",
       "volumes", R"([{"name":"v","emptyDir":{}}])"},
      {"the service account has two names",
       R"({"apiVersion":"v1","kind":"Pod","spec":{"containers":[],"serviceAccountName":"robot"}})",
       "serviceAccount", R"("robot")"},
      {"a deployment rolls", R"({"apiVersion":"apps/v1","kind":"Deployment"})", "strategy",
       R"({"type":"RollingUpdate","rollingUpdate":{"maxUnavailable":"25%","maxSurge":"25%"}})"},
      {"unless it says otherwise",
       R"({"apiVersion":"apps/v1","kind":"Deployment","spec":{"strategy":{"type":"Recreate"}}})",
       "strategy", R"({"type":"Recreate"})"},
      {"a job runs once", R"({"apiVersion":"batch/v1","kind":"Job"})", "spec",
       R"({"parallelism":1,"completions":1,"backoffLimit":6)"},
      {"many workers end a job when one does",
       R"({"apiVersion":"batch/v1","kind":"Job","spec":{"parallelism":3}})", "spec",
       R"({"parallelism":3,"backoffLimit":6)"},
      {"a service port leads to its number",
       R"({"apiVersion":"v1","kind":"Service","spec":{"ports":[{"port":80}]}})", "ports",
       R"([{"port":80,"targetPort":80}])"},
      {"a node may give what it has",
       R"({"apiVersion":"v1","kind":"Node","status":{"capacity":{"cpu":"4"}}})", "allocatable",
       R"({"cpu":"4"})"},
      {"users are of the group of roles",
       R"({"apiVersion":"rbac.authorization.k8s.io/v1","kind":"RoleBinding","subjects":[{"kind":"User","name":"u"}]})",
       "subjects", R"([{"kind":"User","apiGroup":"rbac.authorization.k8s.io","name":"u"}])"},
  };
  for (const Row& row : rows) {
    api::Object object = Decode(row.sent);
    ApplyCoreDefaults(object);
    EXPECT_EQ(PartOf(object, row.part, row.becomes), row.becomes) << row.why;
    const std::string once = api::EncodeJson(object);
    ApplyCoreDefaults(object);
    EXPECT_EQ(api::EncodeJson(object), once) << row.why;
  }
}

TEST(PodQos, FollowsFromRequestsAndLimits) {
  struct Row {
    std::string_view why, containers, qos;
  };
  const Row rows[] = {
      {"nothing asked for", R"([{"name":"a"}])", "BestEffort"},
      {"only what does not count", R"([{"name":"a","resources":{"limits":{"x.y/z":"1"}}}])",
       "BestEffort"},
      {"zero is nothing", R"([{"name":"a","resources":{"limits":{"cpu":"0"}}}])", "BestEffort"},
      {"all limited", R"([{"name":"a","resources":{"limits":{"cpu":"1","memory":"1"}}}])",
       "Guaranteed"},
      {"one not limited",
       R"([{"name":"a","resources":{"limits":{"cpu":"1","memory":"1"}}},{"name":"b"}])",
       "Burstable"},
      {"half limited", R"([{"name":"a","resources":{"limits":{"cpu":"1"}}}])", "Burstable"},
      {"more limited than requested",
       R"([{"name":"a","resources":{"limits":{"cpu":"1","memory":"2"},"requests":{"memory":"1"}}}])",
       "Burstable"},
  };
  for (const Row& row : rows) {
    api::Object pod = Decode(R"({"apiVersion":"v1","kind":"Pod","spec":{"containers":)" +
                             std::string(row.containers) + "}}");
    ApplyCoreDefaults(pod);
    EXPECT_EQ(QosClassOf(pod), row.qos) << row.why;
  }
}

}  // namespace
}  // namespace quadra::apiserver
