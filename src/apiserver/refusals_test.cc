// Requests that are refused, and how; the words and codes are kube-apiserver's.
#include <gtest/gtest.h>

#include "apiserver/server_for_tests.h"

namespace quadra::apiserver {
namespace {

constexpr std::string_view kMaps = "/api/v1/namespaces/default/configmaps";
constexpr std::string_view kPods = "/api/v1/namespaces/default/pods";
constexpr std::string_view kSets = "/apis/apps/v1/namespaces/default/replicasets";
constexpr std::string_view kLeases = "/apis/coordination.k8s.io/v1/namespaces/default/leases";

struct Refusal {
  std::string_view why;
  std::string_view method;
  std::string target;
  std::string body = {};
  int status = 0;
  std::string reason = {};
  std::string message = {};  // empty: any
};

// A ReplicaSet `e` whose pods have the label z=z.
std::string Set(std::string_view fields) {
  return fmt::format(
      R"({{"metadata":{{"name":"e"}},"spec":{{{},"template":{{"metadata":{{"labels":{{"z":"z"}}}},)"
      R"("spec":{{"containers":[{{"name":"c","image":"i"}}]}}}}}}}})",
      fields);
}

std::string At(std::string_view base, std::string_view rest) {
  return std::string(base) + std::string(rest);
}

const std::vector<Refusal>& Refusals() {
  static const std::vector<Refusal> all = {
      {"a group that nobody serves has no Status", "GET", "/apis/nobody.example.com/v1/things", "",
       404, "", ""},
      {"a version that nobody serves has", "GET", "/apis/apps/v9/deployments", "", 404, "NotFound",
       "the server could not find the requested resource"},
      {"nodes are in no namespace", "GET", "/api/v1/namespaces/default/nodes", "", 404, "NotFound"},
      {"a pod is in one", "GET", "/api/v1/pods/a", "", 404, "NotFound"},
      {"and is created in one", "POST", "/api/v1/pods", "{}", 405, "MethodNotAllowed"},
      {"all pods of all namespaces are not deleted", "DELETE", "/api/v1/pods", "", 405,
       "MethodNotAllowed"},
      {"documents are read only", "POST", "/apis/apps/v1", "{}", 405, "MethodNotAllowed"},
      {"half a type that is not registered", "POST", At(kMaps, ""),
       R"({"apiVersion":"v9","metadata":{"name":"b"}})", 400, "BadRequest",
       R"(ConfigMap in version "v9" cannot be handled as a ConfigMap: no kind "ConfigMap" is registered for version "v9")"},
      {"a version that is none", "POST", At(kMaps, ""), R"({"apiVersion":"a/b/c"})", 400,
       "BadRequest",
       R"(the object provided is unrecognized (must be of type ConfigMap): unexpected GroupVersion string: a/b/c ({"apiVersion":"a/b/c"}))"},
      {"a patch does not rename", "PATCH merge", At(kMaps, "/a"), R"({"metadata":{"name":"b"}})",
       400, "BadRequest", "the name of the object (b) does not match the name on the URL (a)"},
      {"a patch leaves an object", "PATCH merge", At(kMaps, "/a"), R"({"data":7})", 422, "Invalid"},
      {"force is for apply", "PATCH merge", At(kMaps, "/a?force=true"), "{}", 422, "Invalid",
       R"(PatchOptions.meta.k8s.io "" is invalid: force: Forbidden: may not be specified for non-apply patch)"},
      {"nor is what only apply takes looked at before it", "PATCH apply",
       At(kMaps, "/a?force=true"), "{}", 415, "UnsupportedMediaType"},
      {"a set that selects all pods would take those of others", "POST", At(kSets, ""),
       Set(R"("selector":{})"), 422, "Invalid",
       R"(ReplicaSet.apps "e" is invalid: spec.selector: Invalid value: {}: empty selector is invalid for deployment)"},
      {"a set that does not select its own pods would make them without end", "POST", At(kSets, ""),
       Set(R"("selector":{"matchLabels":{"z":"y"}})"), 422, "Invalid",
       R"(ReplicaSet.apps "e" is invalid: spec.template.metadata.labels: Invalid value: {"z":"z"}: `selector` does not match template `labels`)"},
      {"a set selects", "POST", At(kSets, ""), Set(R"("replicas":-5)"), 422, "Invalid",
       R"(ReplicaSet.apps "e" is invalid: [spec.replicas: Invalid value: -5: must be greater than or equal to 0, )"
       R"(spec.selector: Required value, spec.template.metadata.labels: Invalid value: {"z":"z"}: )"
       R"(`selector` does not match template `labels`])"},
      {"a set selects by known operators", "POST", At(kSets, ""),
       Set(R"("selector":{"matchExpressions":[{"key":"z","operator":"Bogus"}]})"), 422, "Invalid",
       R"(ReplicaSet.apps "e" is invalid: [spec.selector.matchExpressions[0].operator: Invalid value: "Bogus": )"
       R"(not a valid selector operator, spec.selector: Invalid value: )"
       R"({"matchExpressions":[{"key":"z","operator":"Bogus"}]}: invalid label selector])"},
      {"a manager has a short name", "POST", At(kMaps, "?fieldManager=" + std::string(129, 'm')),
       R"({"metadata":{"name":"b"}})", 422, "Invalid",
       R"(CreateOptions.meta.k8s.io "" is invalid: fieldManager: Too long: may not be more than 128 bytes)"},
      {"a manager can be printed", "POST", At(kMaps, "?fieldManager=a%0A"),
       R"({"metadata":{"name":"b"}})", 422, "Invalid",
       R"(CreateOptions.meta.k8s.io "" is invalid: fieldManager: Invalid value: "a\n": invalid character U+000A (at position 1))"},
      {"an empty limit is no number", "GET", At(kMaps, "?limit="), "", 400, "BadRequest",
       R"(strconv.ParseInt: parsing "": invalid syntax)"},
      {"a lease is written by who has seen it", "PUT", At(kLeases, "/a"),
       R"({"metadata":{"name":"a"}})", 422, "Invalid",
       R"(leases.coordination.k8s.io "a" is invalid: metadata.resourceVersion: Invalid value: 0: must be specified for an update)"},
      {"a pod has a name", "POST", At(kPods, ""), R"({"spec":{"containers":[]}})", 422, "Invalid",
       R"(Pod "" is invalid: metadata.name: Required value: name or generateName is required)"},
      {"a name is a domain", "POST", At(kMaps, ""), R"({"metadata":{"name":"A_b"}})", 422,
       "Invalid"},
      {"an escaped slash is a slash", "GET", At(kMaps, "/b%2Fa"), "", 404, "NotFound",
       "the server could not find the requested resource"},
      {"no name leads out of its collection", "GET", At(kMaps, "/.."), "", 400, "BadRequest",
       R"(Name parameter invalid: "..": may not be '..')"},
      {"no namespace does", "POST", "/api/v1/namespaces/../configmaps", R"({"metadata":{}})", 500,
       "InternalError"},
      {"selectors are read before options are judged", "GET",
       At(kMaps, "?sendInitialEvents=true&labelSelector=a%2C%2Cb"), "", 400, "BadRequest"},
      {"a version is a number", "GET", At(kMaps, "?resourceVersion=x"), "", 400, "BadRequest",
       R"(invalid resource version: resourceVersion: Invalid value: "x": strconv.ParseUint: parsing "x": invalid syntax)"},
      {"a uid is for ever", "PATCH merge", At(kMaps, "/a"), R"({"metadata":{"uid":"x"}})", 422,
       "Invalid",
       R"(ConfigMap "a" is invalid: metadata.uid: Invalid value: "x": field is immutable)"},
      {"an empty policy is no policy", "DELETE", At(kMaps, "/a?propagationPolicy="), "", 422,
       "Invalid"},
      {"a deletion is dry or it is not", "DELETE", At(kMaps, "/a?dryRun=Some"), "", 422, "Invalid",
       R"(DeleteOptions.meta.k8s.io "" is invalid: dryRun: Unsupported value: ["Some"]: supported values: "All")"},
      {"a query may name a precondition", "DELETE", At(kMaps, "/a?resourceVersion=1"), "", 409,
       "Conflict"},
      {"a body has three megabytes", "POST", At(kMaps, ""), std::string(4 << 20, 'x'), 413,
       "RequestEntityTooLarge", "Request entity too large: limit is 3145728"},
  };
  return all;
}

TEST(Refusals, AreUpstreams) {
  TestServer server;
  ASSERT_EQ(server.Ask("POST", std::string(kMaps), R"({"metadata":{"name":"a"}})").status, 201);
  ASSERT_EQ(server.Ask("PUT", At(kLeases, "/a"), R"({"metadata":{"name":"a"}})").status, 201)
      << "a PUT creates a lease";
  for (const Refusal& each : Refusals()) {
    const net::Response answer = server.Ask(each.method, each.target, each.body);
    EXPECT_EQ(answer.status, each.status) << each.why << "\n" << *answer.body;
    EXPECT_EQ(Pick(*answer.body, ".reason"), each.reason) << each.why << "\n" << *answer.body;
    if (!each.message.empty()) {
      EXPECT_EQ(Pick(*answer.body, ".message"), each.message) << each.why;
    }
  }
}

TEST(Refusals, WhatASetSelectsIsForEver) {
  TestServer server;
  const std::string one = At(kSets, "/e");
  const std::string set = Set(R"("selector":{"matchLabels":{"z":"z"}})");
  ASSERT_EQ(server.Ask("POST", std::string(kSets), set).status, 201);
  EXPECT_EQ(server.Ask("PATCH merge", one, R"({"spec":{"replicas":3}})").status, 200);
  const net::Response other = server.Ask(
      "PATCH merge", one,
      R"({"spec":{"selector":{"matchLabels":{"b":"c"}},"template":{"metadata":{"labels":{"b":"c"}}}}})");
  EXPECT_EQ(other.status, 422);
  EXPECT_EQ(
      Pick(*other.body, ".message"),
      R"(ReplicaSet.apps "e" is invalid: spec.selector: Invalid value: {"matchLabels":{"b":"c","z":"z"}}: field is immutable)");
}

TEST(Refusals, ObjectsThatGoGetNoNewFinalizers) {
  TestServer server;
  const std::string pod =
      R"({"metadata":{"name":"p","finalizers":["a.b/c"]},"spec":{"containers":[]}})";
  ASSERT_EQ(server.Ask("POST", std::string(kPods), pod).status, 201);
  ASSERT_EQ(server.Ask("DELETE", At(kPods, "/p")).status, 200);
  const net::Response answer = server.Ask("PATCH merge", At(kPods, "/p"),
                                          R"({"metadata":{"finalizers":["a.b/c","d.e/f"]}})");
  EXPECT_EQ(answer.status, 422);
  EXPECT_EQ(Pick(*answer.body, ".details.causes[0].field"), "metadata.finalizers");
}

TEST(Warnings, TellOfVersionsThatGoAway) {
  TestServer server;
  const net::Response answer = server.Ask("GET", "/apis/resource.k8s.io/v1beta1/resourceslices");
  EXPECT_EQ(
      answer.headers.Find("warning").value_or(""),
      R"(299 - "resource.k8s.io/v1beta1 ResourceSlice is deprecated in v1.35+, unavailable in v1.38+")");
  EXPECT_FALSE(
      server.Ask("GET", "/apis/resource.k8s.io/v1/resourceslices").headers.Find("warning"));
}

TEST(ManagedFields, AreForgottenByOneEmptyEntry) {
  TestServer server;
  const net::Response answer =
      server.Ask("POST", std::string(kMaps), R"({"metadata":{"name":"a","managedFields":[{}]}})");
  EXPECT_EQ(answer.status, 201) << *answer.body;
  EXPECT_EQ(Pick(*answer.body, ".metadata.managedFields"), "");
}

TEST(DryRun, ShowsNoVersionOfWhatIsNotThere) {
  TestServer server;
  const net::Response answer =
      server.Ask("POST", At(kMaps, "?dryRun=All"), R"({"metadata":{"name":"a"}})");
  EXPECT_EQ(answer.status, 201);
  EXPECT_EQ(answer.body->find("resourceVersion"), std::string::npos) << *answer.body;
}

}  // namespace
}  // namespace quadra::apiserver
