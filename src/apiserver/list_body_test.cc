#include "apiserver/list_body.h"

#include <gtest/gtest.h>

#include "api/object.h"
#include "apiserver/gzip_for_tests.h"
#include "apiserver/server_for_tests.h"

namespace quadra::apiserver {
namespace {

constexpr std::string_view kSlices = "/apis/resource.k8s.io/{}/resourceslices";

void FillWithSlices(TestServer& server) {
  for (const std::string_view name : {"a", "b", "c"}) {
    server.Ask("POST", fmt::format(kSlices, "v1"),
               fmt::format(R"({{
      "metadata":{{"name":"{0}"}},
      "spec":{{"driver":"gpu.example.com","nodeName":"n-{0}","devices":[{{"name":"gpu-0"}}],
              "pool":{{"name":"{0}","generation":1,"resourceSliceCount":1}}}}}})",
                           name));
  }
}

std::string Accepted(TestServer& server, const std::string& path, std::string_view type,
                     net::Headers headers = {}) {
  headers.Add("accept", std::string(type));
  const net::Response answer = server.Ask("GET", path, "", headers);
  EXPECT_EQ(answer.status, 200) << path << " as " << type;
  return *answer.body;
}

TEST(ListBody, HasTheBytesOfItsObjectsButTheirType) {
  TestServer server;
  FillWithSlices(server);
  for (const std::string_view version : {"v1", "v1beta2", "v1beta1"}) {
    const std::string path = fmt::format(kSlices, version);
    const std::string type =
        fmt::format(R"({{"kind":"ResourceSlice","apiVersion":"resource.k8s.io/{}",)", version);
    std::string items;
    for (const std::string_view name : {"a", "b", "c"}) {
      const std::string object =
          Accepted(server, fmt::format("{}/{}", path, name), "application/json");
      ASSERT_TRUE(object.starts_with(type)) << object;
      items += (items.empty() ? "{" : ",{") +
               object.substr(type.size(), object.size() - type.size() - 1);
    }
    const std::string list = Accepted(server, path, "application/json");
    EXPECT_EQ(list.substr(list.find("\"items\":")), "\"items\":[" + items + "]}\n") << version;
  }
}

TEST(ListBody, SaysTheSameInProtobuf) {
  TestServer server;
  FillWithSlices(server);
  for (const std::string_view version : {"v1", "v1beta2", "v1beta1"}) {
    for (const std::string_view query : {"", "?limit=2"}) {
      const std::string path = fmt::format(kSlices, version).append(query);
      const auto json = api::DecodeJson(Accepted(server, path, "application/json"));
      const auto proto =
          api::DecodeProto(Accepted(server, path, "application/vnd.kubernetes.protobuf"));
      ASSERT_TRUE(json.has_value() && proto.has_value()) << path;
      EXPECT_EQ(api::EncodeJson(*json), api::EncodeJson(*proto)) << path;
    }
  }
}

TEST(ListBody, IsCompressedWhereItIsLarge) {
  TestServer server;
  const std::string path = "/api/v1/namespaces/default/configmaps";
  for (int i = 0; i < 20; ++i) {
    server.Ask("POST", path,
               fmt::format(R"({{"metadata":{{"name":"m-{}"}},"data":{{"k":"{}"}}}})", i,
                           std::string(10'000, 'x')));
  }
  for (const std::string_view type : {"application/json", "application/vnd.kubernetes.protobuf"}) {
    const std::string plain = Accepted(server, path, type);
    const std::string packed = Accepted(server, path, type, {{"accept-encoding", "gzip"}});
    EXPECT_LT(packed.size(), plain.size() / 10) << type;
    EXPECT_EQ(Unzip(packed, plain.size()), plain) << type;
  }
}

// As many as several threads encode.
TEST(ListBody, KeepsTheOrderOfMany) {
  const Catalog catalog(api::Registry().All());
  const Resource* const maps = catalog.Find("", "v1", "configmaps");
  ASSERT_NE(maps, nullptr);
  Page page{.records = {}, .revision = 7};
  std::string names;
  for (int i = 10'000; i < 13'000; ++i) {
    names += fmt::format(" m-{}", i);
    page.records.push_back(std::make_shared<const store::Record>(store::Record{
        .key = store::Key(std::to_string(i)),
        .bytes = fmt::format(
            R"({{"kind":"ConfigMap","apiVersion":"v1","metadata":{{"name":"m-{}"}}}})", i)}));
  }
  Ask ask;
  ask.resource = maps;
  ask.representation.encoding = Encoding::kProtobuf;
  std::string body;
  for (const net::Piece& piece : ListBody(std::move(page), ask)) {
    body += piece.bytes;
  }
  const auto list = api::DecodeProto(body);
  ASSERT_TRUE(list.has_value());
  EXPECT_EQ(" " + Pick(api::EncodeJson(*list), ".items[*].metadata.name"), names);
}

}  // namespace
}  // namespace quadra::apiserver
