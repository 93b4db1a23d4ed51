// Admission of pods by a real server: what the plug-ins add, and what they refuse.
#include <future>
#include <string>

#include <gtest/gtest.h>

#include "apiserver/server_for_tests.h"

namespace quadra::apiserver {
namespace {

constexpr std::string_view kNamespace = "/api/v1/namespaces/default";

std::string At(std::string_view place) { return fmt::format("{}/{}", kNamespace, place); }

std::string Account(std::string_view name, std::string_view more = "",
                    std::string_view annotations = "") {
  return fmt::format(R"({{"metadata":{{"name":"{}","annotations":{{{}}}}}{}}})", name, annotations,
                     more);
}

std::string Pod(std::string_view name, std::string_view spec, std::string_view annotations = "") {
  return fmt::format(R"({{"metadata":{{"name":"{}","annotations":{{{}}}}},"spec":{{{}}}}})", name,
                     annotations, spec);
}

constexpr std::string_view kOneContainer = R"("containers":[{"name":"c","image":"i"}])";

// --- What pods get.

struct Given {
  std::string why;
  std::string spec;
  std::vector<std::pair<std::string, std::string>> finds;
};

const std::vector<Given> kGiven = {
    {"the default account, its token and where to find it",
     std::string(kOneContainer),
     {{".spec.serviceAccountName", "default"},
      {".spec.serviceAccount", "default"},
      {".spec.volumes[0].projected.sources[0].serviceAccountToken.expirationSeconds", "3607"},
      {".spec.volumes[0].projected.sources[1].configMap.name", "kube-root-ca.crt"},
      {".spec.volumes[0].projected.sources[2].downwardAPI.items[0].path", "namespace"},
      {".spec.containers[0].volumeMounts[0].mountPath",
       "/var/run/secrets/kubernetes.io/serviceaccount"},
      {".spec.containers[0].volumeMounts[0].readOnly", "true"}}},
    {"no token where the pod wants none",
     R"("automountServiceAccountToken":false,"containers":[{"name":"c","image":"i"}])",
     {{".spec.serviceAccountName", "default"}, {".spec.volumes", ""}}},
    {"no token where its account wants none",
     R"("serviceAccountName":"tokenless","containers":[{"name":"c","image":"i"}])",
     {{".spec.volumes", ""}}},
    {"a token where the pod wants one against its account",
     R"("serviceAccountName":"tokenless","automountServiceAccountToken":true,"containers":[{"name":"c","image":"i"}])",
     {{".spec.volumes[0].projected.defaultMode", "420"}}},
    {"no second mount at that place",
     R"("containers":[{"name":"c","image":"i","volumeMounts":[{"name":"v","mountPath":"/var/run/secrets/kubernetes.io/serviceaccount"}]}],"volumes":[{"name":"v","emptyDir":{}}])",
     {{".spec.volumes[*].name", "v"}}},
    {"the volume that stands there already",
     R"("containers":[{"name":"c","image":"i"}],"volumes":[{"name":"kube-api-access-mine","emptyDir":{}}])",
     {{".spec.volumes[*].name", "kube-api-access-mine"},
      {".spec.containers[0].volumeMounts[0].name", "kube-api-access-mine"}}},
    {"a mount in init containers",
     R"("initContainers":[{"name":"i","image":"i"}],"containers":[{"name":"c","image":"i"}])",
     {{".spec.initContainers[0].volumeMounts[0].readOnly", "true"}}},
    {"what its account pulls images with",
     R"("serviceAccountName":"puller","containers":[{"name":"c","image":"i"}])",
     {{".spec.imagePullSecrets[*].name", "registry"}}},
    {"what it pulls images with itself",
     R"("serviceAccountName":"puller","imagePullSecrets":[{"name":"own"}],"containers":[{"name":"c","image":"i"}])",
     {{".spec.imagePullSecrets[*].name", "own"}}},
};

TEST(ServiceAccount, GivesPodsAnAccountAndItsToken) {
  TestServer server;
  server.Ask("POST", At("serviceaccounts"),
             Account("tokenless", R"(,"automountServiceAccountToken":false)"));
  server.Ask("POST", At("serviceaccounts"),
             Account("puller", R"(,"imagePullSecrets":[{"name":"registry"}])"));
  for (const Given& each : kGiven) {
    const net::Response answer = server.Ask("POST", At("pods"), Pod("p", each.spec));
    ASSERT_EQ(answer.status, 201) << each.why << "\n" << *answer.body;
    for (const auto& [path, found] : each.finds) {
      EXPECT_EQ(Pick(*answer.body, path), found) << each.why << "\n" << *answer.body;
    }
    server.Ask("DELETE", At("pods/p?gracePeriodSeconds=0"));
  }
}

// --- What is refused.

struct Refused {
  std::string pod;
  std::string why;
};

const std::vector<Refused> kRefused = {
    {Pod("p", R"("serviceAccountName":"ghost","containers":[])"),
     R"(error looking up service account default/ghost: serviceaccount "ghost" not found)"},
    {Pod("p", R"("serviceAccountName":"x","containers":[])",
         R"("kubernetes.io/config.mirror":"m")"),
     "a mirror pod may not reference service accounts"},
    {Pod("p", R"("containers":[],"volumes":[{"name":"v","secret":{"secretName":"s"}}])",
         R"("kubernetes.io/config.mirror":"m")"),
     "a mirror pod may not reference secrets"},
    {Pod("p",
         R"("containers":[],"volumes":[{"name":"v","projected":{"sources":[{"serviceAccountToken":{"path":"t"}}]}}])",
         R"("kubernetes.io/config.mirror":"m")"),
     "a mirror pod may not use ServiceAccountToken volume projections"},
    {Pod("p",
         R"("serviceAccountName":"limited","containers":[],"volumes":[{"name":"v","secret":{"secretName":"other"}}])"),
     R"(volume with secret.secretName="other" is not allowed because service account limited does not reference that secret)"},
    {Pod("p",
         R"("serviceAccountName":"limited","containers":[{"name":"c","env":[{"name":"E","valueFrom":{"secretKeyRef":{"name":"other","key":"k"}}}]}])"),
     R"(container c with envVar E referencing secret.secretName="other" is not allowed because service account limited does not reference that secret)"},
    {Pod("p",
         R"("serviceAccountName":"limited","containers":[],"initContainers":[{"name":"i","envFrom":[{"secretRef":{"name":"other"}}]}])"),
     R"(init container i with envFrom referencing secret.secretName="other" is not allowed because service account limited does not reference that secret)"},
    {Pod("p",
         R"("serviceAccountName":"limited","containers":[],"imagePullSecrets":[{"name":"other"}])"),
     R"(imagePullSecrets[0].name="other" is not allowed because service account limited does not reference that imagePullSecret)"},
};

TEST(ServiceAccount, RefusesWhatTheAccountMayNot) {
  TestServer server;
  server.Ask("POST", At("serviceaccounts"),
             Account("limited", R"(,"secrets":[{"name":"mine"}])",
                     R"("kubernetes.io/enforce-mountable-secrets":"true")"));
  for (const Refused& each : kRefused) {
    const net::Response answer = server.Ask("POST", At("pods"), each.pod);
    EXPECT_EQ(answer.status, 403) << *answer.body;
    EXPECT_EQ(Pick(*answer.body, ".message"), "pods \"p\" is forbidden: " + each.why);
  }
}

TEST(ServiceAccount, WaitsAMomentForTheDefaultOne) {
  TestServer server;
  server.Ask("POST", "/api/v1/namespaces", R"({"metadata":{"name":"young"}})");
  const std::string pods = "/api/v1/namespaces/young/pods";
  auto pod = std::async(std::launch::async,
                        [&] { return server.Ask("POST", pods, Pod("p", kOneContainer)).status; });
  server.Ask("POST", "/api/v1/namespaces/young/serviceaccounts", Account("default"));
  EXPECT_EQ(pod.get(), 201);
}

TEST(ServiceAccount, IsAskedForWhenContainersAreAddedToDebug) {
  TestServer server;
  server.Ask("POST", At("serviceaccounts"),
             Account("limited", "", R"("kubernetes.io/enforce-mountable-secrets":"true")"));
  server.Ask("POST", At("pods"),
             Pod("p", R"("serviceAccountName":"limited","containers":[{"name":"c","image":"i"}])"));
  const net::Response answer = server.Ask(
      "PATCH strategic-merge", At("pods/p/ephemeralcontainers"),
      R"({"spec":{"ephemeralContainers":[{"name":"d","image":"i","envFrom":[{"secretRef":{"name":"s"}}]}]}})");
  EXPECT_EQ(answer.status, 403) << *answer.body;
}

}  // namespace
}  // namespace quadra::apiserver
