#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "validation/pod.h"
#include "validation/pod_fixture.h"

namespace quadra::validation {
namespace {

constexpr std::string_view kSpec = R"({
  "resourceClaims":[{"name":"a","resourceClaimName":"c"},{"name":"t","resourceClaimTemplateName":"x"}],
  "initContainers":[{"name":"init"}],
  "containers":[{"name":"main","resources":{"claims":[{"name":"a"},{"name":"t","request":"r"}],
                                            "limits":{"example.com/gpu":"1"}}}]})";

api::Pod PodWith(std::string_view status) { return PodOf(kSpec, status); }

struct Row {
  std::string_view what;
  std::string status;
  Texts errors;
  std::string old_status = "{}";
};

Request StatusWrite() {
  Request request{.operation = Operation::kStatus};
  EXPECT_TRUE(request.gates.Set("DRANodeAllocatableResources", true));
  return request;
}

void ExpectOnStatusWrite(const std::vector<Row>& rows) {
  for (const Row& row : rows) {
    const api::Pod old = PodWith(row.old_status);
    api::Pod pod = PodWith(row.status);
    EXPECT_EQ(TextsOf(Validate(StatusWrite(), pod, &old)), row.errors) << row.what;
  }
}

TEST(PodStatusTest, JudgesClaimStatuses) {
  const std::string at = "status.resourceClaimStatuses";
  ExpectOnStatusWrite({
      {"one per claim",
       R"({"resourceClaimStatuses":[{"name":"a","resourceClaimName":"c"},{"name":"t"}]})",
       {}},
      {"of claims of the spec, once each",
       R"({"resourceClaimStatuses":[{"name":"a"},{"name":"b"},{"name":"a"}]})",
       {at + "[1].name: Invalid value: \"b\": must match the name of an entry in "
             "`spec.resourceClaims`",
        at + "[2].name: Duplicate value: \"a\""}},
      {"the claim's name is a subdomain",
       R"({"resourceClaimStatuses":[{"name":"a","resourceClaimName":"a..b"}]})",
       {at + "[0].resourceClaimName: Invalid value: \"a..b\": a lowercase RFC 1123 subdomain must "
             "consist of lower case "
             "alphanumeric characters, '-' or '.', and must start and end with an alphanumeric "
             "character (e.g. "
             "'example.com', regex used for validation is "
             "'[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')"}},
      {"leaving the list out keeps it",
       "{}",
       {at +
        "[0].name: Invalid value: \"b\": must match the name of an entry in `spec.resourceClaims`"},
       R"({"resourceClaimStatuses":[{"name":"b"}]})"},
      {"an empty list clears it",
       R"({"resourceClaimStatuses":[]})",
       {},
       R"({"resourceClaimStatuses":[{"name":"b"}]})"},
  });
}

TEST(PodStatusTest, JudgesTheExtendedResourceClaim) {
  const std::string at = "status.extendedResourceClaimStatus";
  const std::string no_request =
      "must match the extended resource name of an entry in spec.initContainers.resources.requests "
      "or "
      "spec.containers.resources.requests";
  ExpectOnStatusWrite({
      {"a request for each container and resource",
       R"({"extendedResourceClaimStatus":{"resourceClaimName":"e","requestMappings":[
           {"containerName":"main","resourceName":"example.com/gpu","requestName":"r"}]}})",
       {}},
      {"nothing given",
       R"({"extendedResourceClaimStatus":{"resourceClaimName":"","requestMappings":[]}})",
       {at + ".requestMappings: Required value: at least one request mapping is required",
        at + ".resourceClaimName: Required value"}},
      {"unknown container; resource not asked for; three errors for a repetition",
       R"({"extendedResourceClaimStatus":{"resourceClaimName":"e","requestMappings":[
           {"containerName":"x","resourceName":"y","requestName":"r"},
           {"containerName":"init","resourceName":"y","requestName":"r"},
           {"containerName":"init","resourceName":"y","requestName":"r"}]}})",
       {at + ".requestMappings[0].containerName: Invalid value: \"x\": must match the name of an "
             "entry in "
             "spec.initContainers.name or spec.containers.name",
        at + ".requestMappings[1].resourceName: Invalid value: \"y\": " + no_request,
        at + ".requestMappings[2].resourceName: Invalid value: \"y\": " + no_request,
        at + ".requestMappings[2].containerName: Duplicate value: \"init\"",
        at + ".requestMappings[2].resourceName: Duplicate value: \"y\"",
        at + ".requestMappings[2].requestName: Duplicate value: \"r\""}},
      {"a bad request name is reported without index",
       R"({"extendedResourceClaimStatus":{"resourceClaimName":"e","requestMappings":[
           {"containerName":"main","resourceName":"example.com/gpu","requestName":"a.b"}]}})",
       {at + ".requestName: Invalid value: \"a.b\": must not contain dots"}},
  });
}

