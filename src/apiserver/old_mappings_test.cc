// What devices take of their node, in the form that Kubernetes 1.36 had for it; what the scheduler
// writes of it into pods.
#include <gtest/gtest.h>

#include "apiserver/proto_parts.h"
#include "apiserver/server_for_tests.h"

namespace quadra::apiserver {
namespace {

ApiServerOptions WithGate() {
  ApiServerOptions options;
  const Status set = options.gates.Set("DRANodeAllocatableResources", true);
  QUADRA_CHECK(set.has_value(), "the gate exists");
  return options;
}

std::string SlicesOf(std::string_view version, std::string_view rest = "") {
  return fmt::format("/apis/resource.k8s.io/{}/resourceslices{}", version, rest);
}

std::string SliceWith(std::string_view device) {
  return fmt::format(
      R"({{"metadata":{{"name":"s"}},"spec":{{"driver":"d.example.com","allNodes":true,)"
      R"("pool":{{"name":"p","generation":1,"resourceSliceCount":1}},"devices":[{}]}}}})",
      device);
}

constexpr std::string_view kOldCpu =
    R"({"name":"a","nodeAllocatableResourceMappings":{"cpu":{"allocationMultiplier":"2"}}})";

// All of them, one a line.
std::string WarningsOf(const net::Response& answer) {
  std::string warnings;
  for (const auto& [name, value] : answer.headers) {
    warnings += name == "warning" ? value + "\n" : "";
  }
  return warnings;
}

TEST(OldMappings, AreTakenInTheirNewForm) {
  const struct {
    const char* why;
    std::string version;
    std::string device;
    const char* taken;
  } rows[] = {
      {"so much for each device", "v1", std::string(kOldCpu),
       R"({"cpu":{"mapping":{"deviceMultiplier":"2"}}})"},
      {"so much of a capacity", "v1beta2",
       R"({"name":"a","capacity":{"c":{"value":"8"}},)"
       R"("nodeAllocatableResourceMappings":{"memory":{"capacityKey":"c"}}})",
       R"({"memory":{"mapping":{"capacityKey":"c","capacityMultiplier":"1"}}})"},
      {"nested, as v1beta1 has it", "v1beta1",
       R"({"name":"a","basic":{"nodeAllocatableResourceMappings":{"cpu":{"allocationMultiplier":"2"}}}})",
       R"({"cpu":{"mapping":{"deviceMultiplier":"2"}}})"},
  };
  TestServer server(WithGate());
  for (const auto& row : rows) {
    const net::Response made =
        server.Ask("POST", SlicesOf(row.version, "?fieldValidation=Strict"), SliceWith(row.device));
    EXPECT_EQ(made.status, 201) << row.why << ": " << *made.body;
    EXPECT_NE(WarningsOf(made).find("is the form of Kubernetes 1.36"), std::string::npos)
        << row.why;
    const net::Response kept = server.Ask("GET", SlicesOf("v1", "/s"));
    EXPECT_EQ(Pick(*kept.body, ".spec.devices[0].nodeAllocatableResources"), row.taken) << row.why;
    server.Ask("DELETE", SlicesOf("v1", "/s"));
  }
}

TEST(OldMappings, ComeThroughUpdatesAndPatchesToo) {
  TestServer server(WithGate());
  ASSERT_EQ(server.Ask("POST", SlicesOf("v1"), SliceWith(R"({"name":"a"})")).status, 201);
  const std::string patch = fmt::format(R"({{"spec":{{"devices":[{}]}}}})", kOldCpu);
  const struct {
    std::string_view method;
    std::string body;
  } writes[] = {
      {"PUT", SliceWith(kOldCpu)}, {"PATCH merge", patch}, {"PATCH strategic-merge", patch}};
  for (const auto& write : writes) {
    const std::string at = SlicesOf("v1", "/s?fieldValidation=Strict");
    const net::Response written = server.Ask(write.method, at, write.body);
    EXPECT_EQ(written.status, 200) << write.method << ": " << *written.body;
    EXPECT_EQ(Pick(*written.body, ".spec.devices[0].nodeAllocatableResources"),
              R"({"cpu":{"mapping":{"deviceMultiplier":"2"}}})")
        << write.method;
    server.Ask("PUT", SlicesOf("v1", "/s"), SliceWith(R"({"name":"a"})"));
  }
}

std::string Field(std::uint32_t number, std::string_view content) {
  std::string bytes;
  AppendField(bytes, number, content);
  return bytes;
}

// What a driver sends that was built with Kubernetes 1.36.
TEST(OldMappings, ComeInProtobufToo) {
  const std::string mapping = Field(1, "c") + Field(2, Field(1, "2"));
  const std::string entries = Field(1, "cpu") + Field(2, Field(2, Field(1, "3")));
  const std::string memory = Field(1, "memory") + Field(2, mapping);
  const std::string capacity = Field(3, Field(1, "c") + Field(2, Field(1, Field(1, "8Gi"))));
  const std::string name = Field(1, "a");
  const struct {
    std::string version;
    std::string device;
  } rows[] = {
      {"v1", name + capacity + Field(13, entries) + Field(13, memory)},
      {"v1beta2", name + capacity + Field(13, entries) + Field(13, memory)},
      {"v1beta1", name + Field(2, Field(2, Field(1, "c") + Field(2, Field(1, Field(1, "8Gi")))) +
                                      Field(12, entries) + Field(12, memory))},
  };
  TestServer server(WithGate());
  for (const auto& row : rows) {
    const std::string pool = Field(1, "p") + std::string("\x10\x01\x18\x01");
    const std::string spec = Field(1, "d.example.com") + Field(2, pool) + std::string("\x28\x01") +
                             Field(6, row.device) + Field(6, Field(1, "b"));
    const std::string slice = Field(1, Field(1, "s")) + Field(2, spec);
    const std::string type = Field(1, "resource.k8s.io/" + row.version) + Field(2, "ResourceSlice");
    const net::Response made = server.AskAsIs(
        "POST", SlicesOf(row.version), std::string("k8s\0", 4) + Field(1, type) + Field(2, slice),
        {{"content-type", "application/vnd.kubernetes.protobuf"}});
    EXPECT_EQ(made.status, 201) << row.version << ": " << *made.body;
    EXPECT_NE(WarningsOf(made).find("is the form of Kubernetes 1.36"), std::string::npos);
    const net::Response kept = server.Ask("GET", SlicesOf("v1", "/s"));
    EXPECT_EQ(Pick(*kept.body, ".spec.devices[0].nodeAllocatableResources"),
              R"({"cpu":{"mapping":{"deviceMultiplier":"3"}},)"
              R"("memory":{"mapping":{"capacityKey":"c","capacityMultiplier":"2"}}})")
        << row.version;
    EXPECT_EQ(Pick(*kept.body, ".spec.devices[1]"), R"({"name":"b"})");
    server.Ask("DELETE", SlicesOf("v1", "/s"));
  }
}

TEST(OldMappings, GoWithoutTheGateAsTheNewFormDoes) {
  TestServer server;
  const net::Response made = server.Ask("POST", SlicesOf("v1"), SliceWith(kOldCpu));
  EXPECT_EQ(made.status, 201) << *made.body;
  EXPECT_EQ(Pick(*made.body, ".spec.devices[0]"), R"({"name":"a"})");
}

TEST(OldMappings, EphemeralStorageIsRefusedAsUpstreamDoes) {
  TestServer server(WithGate());
  const net::Response answer = server.Ask(
      "POST", SlicesOf("v1"),
      SliceWith(
          R"({"name":"a","nodeAllocatableResourceMappings":{"ephemeral-storage":{"allocationMultiplier":"2"}}})"));
  EXPECT_EQ(answer.status, 422);
  EXPECT_NE(answer.body->find("must be a node allocatable resource name"), std::string::npos)
      << *answer.body;
}

TEST(OldMappings, StatusOfPodsHasTheShapeOfUpstream) {
  TestServer server(WithGate());
  constexpr std::string_view kPods = "/api/v1/namespaces/default/pods";
  ASSERT_EQ(
      server
          .Ask(
              "POST", std::string(kPods),
              R"({"metadata":{"name":"p"},"spec":{"containers":[{"name":"c","image":"i",)"
              R"("resources":{"claims":[{"name":"g"}]}}],"resourceClaims":[{"name":"g","resourceClaimName":"g"}]}})")
          .status,
      201);
  constexpr std::string_view kStatus =
      R"([{"containers":["c"],"mapping":[{"name":"cpu","quantity":"2"}],"resourceClaimName":"g"}])";
  const net::Response kept = server.Ask(
      "PATCH strategic-merge", fmt::format("{}/p/status?fieldValidation=Strict", kPods),
      fmt::format(R"({{"status":{{"nodeAllocatableResourceClaimStatuses":{}}}}})", kStatus));
  ASSERT_EQ(kept.status, 200) << *kept.body;
  EXPECT_EQ(Pick(*server.Ask("GET", fmt::format("{}/p", kPods)).body,
                 ".status.nodeAllocatableResourceClaimStatuses[0].mapping[0].quantity"),
            "2");
  const net::Response older = server.Ask(
      "PATCH merge", fmt::format("{}/p/status?fieldValidation=Strict", kPods),
      R"({"status":{"nodeAllocatableResourceClaimStatuses":[{"resourceClaimName":"g","resources":{"cpu":"2"}}]}})");
  EXPECT_EQ(older.status, 422) << *older.body;
}

}  // namespace
}  // namespace quadra::apiserver
