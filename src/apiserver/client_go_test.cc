// What client-go relies on, found by its own programs (conformance/clientgo).
#include <gtest/gtest.h>

#include "apiserver/server_for_tests.h"
#include "apiserver/stored_form.h"

namespace quadra::apiserver {
namespace {

constexpr std::string_view kProtobuf = "application/vnd.kubernetes.protobuf";

const std::string kConfigMaps = "/api/v1/namespaces/default/configmaps";
const std::string kClaims = "/apis/resource.k8s.io/v1/namespaces/default/resourceclaims";
const std::string kPods = "/api/v1/namespaces/default/pods";

std::string Named(std::string_view name, std::string_view more = "") {
  return fmt::format(R"({{"metadata":{{"name":"{}"}}{}}})", name, more);
}

// In v1beta1 devices have one member more around what they are.
std::string Slice(std::string_view version) {
  const std::string_view basics =
      R"("attributes":{"a":{"string":"x"}},"capacity":{"c":{"value":"1Gi"}})";
  const std::string device =
      version == "v1beta1" ? fmt::format(R"("basic":{{{}}})", basics) : std::string(basics);
  return Named(version, fmt::format(R"(,"spec":{{"driver":"d.example.com","nodeName":"n","pool":)"
                                    R"({{"name":"p","resourceSliceCount":1}},)"
                                    R"("devices":[{{"name":"one",{}}}]}})",
                                    device));
}

std::vector<std::string> Types(const std::vector<std::string>& lines) {
  std::vector<std::string> types;
  types.reserve(lines.size());
  for (const std::string& line : lines) {
    types.push_back(Pick(line, ".type"));
  }
  return types;
}

// Its typed clients name the options by the version of what they delete.
TEST(ClientGo, DeletesWithTheOptionsOfAnyGroup) {
  TestServer server;
  for (const auto& [version, status] :
       std::vector<std::pair<std::string, int>>{{"resource.k8s.io/v1", 200},
                                                {"resource.k8s.io/v1beta1", 200},
                                                {"meta.k8s.io/v1", 200},
                                                {"v1", 200},
                                                {"nobody.example.com/v1", 400}}) {
    server.Ask("POST", kClaims, Named("c", R"(,"spec":{"devices":{}})"));
    const std::string options =
        fmt::format(R"({{"kind":"DeleteOptions","apiVersion":"{}"}})", version);
    EXPECT_EQ(server.Ask("DELETE", kClaims + "/c", options).status, status) << version;
  }
}

TEST(ClientGo, ReadsRefusalsAndSuccessInItsEncoding) {
  TestServer server;
  const net::Headers headers = {{"accept", std::string(kProtobuf) + ",application/json"}};
  server.Ask("POST", kConfigMaps, Named("a"));
  for (const auto& [method, status] :
       std::vector<std::pair<std::string, int>>{{"DELETE", 200}, {"DELETE", 404}, {"GET", 404}}) {
    const net::Response answer = server.Ask(method, kConfigMaps + "/a", "", headers);
    EXPECT_EQ(answer.status, status);
    EXPECT_EQ(answer.headers.Find("content-type"), kProtobuf);
    const Result<api::Object> read = api::DecodeProto(*answer.body);
    ASSERT_TRUE(read.has_value());
    EXPECT_EQ(read->kind->kind, "Status");
  }
}

// Objects are encoded once and lists are put together from them: they say what lists in JSON say,
// whatever the lengths are, and after every write.
TEST(ClientGo, ReadsTheSameListsInBothEncodings) {
  TestServer server;
  const auto expect_equal = [&](const std::string& query, const std::string& list = kConfigMaps) {
    const net::Response json = server.Ask("GET", list + query);
    const net::Response proto =
        server.Ask("GET", list + query, "", {{"accept", std::string(kProtobuf)}});
    const auto one = api::DecodeJson(*json.body, {.strictness = api::Strictness::kLenient});
    const auto other = api::DecodeProto(*proto.body);
    ASSERT_TRUE(one.has_value() && other.has_value()) << query;
    EXPECT_TRUE(*one == *other) << query << "\n" << *json.body;
  };
  expect_equal("");
  for (const std::string version : {"v1", "v1beta1"}) {
    const std::string slices = fmt::format("/apis/resource.k8s.io/{}/resourceslices", version);
    EXPECT_EQ(server.Ask("POST", slices, Slice(version)).status, 201);
    expect_equal("", slices);
  }
  for (const std::size_t size : {0UL, 100UL, 200UL, 20'000UL}) {
    server.Ask("POST", kConfigMaps,
               Named(fmt::format("m{}", size),
                     fmt::format(R"(,"data":{{"k":"{}"}})", std::string(size, 'x'))));
    expect_equal("");
    expect_equal("");
  }
  expect_equal("?limit=2");
  server.Ask("PATCH merge", kConfigMaps + "/m100", R"({"data":{"k":"y"}})");
  expect_equal("");
  server.Ask("DELETE", kConfigMaps + "/m200");
  expect_equal("");
}

// It decodes all that such a watch tells as one kind, the mark at the end of the list too.
TEST(ClientGo, StreamsListsOfMetadata) {
  TestServer server;
  server.Ask("POST", kConfigMaps, Named("a"));
  const auto log = server.Watch(
      kConfigMaps +
          "?watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=1",
      {{"accept", "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1"}});
  const std::vector<std::string> lines = log->WaitFor(2);
  EXPECT_EQ(Types(lines), (std::vector<std::string>{"ADDED", "BOOKMARK"}));
  for (const std::string& line : lines) {
    EXPECT_EQ(Pick(line, ".object.kind"), "PartialObjectMetadata") << line;
  }
  EXPECT_EQ(Pick(lines.back(), R"(.object.metadata.annotations.k8s\.io/initial-events-end)"),
            "true");
}

// A pod's node hears that it is to end before it is gone.
TEST(ClientGo, HearsOfAPodsEndBeforeItIsGone) {
  TestServer server;
  server.Ask("POST", kPods, Named("p", R"(,"spec":{"containers":[{"name":"c","image":"i"}]})"));
  const auto log = server.Watch(kPods + "?watch=1");
  server.Ask("DELETE", kPods + "/p");
  const std::vector<std::string> lines = log->WaitFor(3);
  EXPECT_EQ(Types(lines), (std::vector<std::string>{"ADDED", "MODIFIED", "DELETED"}));
  EXPECT_EQ(Pick(lines.at(1), ".object.metadata.deletionGracePeriodSeconds"), "0");
  EXPECT_EQ(server.Ask("GET", kPods + "/p").status, 404);
}

}  // namespace
}  // namespace quadra::apiserver