TEST(PodStatusTest, JudgesWhatClaimsTakeFromTheNode) {
  const std::string at = "status.nodeAllocatableResourceClaimStatuses";
  ExpectOnStatusWrite({
      {"of a claim the spec names",
       R"({"nodeAllocatableResourceClaimStatuses":[{"resourceClaimName":"c","containers":["main"],
           "mapping":[{"name":"cpu","quantity":"0"}],"overhead":[{"name":"hugepages-2Mi","perPod":"2Mi"}]}]})",
       {}},
      {"of a claim made from a template",
       R"({"resourceClaimStatuses":[{"name":"t","resourceClaimName":"t-1"}],
           "nodeAllocatableResourceClaimStatuses":[{"resourceClaimName":"t-1"}]})",
       {}},
      {"hand-written rules come first, then declarative ones",
       R"({"nodeAllocatableResourceClaimStatuses":[
           {"resourceClaimName":"z","containers":["m","m"],
            "mapping":[{"name":"cpu","quantity":"-1"},{"name":"cpu"},{"name":"","quantity":"1"}],
            "overhead":[{"name":"gpu"},{"name":"memory","perPod":"-1","perContainer":"-2"}]},
           {"resourceClaimName":""},{"resourceClaimName":""}]})",
       {at + "[0].resourceClaimName: Invalid value: \"z\": no mapping found in pod reference",
        at + "[0].mapping[0].quantity: Invalid value: \"-1\": must be non-negative",
        at + "[0].mapping[2].name: Invalid value: \"\": must be a node allocatable resource name",
        at + "[0].overhead[0].name: Invalid value: \"gpu\": must be a node allocatable resource "
             "name",
        at + "[0].overhead[0]: Invalid value: \"\": at least one of perPod or perContainer must be "
             "set",
        at + "[0].overhead[1].perPod: Invalid value: \"-1\": must be non-negative",
        at + "[0].overhead[1].perContainer: Invalid value: \"-2\": must be non-negative",
        at + R"([2]: Duplicate value: {"resourceClaimName":""})",
        at + "[0].containers[1]: Duplicate value: \"m\"",
        at + R"([0].mapping[1]: Duplicate value: {"name":"cpu","quantity":null})",
        at + "[0].mapping[1].quantity: Required value", at + "[0].mapping[2].name: Required value",
        at + "[1].resourceClaimName: Required value",
        at + "[2].resourceClaimName: Required value"}},
      {"declarative rules leave alone what did not change",
       R"({"nodeAllocatableResourceClaimStatuses":[{"resourceClaimName":"c","mapping":[{"name":"cpu"}]},
                                                   {"resourceClaimName":"c"}]})",
       {at + R"([1]: Duplicate value: {"resourceClaimName":"c"})"},
       R"({"nodeAllocatableResourceClaimStatuses":[{"resourceClaimName":"c","mapping":[{"name":"cpu"}]}]})"},
  });
}

std::string Health(std::string_view resources, std::string_view list = "containerStatuses",
                   std::string_view container = "main") {
  return fmt::format(
      R"("{}":[{{"name":"{}","ready":true,"restartCount":0,"image":"","imageID":"","allocatedResourcesStatus":{}}}])",
      list, container, resources);
}

