// What the server counts of real requests, and how many it lets in.
#include <algorithm>

#include <gtest/gtest.h>

#include "apiserver/in_flight.h"
#include "apiserver/server_for_tests.h"

namespace quadra::apiserver {
namespace {

constexpr std::string_view kMaps = "/api/v1/namespaces/default/configmaps";

std::string At(std::string_view rest) { return std::string(kMaps) + std::string(rest); }

bool HasLine(const std::string& text, const std::string& line) {
  return ("\n" + text).find("\n" + line + "\n") != std::string::npos;
}

// What stands behind `series`, or nothing.
std::string ValueOf(const std::string& metrics, const std::string& series) {
  const std::size_t at = ("\n" + metrics).find("\n" + series + " ");
  if (at == std::string::npos) {
    return "";
  }
  const std::size_t begin = at + series.size() + 1;
  return metrics.substr(begin, metrics.find('\n', begin) - begin);
}

struct Counted {
  std::string_view method;
  std::string target;
  std::string body = {};
  // Labels of apiserver_request_total, and its value afterwards.
  std::string labels = {};
};

const std::vector<Counted>& CountedRequests() {
  static const std::vector<Counted> all = {
      {"POST", At(""), R"({"metadata":{"name":"a"}})",
       R"(verb="POST",dry_run="",group="",version="v1",resource="configmaps",subresource="",scope="resource",component="apiserver",code="201")"},
      {"POST", At("?dryRun=All"), R"({"metadata":{"name":"b"}})",
       R"(verb="POST",dry_run="All",group="",version="v1",resource="configmaps",subresource="",scope="resource",component="apiserver",code="201")"},
      {"POST", At("?dryRun=Bad"), R"({"metadata":{"name":"b"}})",
       R"(verb="POST",dry_run="invalid",group="",version="v1",resource="configmaps",subresource="",scope="resource",component="apiserver",code="422")"},
      {"GET", At("/a"), "",
       R"(verb="GET",dry_run="",group="",version="v1",resource="configmaps",subresource="",scope="resource",component="apiserver",code="200")"},
      {"GET", At("/nowhere"), "",
       R"(verb="GET",dry_run="",group="",version="v1",resource="configmaps",subresource="",scope="resource",component="apiserver",code="404")"},
      {"GET", At(""), "",
       R"(verb="LIST",dry_run="",group="",version="v1",resource="configmaps",subresource="",scope="namespace",component="apiserver",code="200")"},
      {"GET", "/api/v1/configmaps", "",
       R"(verb="LIST",dry_run="",group="",version="v1",resource="configmaps",subresource="",scope="cluster",component="apiserver",code="200")"},
      {"PATCH merge", At("/a"), "{}",
       R"(verb="PATCH",dry_run="",group="",version="v1",resource="configmaps",subresource="",scope="resource",component="apiserver",code="200")"},
      {"PUT", At("/a"), R"({"metadata":{"name":"a"}})",
       R"(verb="PUT",dry_run="",group="",version="v1",resource="configmaps",subresource="",scope="resource",component="apiserver",code="200")"},
      {"DELETE", At("/a"), "",
       R"(verb="DELETE",dry_run="",group="",version="v1",resource="configmaps",subresource="",scope="resource",component="apiserver",code="200")"},
      {"DELETE", At(""), "",
       R"(verb="DELETE",dry_run="",group="",version="v1",resource="configmaps",subresource="",scope="namespace",component="apiserver",code="200")"},
      {"GET", "/apis/resource.k8s.io/v1beta1/resourceslices", "",
       R"(verb="LIST",dry_run="",group="resource.k8s.io",version="v1beta1",resource="resourceslices",subresource="",scope="cluster",component="apiserver",code="200")"},
      {"GET", "/api/v1/namespaces/default/status", "",
       R"(verb="GET",dry_run="",group="",version="v1",resource="namespaces",subresource="status",scope="resource",component="apiserver",code="200")"},
      {"GET", "/readyz", "",
       R"(verb="GET",dry_run="",group="",version="",resource="",subresource="/readyz",scope="",component="",code="200")"},
      {"GET", "/openapi/v3", "",
       R"(verb="GET",dry_run="",group="",version="",resource="",subresource="openapi/v3",scope="",component="",code="200")"},
  };
  return all;
}

TEST(Metrics, CountEveryRequestByUpstreamsLabels) {
  TestServer server;
  for (const Counted& each : CountedRequests()) {
    server.Ask(each.method, each.target, each.body);
    const std::string metrics = *server.Ask("GET", "/metrics").body;
    EXPECT_EQ(ValueOf(metrics, "apiserver_request_total{" + each.labels + "}"), "1")
        << each.method << " " << each.target;
    const std::string without_code = each.labels.substr(0, each.labels.find(",code="));
    EXPECT_NE(ValueOf(metrics, "apiserver_request_duration_seconds_count{" + without_code + "}"),
              "")
        << each.method << " " << each.target;
  }
}

TEST(Metrics, CountNothingThatClientsCouldMultiply) {
  TestServer server;
  const auto series = [&] {
    const std::string text = *server.Ask("GET", "/metrics").body;
    return std::ranges::count(text, '\n');
  };
  const auto before = series();
  for (const std::string_view target :
       {"/api/v1/nothings", "/apis/no.example/v1/x", "/nothing", "/version", "/apis", "/livez/ping",
        "/api/v1/namespaces/default/configmaps/a/nosuch"}) {
    server.Ask("GET", std::string(target));
    server.Ask("BREW", std::string(target));
  }
  EXPECT_EQ(series(), before);
}

// Of configmaps in one scope.
std::string OfWatches(std::string_view family, std::string_view scope,
                      std::string_view dry_run = "", std::string_view code = "") {
  return fmt::format(
      R"({}{{verb="WATCH",{}group="",version="v1",resource="configmaps",subresource="",scope="{}",component="apiserver"{}}})",
      family, dry_run, scope, code);
}

TEST(Metrics, CountWatchesWhileTheyAreOpenAndWhatTheyTell) {
  TestServer server;
  server.Ask("POST", At(""), R"({"metadata":{"name":"a"}})");
  const auto open = server.Watch(At("?watch=1&resourceVersion=0"));
  open->WaitFor(1);
  server.Ask("DELETE", At("/a"));
  open->WaitFor(2);
  const auto ended = server.Watch("/api/v1/configmaps?watch=1&resourceVersion=1&timeoutSeconds=1");
  ended->WaitFor(1000);  // its end
  const std::string metrics = *server.Ask("GET", "/metrics").body;
  EXPECT_EQ(ValueOf(metrics, OfWatches("apiserver_longrunning_requests", "namespace")), "1");
  EXPECT_EQ(ValueOf(metrics, OfWatches("apiserver_longrunning_requests", "cluster")), "0");
  EXPECT_EQ(ValueOf(metrics, OfWatches("apiserver_request_total", "cluster", R"(dry_run="",)",
                                       R"(,code="200")")),
            "1");
  EXPECT_EQ(ValueOf(metrics, R"(apiserver_init_events_total{group="",resource="configmaps"})"),
            "1");
}

TEST(Metrics, CountWhatWatchesAreTold) {
  TestServer server;
  const auto watch = server.Watch(At("?watch=1&resourceVersion=0"));
  server.Ask("POST", At(""), R"({"metadata":{"name":"a"}})");
  server.Ask("DELETE", At("/a"));
  watch->WaitFor(2);
  const std::string metrics = *server.Ask("GET", "/metrics").body;
  const std::string kind = R"({group="",version="v1",resource="configmaps"})";
  EXPECT_EQ(ValueOf(metrics, "apiserver_watch_events_total" + kind), "2");
  EXPECT_EQ(ValueOf(metrics, "apiserver_watch_events_sizes_count" + kind), "2");
}

TEST(Metrics, TellOfStoreFeaturesAndProcess) {
  TestServer server;
  server.Ask("POST", At(""), R"({"metadata":{"name":"a"}})");
  const net::Response answer = server.Ask("GET", "/metrics");
  EXPECT_EQ(answer.headers.Find("content-type"), "text/plain; version=0.0.4; charset=utf-8");
  const std::string& text = *answer.body;
  EXPECT_TRUE(HasLine(text, R"(apiserver_resource_objects{group="",resource="namespaces"} 4)"));
  EXPECT_TRUE(HasLine(text, R"(kubernetes_feature_enabled{name="DRADeviceTaints",stage=""} 1)"));
  EXPECT_TRUE(HasLine(text, R"(kubernetes_feature_enabled{name="AllAlpha",stage="ALPHA"} 0)"));
  for (const std::string_view begin :
       {"\napiserver_storage_size_bytes{storage_cluster_id=", "\nprocess_resident_memory_bytes ",
        "\nkubernetes_build_info{major=\"1\",minor=\"37\",git_version=\"v1.37.1+quadra\"",
        "\napiserver_current_inflight_requests{request_kind=\"readOnly\"} "}) {
    EXPECT_NE(text.find(begin), std::string::npos) << begin;
  }
}

// --- Requests under way.

TEST(InFlight, HasSoManyPlacesOfEachKind) {
  using Kind = InFlight::Kind;
  InFlight in_flight({.reading = 2, .writing = 1});
  InFlight::Place first = in_flight.Enter(Kind::kReading);
  InFlight::Place second = in_flight.Enter(Kind::kReading);
  EXPECT_TRUE(first && second);
  EXPECT_FALSE(in_flight.Enter(Kind::kReading));
  EXPECT_TRUE(in_flight.Enter(Kind::kWriting)) << "writers do not wait for readers";
  EXPECT_EQ(in_flight.inside(Kind::kWriting), 0) << "given back at once";
  first = InFlight::Place();
  EXPECT_TRUE(in_flight.Enter(Kind::kReading));
  EXPECT_EQ(in_flight.inside(Kind::kReading), 1);
  EXPECT_TRUE(InFlight({.reading = 0, .writing = 0}).Enter(Kind::kReading)) << "0 is no limit";
}

// A list of what is not written yet waits: it is under way as long as we want.
TEST(InFlight, RefusesWhatFindsNoRoomButMastersWatchesAndHealth) {
  const std::string waiting = "?resourceVersion=1000000&resourceVersionMatch=NotOlderThan";
  const net::Headers plain = {{"impersonate-user", "plain"}};
  TestServer server({.in_flight = {.reading = 1, .writing = 1}});
  const std::shared_ptr<WatchLog> first = server.Start(At(waiting), plain);
  struct Row {
    std::string_view why, method;
    std::string target, body;
    net::Headers headers;
    int status;
  };
  const Row rows[] = {
      {"a second reader", "GET", At("/a"), "", plain, 429},
      {"discovery is read too", "GET", "/apis", "", plain, 429},
      {"a writer", "POST", At(""), R"({"metadata":{"name":"a"}})", plain, 201},
      {"a master", "GET", At("/a"), "", {}, 200},
      {"health", "GET", "/readyz", "", plain, 200},
      {"what is not there takes no room", "GET", "/api/v1/nothings", "", plain, 404},
  };
  for (const Row& row : rows) {
    const net::Response answer = server.Ask(row.method, row.target, row.body, row.headers);
    EXPECT_EQ(answer.status, row.status) << row.why;
    if (row.status == 429) {
      EXPECT_EQ(answer.headers.Find("retry-after"), "1") << row.why;
      EXPECT_EQ(*answer.body, "Too many requests, please try again later.\n") << row.why;
    }
  }
  const auto watch = server.Start(At("?watch=1&timeoutSeconds=1"), plain);
  EXPECT_EQ(watch->WaitFor(1).size(), 1) << "a watch";
  const std::string metrics = *server.Ask("GET", "/metrics").body;
  const std::string labels =
      R"(group="",version="v1",resource="configmaps",subresource="",scope="resource",component="apiserver",code="429"})";
  EXPECT_EQ(ValueOf(metrics, R"(apiserver_request_total{verb="GET",dry_run="",)" + labels), "1");
  EXPECT_EQ(ValueOf(metrics, R"(apiserver_request_terminations_total{verb="GET",)" + labels), "1");
  first->WaitFor(1);  // it gives up
  EXPECT_EQ(server.Ask("GET", At("/a"), "", plain).status, 200) << "the place is free again";
}

}  // namespace
}  // namespace quadra::apiserver
