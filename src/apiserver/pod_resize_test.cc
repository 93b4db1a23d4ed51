// pods/resize: what may change, what may not, and in whose words.
#include <gtest/gtest.h>

#include "apiserver/server_for_tests.h"

namespace quadra::apiserver {
namespace {

constexpr std::string_view kPods = "/api/v1/namespaces/default/pods";

std::string PodAt(std::string_view part = "") { return fmt::format("{}/p{}", kPods, part); }

// A pod `p` of a container `c`, an init container `i` and a sidecar `s`, each of cpu 1 and memory 1Gi.
std::string PodWith(std::string_view spec = "") {
  constexpr std::string_view kAmounts =
      R"("image":"i","resources":{"requests":{"cpu":"1","memory":"1Gi"},"limits":{"cpu":"2"}})";
  return fmt::format(
      R"({{"metadata":{{"name":"p"}},"spec":{{"containers":[{{"name":"c",{0}}}],"initContainers":[)"
      R"({{"name":"i",{0}}},{{"name":"s","restartPolicy":"Always",{0}}}]{1}}}}})",
      kAmounts, spec);
}

std::string CpuOf(std::string_view list, std::string_view container, std::string_view cpu) {
  return fmt::format(
      R"({{"spec":{{"{}":[{{"name":"{}","resources":{{"requests":{{"cpu":"{}"}}}}}}]}}}})", list,
      container, cpu);
}

ApiServerOptions WithGates(std::initializer_list<std::string_view> gates) {
  ApiServerOptions options;
  for (const std::string_view gate : gates) {
    const Status set = options.gates.Set(gate, true);
    QUADRA_CHECK(set.has_value(), "tests name gates that exist");
  }
  return options;
}

TEST(PodResize, ChangesCpuAndMemoryAndNothingElse) {
  TestServer server;
  ASSERT_EQ(server.Ask("POST", std::string(kPods), PodWith()).status, 201);
  const net::Response resized = server.Ask(
      "PATCH strategic-merge", PodAt("/resize"),
      R"({"metadata":{"labels":{"a":"b"}},"spec":{"nodeName":"n","containers":[{"name":"c","image":"other",)"
      R"("resources":{"requests":{"cpu":"1500m","memory":"2Gi"}}}]}})");
  ASSERT_EQ(resized.status, 200) << *resized.body;
  const net::Response pod = server.Ask("GET", PodAt());
  EXPECT_EQ(Pick(*pod.body, ".spec.containers[0].resources.requests"),
            R"({"cpu":"1500m","memory":"2Gi"})");
  EXPECT_EQ(Pick(*pod.body, "{.spec.containers[0].image} {.spec.nodeName} {.metadata.labels}"),
            "i  ");
  EXPECT_EQ(Pick(*pod.body, ".metadata.generation"), "2");
  for (const std::string_view container : {"i", "s"}) {
    EXPECT_EQ(server
                  .Ask("PATCH strategic-merge", PodAt("/resize"),
                       CpuOf("initContainers", container, "1250m"))
                  .status,
              200)
        << container;
  }
  EXPECT_EQ(Pick(*server.Ask("GET", PodAt("/resize")).body,
                 "{.spec.initContainers[*].resources.requests.cpu}"),
            "1250m 1250m");
}

TEST(PodResize, TheWholeObjectMayBeSent) {
  TestServer server;
  ASSERT_EQ(server.Ask("POST", std::string(kPods), PodWith()).status, 201);
  std::string pod = *server.Ask("GET", PodAt()).body;
  pod.replace(pod.find(R"("cpu":"1")"), 9, R"("cpu":"2")");
  EXPECT_EQ(server.Ask("PUT", PodAt("/resize"), pod).status, 200);
  EXPECT_EQ(server.Ask("PUT", PodAt("/resize"), pod).status, 409) << "of an older version";
  EXPECT_EQ(server.Ask("PUT", PodAt(), *server.Ask("GET", PodAt()).body).status, 200);
}

TEST(PodResize, IsTheOnlyWay) {
  TestServer server;
  ASSERT_EQ(server.Ask("POST", std::string(kPods), PodWith()).status, 201);
  EXPECT_EQ(server.Ask("PATCH strategic-merge", PodAt(), CpuOf("containers", "c", "2")).status,
            422);
}

TEST(PodResize, RefusalsAreUpstreams) {
  const struct {
    const char* why;
    std::string patch;
    std::string message;
  } rows[] = {
      {"no other class of service",
       R"({"spec":{"containers":[{"name":"c","resources":{"limits":)"
       R"({"cpu":"1","memory":"1Gi"}}}],"initContainers":[)"
       R"({"name":"i","resources":{"limits":{"cpu":"1","memory":"1Gi"}}},)"
       R"({"name":"s","resources":{"limits":{"cpu":"1","memory":"1Gi"}}}]}})",
       R"(Pod "p" is invalid: spec: Invalid value: "Burstable": Pod QOS Class may not change as a result of resizing)"},
      {"nothing is taken away",
       R"({"spec":{"containers":[{"name":"c","resources":{"limits":{"cpu":null}}}]}})",
       R"(Pod "p" is invalid: spec.containers[0].resources.limits: Forbidden: resource limits cannot be removed)"},
      {"no other amounts",
       R"({"spec":{"containers":[{"name":"c","resources":{"requests":{"ephemeral-storage":"1Gi"}}}]}})",
       R"(Pod "p" is invalid: spec: Forbidden: only cpu and memory resources are mutable)"},
      {"no other containers", R"({"spec":{"containers":[{"name":"d","image":"i"}]}})",
       R"(Pod "p" is invalid: spec.containers: Forbidden: containers may not be added or removed on resize)"},
      {"amounts are amounts", CpuOf("containers", "c", "3"),
       R"(Pod "p" is invalid: spec.containers[0].resources.requests: Invalid value: "3": must be less than or equal to cpu limit of 2)"},
  };
  TestServer server;
  ASSERT_EQ(server.Ask("POST", std::string(kPods), PodWith()).status, 201);
  for (const auto& row : rows) {
    const net::Response answer = server.Ask("PATCH strategic-merge", PodAt("/resize"), row.patch);
    EXPECT_EQ(answer.status, 422) << row.why;
    EXPECT_EQ(Pick(*answer.body, ".message"), row.message) << row.why;
  }
}

TEST(PodResize, NeedsANodeThatResizes) {
  TestServer server;
  ASSERT_EQ(server.Ask("POST", std::string(kPods), PodWith()).status, 201);
  ASSERT_EQ(
      server
          .Ask("PATCH merge", PodAt("/status"),
               R"({"status":{"containerStatuses":[{"name":"c","state":{"running":{}},"image":"i",)"
               R"("imageID":"i","ready":true,"restartCount":0}]}})")
          .status,
      200);
  const net::Response answer =
      server.Ask("PATCH strategic-merge", PodAt("/resize"), CpuOf("containers", "c", "2"));
  EXPECT_EQ(
      Pick(*answer.body, ".message"),
      R"(Pod "p" is invalid: spec: Forbidden: Pod running on node without support for resize)");
}

// What the pod asks for as a whole must go on covering what its devices take from the node.
TEST(PodResize, TheWholeCoversWhatDevicesTake) {
  TestServer server(WithGates({"DRANodeAllocatableResources"}));
  ASSERT_EQ(
      server
          .Ask(
              "POST", std::string(kPods),
              R"({"metadata":{"name":"p"},"spec":{"resources":{"requests":{"cpu":"6"},"limits":{"cpu":"8"}},)"
              R"("containers":[{"name":"c","image":"i","resources":{"requests":{"cpu":"1"},"limits":{"cpu":"2"},)"
              R"("claims":[{"name":"g"}]}}],"resourceClaims":[{"name":"g","resourceClaimName":"g"}]}})")
          .status,
      201);
  ASSERT_EQ(
      server
          .Ask(
              "PATCH strategic-merge", PodAt("/status"),
              R"({"status":{"nodeAllocatableResourceClaimStatuses":[{"resourceClaimName":"g","containers":["c"],)"
              R"("mapping":[{"name":"cpu","quantity":"4"}],"overhead":[{"name":"cpu","perContainer":"500m"}]}]}})")
          .status,
      200);
  const struct {
    const char* why;
    std::string patch;
    int status;
    std::string message;
  } rows[] = {
      {"5.5 in all fit into 5.5", R"({"spec":{"resources":{"requests":{"cpu":"5500m"}}}})", 200,
       ""},
      {"but not into 5", R"({"spec":{"resources":{"requests":{"cpu":"5"}}}})", 422,
       "pod level request for cpu is insufficient to cover the aggregated container and "
       "node-allocatable DRA requests"},
      {"nor more of the container", CpuOf("containers", "c", "2"), 422,
       "pod level request for cpu is insufficient to cover the aggregated container and "
       "node-allocatable DRA requests"},
      {"2 and 4.5 do not fit below 6", R"({"spec":{"resources":{"limits":{"cpu":"6"}}}})", 422,
       "pod level limit for cpu is insufficient to cover the limit and DRA overhead for container "
       "c"},
      {"what was asked for stays", R"({"spec":{"resources":{"limits":{"cpu":null}}}})", 422,
       "pod-level resource limits cannot be removed"},
  };
  for (const auto& row : rows) {
    const net::Response answer = server.Ask("PATCH strategic-merge", PodAt("/resize"), row.patch);
    EXPECT_EQ(answer.status, row.status) << row.why << ": " << *answer.body;
    EXPECT_NE(answer.body->find(row.message), std::string::npos) << row.why << ": " << *answer.body;
  }
}

}  // namespace
}  // namespace quadra::apiserver