TEST(PodStatusTest, JudgesHealth) {
  const std::string at = "status.containerStatuses[0].allocatedResourcesStatus";
  const std::string no_claim =
      "must match one of the container's resource claims as 'claim:<claimName>/<requestName>' when "
      "container.resources.claims[*].request is set or 'claim:<claimName>' when it is empty";
  ExpectOnStatusWrite({
      {"of claims, requests and resources the container has",
       "{" + Health(R"([{"name":"claim:a"},{"name":"claim:t/r"},{"name":"example.com/gpu"}])") +
           "}",
       {}},
      {"of others",
       "{" + Health(R"([{"name":"claim:t"},{"name":"claim:a/r"},{"name":"cpu"}])") + "}",
       {at + "[0].name: Invalid value: \"claim:t\": " + no_claim,
        at + "[1].name: Invalid value: \"claim:a/r\": " + no_claim,
        at + "[2].name: Invalid value: \"cpu\": must match one of the container's resource "
             "requests"}},
      {"of a request for extended resources",
       "{" + Health(R"([{"name":"claim:e/q"},{"name":"claim:e/other"},{"name":"claim:e"}])") +
           R"(,"extendedResourceClaimStatus":{"resourceClaimName":"e","requestMappings":[
               {"containerName":"main","resourceName":"example.com/gpu","requestName":"q"}]}})",
       {at + "[1].name: Invalid value: \"claim:e/other\": " + no_claim,
        at + "[2].name: Invalid value: \"claim:e\": " + no_claim}},
      {"values and messages",
       "{" +
           Health(fmt::format(
               R"([{{"name":"claim:a","resources":[{{"resourceID":"1","health":"Bad","message":""}},
                                  {{"resourceID":"1","health":"Healthy","message":"{}"}}]}}])",
               std::string(1025, 'm'))) +
           "}",
       {at +
            R"([0].resources[0].health: Unsupported value: "Bad": supported values: "Healthy", "Unhealthy", "Unknown")",
        at + "[0].resources[0].message: Required value: must be non-empty if specified",
        at + "[0].resources[1].message: Too long: may not be more than 1024 bytes",
        at + "[0].resources[1].resourceID: Duplicate value: \"1\""}},
      {"names of a container that is not in the spec are not judged",
       "{" + Health(R"([{"name":"claim:x"}])", "containerStatuses", "gone") + "}",
       {}},
      {"init containers have their own list",
       "{" + Health(R"([{"name":"claim:a"}])", "initContainerStatuses", "init") + "}",
       {"status.initContainerStatuses[0].allocatedResourcesStatus[0].name: Invalid value: "
        "\"claim:a\": " +
        no_claim}},
      {"ephemeral containers hold nothing",
       "{" + Health(R"([{"name":"claim:a"}])", "ephemeralContainerStatuses", "e") + "}",
       {"status.ephemeralContainerStatuses[0].allocatedResourcesStatus: Forbidden: must not be "
        "specified in container "
        "status"}},
  });
}

struct GateRow {
  std::string_view what;
  std::vector<std::string_view> closed;
  std::string status;
  std::string old_status;
  Texts dropped;
};

TEST(PodStatusTest, ClosedGatesDropWhatTheStoredPodDoesNotUse) {
  const std::string health = Health(
      R"([{"name":"claim:a","resources":[{"resourceID":"1","health":"Healthy","message":"m"}]}])");
  const std::string plain =
      Health(R"([{"name":"claim:a","resources":[{"resourceID":"1","health":"Healthy"}]}])");
  const std::string node = R"("nodeAllocatableResourceClaimStatuses":[{"resourceClaimName":"c"}])";
  const GateRow rows[] = {
      {"all open", {}, "{" + health + "," + node + "}", "{}", {}},
      {"node allocatable resources are closed by default",
       {"DRANodeAllocatableResources"},
       "{" + node + "}",
       "{}",
       {"status.nodeAllocatableResourceClaimStatuses"}},
      {"health",
       {"ResourceHealthStatus"},
       "{" + health + "}",
       "{}",
       {"status.containerStatuses[0].allocatedResourcesStatus"}},
      {"messages of health",
       {"ResourceHealthStatusMessage"},
       "{" + health + "}",
       "{" + plain + "}",
       {"status.containerStatuses[0].allocatedResourcesStatus[0].resources[0].message"}},
      {"what is used already stays",
       {"ResourceHealthStatus", "ResourceHealthStatusMessage", "DRANodeAllocatableResources"},
       "{" + health + "," + node + "}",
       "{" + health + "," + node + "}",
       {}},
  };
  for (const GateRow& row : rows) {
    Request request = StatusWrite();
    for (const std::string_view gate : row.closed) {
      ASSERT_TRUE(request.gates.Set(gate, false));
    }
    const api::Pod old = PodWith(row.old_status);
    api::Pod pod = PodWith(row.status);
    const Outcome outcome = Validate(request, pod, &old);
    EXPECT_EQ(outcome.dropped, row.dropped) << row.what;
    EXPECT_EQ(TextsOf(outcome), Texts{}) << row.what;
  }
}

}  // namespace
}  // namespace quadra::validation
