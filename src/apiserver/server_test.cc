// Conversations with a real server over TLS: what is sent, and what is answered.
#include "apiserver/server.h"

#include <gtest/gtest.h>

#include "apiserver/server_for_tests.h"
#include "apiserver/stored_form.h"

namespace quadra::apiserver {
namespace {

constexpr std::string_view kConfigMaps = "/api/v1/namespaces/default/configmaps";
constexpr std::string_view kClaims = "/apis/resource.k8s.io/v1/namespaces/default/resourceclaims";

struct Step {
  std::string method;
  std::string target;  // behind the base
  std::string body = {};
  int status = 200;
  // JSONPath and what it finds.
  std::vector<std::pair<std::string, std::string>> finds = {};
};
struct Conversation {
  std::string name;
  std::string_view base;
  std::vector<Step> steps;
};

std::string ConfigMap(std::string_view name, std::string_view more = "") {
  return fmt::format(R"({{"kind":"ConfigMap","apiVersion":"v1","metadata":{{"name":"{}"{}}}}})",
                     name, more);
}

const std::vector<Conversation> kConversations = {
    {"an object comes, changes and goes",
     kConfigMaps,
     {
         {"POST", "", ConfigMap("a"), 201, {{".metadata.namespace", "default"}}},
         {"POST", "", ConfigMap("a"), 409, {{".reason", "AlreadyExists"}}},
         {"GET", "/a", "", 200, {{".metadata.name", "a"}, {".kind", "ConfigMap"}}},
         {"PATCH merge", "/a", R"({"data":{"x":"1"}})", 200, {{".data.x", "1"}}},
         {"PATCH json", "/a", R"([{"op":"remove","path":"/data/x"}])", 200, {{".data.x", ""}}},
         {"PATCH strategic-merge",
          "/a",
          R"({"metadata":{"labels":{"l":"1"}}})",
          200,
          {{".metadata.labels.l", "1"}}},
         {"PUT", "/a", ConfigMap("b"), 400, {{".reason", "BadRequest"}}},
         {"PUT", "/a", ConfigMap("a", R"(,"resourceVersion":"1")"), 409, {{".reason", "Conflict"}}},
         {"DELETE", "/a", "", 200, {{".kind", "Status"}, {".details.name", "a"}}},
         {"GET", "/a", "", 404, {{".message", R"(configmaps "a" not found)"}}},
     }},
    {"finalizers keep an object",
     kConfigMaps,
     {
         {"POST", "", ConfigMap("f", R"(,"finalizers":["a.b/c"])"), 201, {}},
         {"DELETE", "/f", "", 200, {{".metadata.deletionGracePeriodSeconds", "0"}}},
         {"POST", "", ConfigMap("f"), 409, {{".reason", "AlreadyExists"}}},
         {"PATCH merge",
          "/f",
          R"({"metadata":{"finalizers":null}})",
          200,
          {{".metadata.name", "f"}}},
         {"GET", "/f", "", 404, {}},
     }},
    {"what is not valid is refused with causes",
     kClaims,
     {
         {"POST",
          "",
          R"({"metadata":{"name":"c"},"spec":{"devices":{"requests":[{"name":"r"}]}}})",
          422,
          {{".reason", "Invalid"},
           {".details.kind", "ResourceClaim"},
           {".details.causes[0].field", "spec.devices.requests[0]"}}},
         {"POST",
          "?dryRun=All",
          R"({"metadata":{"name":"c"},"spec":{"devices":{}}})",
          201,
          {{".metadata.name", "c"}}},
         {"GET", "/c", "", 404, {}},
         {"POST",
          "?dryRun=Some",
          R"({"metadata":{"name":"c"}})",
          422,
          {{".details.causes[0].field", "dryRun"}}},
         {"POST",
          "?fieldValidation=Strict",
          R"({"metadata":{"name":"c"},"spek":{}})",
          400,
          {{".reason", "BadRequest"}}},
         {"POST", "", R"({"kind":"Pod","apiVersion":"v1"})", 400, {{".reason", "BadRequest"}}},
         {"POST", "", "nonsense", 400, {{".reason", "BadRequest"}}},
     }},
    {"versions are three views of one object",
     "/apis/resource.k8s.io/",
     {
         {"POST",
          "v1/namespaces/default/resourceclaims",
          R"({"metadata":{"name":"v"},"spec":{"devices":{"requests":[{"name":"r","exactly":{"deviceClassName":"c"}}]}}})",
          201,
          {}},
         {"GET",
          "v1beta1/namespaces/default/resourceclaims/v",
          "",
          200,
          {{".apiVersion", "resource.k8s.io/v1beta1"},
           {".spec.devices.requests[0].deviceClassName", "c"}}},
         {"GET",
          "v1beta2/namespaces/default/resourceclaims",
          "",
          200,
          {{".items[0].spec.devices.requests[0].exactly.count", "1"}}},
         {"PATCH merge",
          "v1beta1/namespaces/default/resourceclaims/v",
          R"({"metadata":{"labels":{"a":"b"}}})",
          200,
          {{".metadata.labels.a", "b"}}},
     }},
    {"namespaces go when they are finalized",
     "/api/v1/namespaces",
     {
         {"POST",
          "",
          R"({"metadata":{"name":"n"}})",
          201,
          {{".status.phase", "Active"}, {".spec.finalizers[0]", "kubernetes"}}},
         {"POST", "/n/configmaps", ConfigMap("x"), 201, {}},
         {"DELETE", "/n", "", 200, {{".status.phase", "Terminating"}}},
         {"POST",
          "/n/configmaps",
          ConfigMap("y"),
          403,
          {{".details.causes[0].reason", "NamespaceTerminating"}}},
         {"PUT", "/n/finalize", R"({"metadata":{"name":"n"},"spec":{}})", 200, {}},
         {"GET", "/n", "", 404, {}},
         {"POST", "/n/configmaps", ConfigMap("z"), 404, {{".details.kind", "namespaces"}}},
         {"DELETE", "/default", "", 403, {}},
     }},
    {"pods are bound once and end with grace",
     "/api/v1/namespaces/default/pods",
     {
         {"POST",
          "",
          R"({"metadata":{"name":"p"},"spec":{"containers":[{"name":"c","image":"i"}]}})",
          201,
          {{".status.phase", "Pending"},
           {".spec.priority", "0"},
           {".spec.tolerations[0].tolerationSeconds", "300"}}},
         {"POST",
          "/p/binding",
          R"({"metadata":{"name":"p"},"target":{"kind":"Node","name":"n1"}})",
          201,
          {{".status", "Success"}}},
         {"POST",
          "/p/binding",
          R"({"metadata":{"name":"p"},"target":{"kind":"Node","name":"n2"}})",
          409,
          {{".details.kind", "pods/binding"}}},
         {"GET", "?fieldSelector=spec.nodeName%3Dn1", "", 200, {{".items[*].metadata.name", "p"}}},
         {"DELETE", "/p", "", 200, {{".metadata.deletionGracePeriodSeconds", "30"}}},
         {"DELETE", "/p", R"({"gracePeriodSeconds":0})", 200, {}},
         {"GET", "/p", "", 404, {}},
     }},
    {"addresses and methods that lead nowhere",
     "",
     {
         {"GET",
          "/api/v1/nothing",
          "",
          404,
          {{".message", "the server could not find the requested resource"}}},
         {"GET", "/nothing", "", 404, {}},
         {"PUT", "/api/v1/namespaces", "", 405, {{".reason", "MethodNotAllowed"}}},
         {"GET", "/api/v1/namespaces/default/pods/p/log", "", 404, {}},
         {"GET", "/api/v1/configmaps?limit=x", "", 400, {}},
         {"GET",
          "/api/v1/configmaps?resourceVersionMatch=Exact",
          "",
          422,
          {{".details.causes[0].field", "resourceVersionMatch"}}},
         {"GET", "/api/v1/configmaps?fieldSelector=a%3Db", "", 400, {}},
         {"GET", "/api/v1/configmaps?continue=nonsense", "", 400, {}},
     }},
    {"what is deleted by selector ends at the limit",
     kConfigMaps,
     {
         {"POST", "", ConfigMap("a", R"(,"labels":{"l":"1"})"), 201, {}},
         {"POST", "", ConfigMap("b", R"(,"labels":{"l":"1"})"), 201, {}},
         {"DELETE", "?labelSelector=l%3D1&limit=1", "", 200, {{".items[*].metadata.name", "a"}}},
         {"GET", "?labelSelector=l%3D1", "", 200, {{".items[*].metadata.name", "b"}}},
     }},
    {"what goes is not there to stay",
     kConfigMaps,
     {
         {"POST", "", ConfigMap("f", R"(,"finalizers":["a.b/c"])"), 201, {}},
         {"DELETE", "/f", "", 200, {}},
         {"POST",
          "",
          ConfigMap("f"),
          409,
          {{".message", R"(object is being deleted: configmaps "f" already exists)"}}},
     }},
    {"pods get containers to debug them, and wait behind gates",
     "/api/v1/namespaces/default/pods",
     {
         {"POST",
          "",
          R"({"metadata":{"name":"p"},"spec":{"schedulingGates":[{"name":"a.b/c"}],"containers":[{"name":"c","image":"i"}]}})",
          201,
          {{".status.conditions[0].reason", "SchedulingGated"},
           {R"(.status.conditions[?(@.lastTransitionTime>"2026")].status)", "False"},
           {".metadata.generation", "1"}}},
         {"PATCH strategic-merge",
          "/p/ephemeralcontainers",
          R"({"spec":{"ephemeralContainers":[{"name":"d","image":"i"}]}})",
          200,
          {{".spec.ephemeralContainers[0].name", "d"}, {".metadata.generation", "2"}}},
         {"PATCH merge", "/p", R"({"spec":{"ephemeralContainers":null}})", 422, {}},
     }},
    {"affinity by label keys becomes part of the selector",
     "/api/v1/namespaces/default/pods",
     {{"POST",
       "",
       R"({"metadata":{"name":"p","labels":{"a":"b","t":"1"}},"spec":{"containers":[{"name":"c","image":"i"}],)"
       R"("affinity":{"podAntiAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":[)"
       R"({"labelSelector":{"matchLabels":{"a":"b"}},"topologyKey":"z","mismatchLabelKeys":["t","u"]},)"
       R"({"topologyKey":"z","matchLabelKeys":["t"]}]}}}})",
       201,
       {{".spec.affinity.podAntiAffinity.requiredDuringSchedulingIgnoredDuringExecution[*]."
         "labelSelector.matchExpressions",
         R"([{"key":"t","operator":"NotIn","values":["1"]}])"}}}}},
    {"a patch that takes away the namespace changes nothing of it",
     "/api/v1/namespaces/kube-system/configmaps",
     {
         {"POST", "", R"({"metadata":{"name":"m"}})", 201, {}},
         {"PATCH merge",
          "/m",
          R"({"metadata":{"namespace":null},"data":{"a":"b"}})",
          200,
          {{".metadata.namespace", "kube-system"}, {".data.a", "b"}}},
     }},
    {"priority classes of the system stay",
     "/apis/scheduling.k8s.io/v1/priorityclasses",
     {{"DELETE",
       "/system-node-critical",
       "",
       403,
       {{".message",
         R"(priorityclasses.scheduling.k8s.io "system-node-critical" is forbidden: this is a system priority class and cannot be deleted)"}}}}},
    {"a name that was sent beside a base for others is not tried twice",
     "/api/v1/namespaces/default/configmaps",
     {
         {"POST", "", R"({"metadata":{"name":"g"}})", 201, {}},
         {"POST",
          "",
          R"({"metadata":{"name":"g","generateName":"g-"}})",
          409,
          {{".message",
            R"(configmaps "g" already exists, the server was not able to generate a unique name for the object)"},
           {".details.retryAfterSeconds", "1"}}},
     }},
    {"HEAD is no way to ask for objects",
     "/api/v1/namespaces/default/configmaps",
     {{"HEAD", "", "", 405, {}}}},
    {"namespaces keep the label of their name",
     "/api/v1/namespaces/default",
     {
         {"PATCH merge",
          "",
          R"({"metadata":{"labels":{"kubernetes.io/metadata.name":"other"}}})",
          200,
          {{R"(.metadata.labels.kubernetes\.io/metadata\.name)", "default"}}},
         {"PATCH merge",
          "/status",
          R"({"metadata":{"labels":null}})",
          200,
          {{R"(.metadata.labels.kubernetes\.io/metadata\.name)", "default"}}},
     }},
    {"deployments count their annotations, and their status has no labels",
     "/apis/apps/v1/namespaces/default/deployments",
     {
         {"POST",
          "",
          R"({"metadata":{"name":"d"},"spec":{"template":{"spec":{"containers":[]}}}})",
          201,
          {{".metadata.generation", "1"}}},
         {"PATCH merge",
          "/d",
          R"({"metadata":{"annotations":{"a":"b"}}})",
          200,
          {{".metadata.generation", "2"}}},
         {"PATCH merge",
          "/d/status",
          R"({"metadata":{"labels":{"a":"b"}}})",
          200,
          {{".metadata.labels", ""}}},
     }},
    {"the second version of OpenAPI has no definitions",
     "/openapi/v2",
     {{"GET", "", "", 200, {{".swagger", "2.0"}}}}},
};

class ServerTest : public testing::TestWithParam<Conversation> {};
INSTANTIATE_TEST_SUITE_P(Conversations, ServerTest, testing::ValuesIn(kConversations),
                         [](const auto& row) {
                           std::string name = row.param.name;
                           std::ranges::replace_if(
                               name, [](char c) { return !std::isalnum(c); }, '_');
                           return name;
                         });

TEST_P(ServerTest, Answers) {
  TestServer server;
  for (const Step& step : GetParam().steps) {
    const net::Response answer =
        server.Ask(step.method, std::string(GetParam().base) + step.target, step.body);
    const std::string body = answer.body == nullptr ? "" : *answer.body;
    ASSERT_EQ(answer.status, step.status) << step.method << " " << step.target << "\n" << body;
    for (const auto& [path, found] : step.finds) {
      EXPECT_EQ(Pick(body, path), found) << step.method << " " << step.target << "\n" << body;
    }
  }
}

struct Prepared {
  std::string why;
  std::string_view collection;
  std::string body;
  std::string path;
  std::string found;
};

const std::vector<Prepared> kPrepared = {
    {"text of secrets is data", "/api/v1/namespaces/default/secrets", R"("stringData":{"k":"v"})",
     "{.data.k} {.stringData}", "dg== "},
    {"jobs select their pods", "/apis/batch/v1/namespaces/default/jobs",
     R"("spec":{"template":{"spec":{"containers":[]}}})",
     "{.spec.template.metadata.labels.job-name} {.metadata.labels.job-name} {.spec.completions}",
     "x x 1"},
    {"unless somebody else does", "/apis/batch/v1/namespaces/default/jobs",
     R"("spec":{"manualSelector":true,"template":{"spec":{"containers":[]}}})",
     "{.spec.template.metadata.labels.job-name}", ""},
    {"cron jobs leave that to their jobs", "/apis/batch/v1/namespaces/default/cronjobs",
     R"("spec":{"schedule":"","jobTemplate":{"spec":{"template":{"spec":{"containers":[]}}}}})",
     "{.spec.jobTemplate.spec.completions}", ""},
    {"templates of daemons are counted", "/apis/apps/v1/namespaces/default/daemonsets",
     R"("spec":{"template":{"spec":{"containers":[]}}})",
     R"({.metadata.annotations.deprecated\.daemonset\.template\.generation})", "1"},
    {"volumes wait", "/api/v1/persistentvolumes", R"("spec":{})", "{.status.phase}", "Pending"},
    {"classes have a generation", "/apis/scheduling.k8s.io/v1/priorityclasses", R"("value":1)",
     "{.metadata.generation} {.preemptionPolicy}", "1 PreemptLowerPriority"},
    {"a service that wants no address has none in its list too",
     "/api/v1/namespaces/default/services", R"("spec":{"clusterIP":"None","ports":[]})",
     "{.spec.clusterIPs[0]} {.spec.ipFamilies[0]} {.spec.ports}", "None IPv4 "},
    {"the first range of a node is in its list", "/api/v1/nodes",
     R"("spec":{"podCIDR":"10.0.0.0/24"})", "{.spec.podCIDRs[0]}", "10.0.0.0/24"},
    {"limits are defaults", "/api/v1/namespaces/default/limitranges",
     R"("spec":{"limits":[{"type":"Container","max":{"cpu":"2"}}]})",
     "{.spec.limits[0].default.cpu} {.spec.limits[0].defaultRequest.cpu}", "2 2"},
};

TEST(Server, PreparesObjectsAsTheirStrategiesDo) {
  TestServer server;
  for (const Prepared& each : kPrepared) {
    const std::string collection(each.collection);
    const net::Response made = server.Ask(
        "POST", collection, fmt::format(R"({{"metadata":{{"name":"x"}},{}}})", each.body));
    EXPECT_EQ(made.status, 201) << each.why << "\n" << *made.body;
    EXPECT_EQ(Pick(*made.body, each.path), each.found) << each.why << "\n" << *made.body;
    server.Ask("DELETE", collection + "/x?propagationPolicy=Background");
  }
}

TEST(Server, ShowsEventsInBothGroups) {
  TestServer server;
  const std::string core = "/api/v1/namespaces/default/events";
  const std::string events = "/apis/events.k8s.io/v1/namespaces/default/events";
  const auto log = server.Watch(events + "?watch=1&fieldSelector=regarding.kind%3DPod");
  server.Ask(
      "POST", core,
      R"({"metadata":{"name":"a"},"involvedObject":{"kind":"Pod","name":"p","namespace":"default"},"reason":"Failed","message":"no room","source":{"component":"s"},"count":2,"firstTimestamp":"2026-01-02T03:04:05Z"})");
  server.Ask(
      "POST", events,
      R"({"metadata":{"name":"b"},"regarding":{"kind":"Node","name":"n","namespace":"default"},"reason":"Ready","note":"it is","reportingController":"c","reportingInstance":"i","action":"Look","type":"Normal","eventTime":"2026-01-02T03:04:05.000006Z"})");
  const std::string as_event = *server.Ask("GET", events + "/a").body;
  EXPECT_EQ(Pick(as_event,
                 "{.apiVersion} {.regarding.name} {.note} {.deprecatedSource.component} "
                 "{.deprecatedCount} {.deprecatedFirstTimestamp}"),
            "events.k8s.io/v1 p no room s 2 2026-01-02T03:04:05Z");
  const std::string as_core = *server.Ask("GET", core + "/b").body;
  EXPECT_EQ(Pick(as_core,
                 "{.apiVersion} {.involvedObject.kind} {.message} {.reportingComponent} "
                 "{.reportingInstance} {.eventTime}"),
            "v1 Node it is c i 2026-01-02T03:04:05.000006Z");
  EXPECT_EQ(
      Pick(*server.Ask("GET", core + "?fieldSelector=source%3Dc").body, ".items[*].metadata.name"),
      "b");
  EXPECT_EQ(server.Ask("GET", core + "?fieldSelector=regarding.kind%3DPod").status, 400);
  EXPECT_EQ(Pick(log->WaitFor(1).at(0), ".object.note"), "no room");
  EXPECT_EQ(
      Pick(*server.Ask("PATCH merge", events + "/a", R"({"note":"much room"})").body, ".note"),
      "much room");
  EXPECT_EQ(Pick(*server.Ask("GET", core + "/a").body, ".message"), "much room");
  EXPECT_EQ(server.Ask("DELETE", events + "/b").status, 200);
  EXPECT_EQ(server.Ask("GET", core + "/b").status, 404);
}

TEST(Server, LetsAdministratorsBeOthers) {
  struct Row {
    net::Headers headers;
    std::string groups;
    int status = 201;
  };
  const std::vector<Row> rows = {
      {{{"impersonate-user", "u"}}, "system:authenticated"},
      {{{"impersonate-user", "system:serviceaccount:ns:a"}},
       "system:serviceaccounts system:serviceaccounts:ns system:authenticated"},
      {{{"impersonate-user", "system:anonymous"}}, "system:unauthenticated"},
      {{{"impersonate-user", ""}}, "system:masters system:authenticated"},
      {{{"impersonate-group", "g"}}, "", 400},
  };
  TestServer server;
  for (const Row& row : rows) {
    const net::Response answer =
        server.Ask("POST", "/apis/authentication.k8s.io/v1/selfsubjectreviews", "{}", row.headers);
    EXPECT_EQ(answer.status, row.status) << *answer.body;
    EXPECT_EQ(Pick(*answer.body, ".status.userInfo.groups[*]"), row.groups) << *answer.body;
  }
}

TEST(Server, SaysByWhichCertificateSomebodyIsKnown) {
  TestServer server;
  const std::string path = "/apis/authentication.k8s.io/v1/selfsubjectreviews";
  const std::string mine = *server.Ask("POST", path, "{}").body;
  const std::string id = R"("authentication.kubernetes.io/credential-id":["X509SHA256=)";
  const std::size_t at = mine.find(id);
  ASSERT_NE(at, std::string::npos) << mine;
  EXPECT_EQ(mine.find('"', at + id.size()), at + id.size() + 64) << mine;
  const std::string other = *server.Ask("POST", path, "{}", {{"impersonate-user", "u"}}).body;
  EXPECT_EQ(other.find("credential-id"), std::string::npos) << other;
}

TEST(Server, BeginsAWatchWithNoStateOlderThanTheOneNamed) {
  TestServer server;
  const net::Response answer =
      server.Ask("GET", std::string(kConfigMaps) +
                            "?watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&"
                            "allowWatchBookmarks=true&resourceVersion=99999999");
  EXPECT_EQ(answer.status, 504) << *answer.body;
}

TEST(Server, KeepsEverythingOverARestart) {
  TestServer server;
  const std::string list = std::string(kConfigMaps);
  server.Ask("POST", list, ConfigMap("kept"));
  const std::string before = *server.Ask("GET", list).body;
  server.Restart();
  EXPECT_EQ(*server.Ask("GET", list).body, before);
  const std::string since = Pick(before, ".metadata.resourceVersion");
  server.Ask("POST", list, ConfigMap("later"));
  const auto log = server.Watch(fmt::format("{}?watch=1&resourceVersion={}", list, since));
  EXPECT_EQ(Pick(log->WaitFor(1).at(0), ".object.metadata.name"), "later");
}

TEST(Server, TellsWatchersOfWhatBeginsAndCeasesToMatch) {
  TestServer server;
  const std::string list = std::string(kConfigMaps);
  server.Ask("POST", list, ConfigMap("a", R"(,"labels":{"l":"1"})"));
  const auto log = server.Watch(list +
                                "?watch=1&labelSelector=l%3D1&sendInitialEvents=true&"
                                "resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true");
  log->WaitFor(2);
  server.Ask("PATCH merge", list + "/a", R"({"data":{"x":"1"}})");
  server.Ask("PATCH merge", list + "/a", R"({"metadata":{"labels":null}})");
  server.Ask("PATCH merge", list + "/a", R"({"metadata":{"labels":{"l":"1"}}})");
  server.Ask("PATCH merge", list + "/a", R"({"metadata":{"labels":{"l":"1"}}})");
  server.Ask("DELETE", list + "/a");
  std::vector<std::string> types;
  for (const std::string& line : log->WaitFor(6)) {
    types.push_back(Pick(line, ".type"));
  }
  EXPECT_EQ(types, (std::vector<std::string>{"ADDED", "BOOKMARK", "MODIFIED", "DELETED", "ADDED",
                                             "DELETED"}));
}

TEST(Server, EndsWatchesWhenItGoesDown) {
  TestServer server;
  server.Watch(std::string(kConfigMaps) + "?watch=1&resourceVersion=1");
  EXPECT_TRUE(server.Stop());
}

TEST(Server, PagesThroughOneState) {
  TestServer server;
  const std::string list = std::string(kConfigMaps);
  for (const std::string_view name : {"a", "b", "c", "d", "e"}) {
    server.Ask("POST", list, ConfigMap(name));
  }
  std::string page = *server.Ask("GET", list + "?limit=2").body;
  EXPECT_EQ(Pick(page, ".metadata.remainingItemCount"), "3");
  server.Ask("DELETE", list + "/e");
  server.Ask("POST", list, ConfigMap("bb"));
  std::string names = Pick(page, ".items[*].metadata.name");
  while (!Pick(page, ".metadata.continue").empty()) {
    const std::string next = Pick(page, ".metadata.continue");
    page = *server.Ask("GET", fmt::format("{}?limit=2&continue={}", list, next)).body;
    names += ' ';
    names += Pick(page, ".items[*].metadata.name");
  }
  EXPECT_EQ(names, "a b c d e");
}

TEST(Server, LetsNobodyInWithoutACertificateButToSeeItsHealth) {
  TestServer server;
  const std::unique_ptr<net::Client> stranger = server.Stranger();
  for (const auto& [target, status] :
       std::vector<std::pair<std::string, int>>{{"/readyz", 200},
                                                {"/livez/ping", 200},
                                                {"/livez/", 404},
                                                {"/version", 200},
                                                {"/api", 401},
                                                {"/api/v1/pods", 401},
                                                {"/metrics", 401}}) {
    EXPECT_EQ(stranger->Fetch({.method = "GET", .target = target})->status, status) << target;
  }
}

TEST(Server, MakesNamesThatAreFree) {
  TestServer server;
  const std::string sent = R"({"metadata":{"generateName":"g-"}})";
  const std::string first =
      Pick(*server.Ask("POST", std::string(kConfigMaps), sent).body, ".metadata.name");
  const std::string second =
      Pick(*server.Ask("POST", std::string(kConfigMaps), sent).body, ".metadata.name");
  EXPECT_EQ(first.size(), 7);
  EXPECT_NE(first, second);
}

// What upstream's clients send by default.
TEST(Server, TakesAndGivesProtobuf) {
  TestServer server;
  const auto sent = api::DecodeJson(ConfigMap("p"));
  const net::Headers headers = {{"content-type", "application/vnd.kubernetes.protobuf"},
                                {"accept", "application/vnd.kubernetes.protobuf,application/json"}};
  const net::Response made =
      server.Ask("POST", std::string(kConfigMaps), api::EncodeProto(*sent), headers);
  EXPECT_EQ(made.status, 201);
  EXPECT_EQ(made.headers.Find("content-type"), "application/vnd.kubernetes.protobuf");
  const Result<api::Object> stored = api::DecodeProto(*made.body);
  ASSERT_TRUE(stored.has_value());
  EXPECT_EQ(MetaOf(*stored).name, "p");
  const Result<api::Object> list =
      api::DecodeProto(*server.Ask("GET", std::string(kConfigMaps), "", headers).body);
  ASSERT_TRUE(list.has_value());
  EXPECT_EQ(list->kind->kind, "ConfigMapList");
}

}  // namespace
}  // namespace quadra::apiserver
