#include "validation/pod.h"

#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "validation/pod_fixture.h"

namespace quadra::validation {
namespace {

const std::string kLabel =
    "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and "
    "must start and end with "
    "an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is "
    "'[a-z0-9]([-a-z0-9]*[a-z0-9])?')";
const std::string kSubdomain =
    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or "
    "'.', and must start and "
    "end with an alphanumeric character (e.g. 'example.com', regex used for validation is "
    "'[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
const std::string kImmutable =
    "spec: Forbidden: pod updates may not change fields other than "
    "`spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec."
    "tolerations` (only "
    "additions to existing tolerations),`spec.terminationGracePeriodSeconds` (allow it to be set "
    "to 1 if it was "
    "previously negative)";

struct SpecRow {
  std::string_view what;
  std::string spec;
  Texts errors;
};

// A spec whose one container has these resources and which lists claim `a`.
std::string WithResources(std::string_view resources) {
  return fmt::format(
      R"({{"resourceClaims":[{{"name":"a","resourceClaimName":"c"}}],"containers":[{{"name":"m","resources":{}}}]}})",
      resources);
}
std::string WithClaims(std::string_view claims) {
  return fmt::format(R"({{"resourceClaims":{}}})", claims);
}

void ExpectOnCreate(const std::vector<SpecRow>& rows) {
  for (const SpecRow& row : rows) {
    api::Pod pod = PodOf(row.spec);
    EXPECT_EQ(TextsOf(Validate({.operation = Operation::kCreate}, pod)), row.errors) << row.what;
  }
}

TEST(PodTest, JudgesClaimsOfThePod) {
  ExpectOnCreate({
      {"one of each kind is fine",
       WithClaims(
           R"([{"name":"a","resourceClaimName":"c"},{"name":"b","resourceClaimTemplateName":"t"}])"),
       {}},
      {"a name is needed",
       WithClaims(R"([{"name":"","resourceClaimName":"c"}])"),
       {"spec.resourceClaims[0].name: Required value"}},
      {"the name is a label, and something must be named",
       WithClaims(R"([{"name":"A"}])"),
       {"spec.resourceClaims[0].name: Invalid value: \"A\": " + kLabel,
        "spec.resourceClaims[0]: Invalid value: "
        R"({"Name":"A","ResourceClaimName":null,"ResourceClaimTemplateName":null}: )"
        "must specify one of: `resourceClaimName`, `resourceClaimTemplateName`"}},
      {"not both, object names are subdomains, names are unique",
       WithClaims(R"([{"name":"a","resourceClaimName":"X_","resourceClaimTemplateName":""},
                      {"name":"a","resourceClaimTemplateName":"t"}])"),
       {"spec.resourceClaims[0]: Invalid value: "
        R"({"Name":"a","ResourceClaimName":"X_","ResourceClaimTemplateName":""}: )"
        "at most one of `resourceClaimName` or `resourceClaimTemplateName` may be specified",
        "spec.resourceClaims[0].resourceClaimName: Invalid value: \"X_\": " + kSubdomain,
        "spec.resourceClaims[0].resourceClaimTemplateName: Invalid value: \"\": " + kSubdomain,
        "spec.resourceClaims[1].name: Duplicate value: \"a\""}},
  });
}

TEST(PodTest, JudgesClaimsOfContainers) {
  const std::string at = "spec.containers[0].resources.claims";
  ExpectOnCreate({
      {"a whole claim", WithResources(R"({"claims":[{"name":"a"}]})"), {}},
      {"parts of a claim",
       WithResources(R"({"claims":[{"name":"a","request":"r"},{"name":"a","request":"s"}]})"),
       {}},
      {"nothing to refer to",
       R"({"containers":[{"name":"m","resources":{"claims":[{"name":"x"}]}}]})",
       {at + "[0]: Not found: \"x\": must be one of the names in pod.spec.resourceClaims which is "
             "empty"}},
      {"a part after the whole; no name; a bad part of an unknown claim",
       WithResources(
           R"({"claims":[{"name":"a"},{"name":"a","request":"r"},{"name":""},{"name":"b","request":"R"}]})"),
       {at + "[1]: Duplicate value: \"a\"", at + "[2]: Required value",
        at + "[3].request: Invalid value: \"R\": " + kLabel,
        at + "[3]: Not found: \"b\": must be one of the names in pod.spec.resourceClaims: a"}},
      {"a part twice; the whole after parts is reported once",
       WithResources(
           R"({"claims":[{"name":"a","request":"r"},{"name":"a","request":"s"},{"name":"a","request":"r"},
                                   {"name":"a"}]})"),
       {at + "[2]: Duplicate value: \"a/r\"", at + "[3]: Duplicate value: \"a\""}},
      {"init containers too",
       R"({"initContainers":[{"name":"i","resources":{"claims":[{"name":"x"}]}}]})",
       {"spec.initContainers[0].resources.claims[0]: Not found: \"x\": must be one of the names in "
        "pod.spec.resourceClaims which is empty"}},
      {"ephemeral containers have no resources, not even empty ones",
       R"({"ephemeralContainers":[{"name":"e","resources":{"claims":[]}},{"name":"f"}]})",
       {"spec.ephemeralContainers[0].resources: Forbidden: cannot be set for an Ephemeral "
        "Container"}},
      {"the pod's own resources have no claims, not even none",
       R"({"resources":{"claims":[]}})",
       {"spec.resources.claims: Forbidden: claims may not be set for Resources at pod-level"}},
  });
}

TEST(PodTest, JudgesAmounts) {
  const std::string at = "spec.containers[0].resources";
  ExpectOnCreate({
      {"a device class may be asked for in parts and without limit",
       WithResources(R"({"requests":{"deviceclass.resource.kubernetes.io/gpu":"1500m"}})"),
       {}},
      {"a request that is not given equals its limit",
       WithResources(R"({"limits":{"example.com/gpu":"1"}})"),
       {}},
      {"an extended resource needs a limit",
       WithResources(R"({"requests":{"example.com/gpu":"1"}})"),
       {at + ".limits: Required value: Limit must be set for non overcommitable resources"}},
      {"an extended resource is counted in whole ones, and its limit is its request",
       WithResources(R"({"requests":{"example.com/gpu":"1"},"limits":{"example.com/gpu":"1.5"}})"),
       {at + ".limits[example.com/gpu]: Invalid value: \"1500m\": must be an integer",
        at + ".requests: Invalid value: \"1\": must be equal to example.com/gpu limit of 1500m"}},
      {"a request exceeds its limit",
       WithResources(R"({"requests":{"cpu":"2"},"limits":{"cpu":"1"}})"),
       {at + ".requests: Invalid value: \"2\": must be less than or equal to cpu limit of 1"}},
      {"amounts are not negative",
       WithResources(R"({"requests":{"cpu":"-1"}})"),
       {at + ".requests[cpu]: Invalid value: \"-1\": must be greater than or equal to 0"}},
      {"names of one word are Kubernetes' own",
       WithResources(R"({"requests":{"gpu":"1"}})"),
       {at + ".requests[gpu]: Invalid value: \"gpu\": must be a standard resource for containers",
        at + ".requests[gpu]: Invalid value: \"gpu\": must be a standard resource type or fully "
             "qualified"}},
      {"quota's names are no resources",
       WithResources(R"({"requests":{"requests.example.com/gpu":"1"}})"),
       {at + ".limits: Required value: Limit must be set for non overcommitable resources",
        at + ".requests[requests.example.com/gpu]: Invalid value: \"requests.example.com/gpu\": "
             "doesn't follow "
             "extended resource name standard"}},
      {"huge pages come whole, beside cpu or memory",
       WithResources(R"({"limits":{"hugepages-2Mi":"3Mi"}})"),
       {at + ".limits[hugepages-2Mi]: Invalid value: \"3Mi\": 3Mi is not positive integer multiple "
             "of hugepages-2Mi",
        at + ".requests[hugepages-2Mi]: Invalid value: \"3Mi\": 3Mi is not positive integer "
             "multiple of hugepages-2Mi",
        at + ": Forbidden: HugePages require cpu or memory"}},
  });
}

TEST(PodTest, RefusesClaimsOfStaticPods) {
  api::Pod pod = PodOf(WithClaims(R"([{"name":""},{"name":"a"}])"), "{}",
                       R"({"name":"p","annotations":{"kubernetes.io/config.mirror":"x"}})");
  EXPECT_EQ(TextsOf(Validate({.operation = Operation::kCreate}, pod)),
            Texts{"[]: Forbidden: static pods do not support resource claims"});
}

TEST(PodTest, ClosedGateHidesResourcesOfThePod) {
  Request request{.operation = Operation::kCreate};
  ASSERT_TRUE(request.gates.Set("PodLevelResources", false));
  api::Pod pod = PodOf(R"({"resources":{"claims":[{"name":"x"}]}})");
  EXPECT_EQ(TextsOf(Validate(request, pod)), Texts{});
  EXPECT_FALSE(pod.spec.resources);
}

TEST(PodTest, ForgetsStatusOnCreate) {
  api::Pod pod = PodOf("{}", R"({"phase":"Running","resourceClaimStatuses":[{"name":"nowhere"}]})");
  EXPECT_EQ(TextsOf(Validate({.operation = Operation::kCreate}, pod)), Texts{});
  EXPECT_EQ(pod.status, api::PodStatus{.phase = "Pending"});
}

struct UpdateRow {
  std::string_view what;
  std::string old_spec;
  std::string spec;
  Texts errors;
};

TEST(PodTest, UpdatesKeepClaimsAndResources) {
  const std::string claim = R"("resourceClaims":[{"name":"a","resourceClaimName":"c"}])";
  const UpdateRow rows[] = {
      {"nothing changed", "{" + claim + "}", "{" + claim + "}", {}},
      {"equal amounts and empty lists are no change",
       R"({"containers":[{"name":"m","resources":{"limits":{"cpu":"1"}}}]})",
       R"({"containers":[{"name":"m","resources":{"limits":{"cpu":"1000m"},"claims":[]}}],"resourceClaims":[]})",
       {}},
      {"images may change",
       R"({"containers":[{"name":"m","image":"1"}]})",
       R"({"containers":[{"name":"m","image":"2"}]})",
       {}},
      {"a claim came", "{}", "{" + claim + "}", {kImmutable}},
      {"a container came to use a claim",
       "{" + claim + R"(,"containers":[{"name":"m"}]})",
       "{" + claim + R"(,"containers":[{"name":"m","resources":{"claims":[{"name":"a"}]}}]})",
       {kImmutable}},
      {"the pod's own resources are kept when left out",
       R"({"resources":{"limits":{"cpu":"1"}}})",
       "{}",
       {}},
      {"the pod's own resources may not change",
       R"({"resources":{"limits":{"cpu":"1"}}})",
       R"({"resources":{"limits":{"cpu":"2"}}})",
       {kImmutable}},
      {"other containers are refused as such, which is not judged here",
       R"({"containers":[{"name":"m"}]})",
       R"({"containers":[{"name":"m"},{"name":"n"}]})",
       {}},
      {"the new spec is judged as well",
       R"({"containers":[{"name":"m"}]})",
       R"({"containers":[{"name":"m","resources":{"claims":[{"name":""}]}}]})",
       {"spec.containers[0].resources.claims[0]: Required value", kImmutable}},
      {"parts of huge pages stay when they were there",
       R"({"containers":[{"name":"m","resources":{"limits":{"hugepages-2Mi":"3Mi","cpu":"1"}}}]})",
       R"({"containers":[{"name":"m","resources":{"limits":{"hugepages-2Mi":"3Mi","cpu":"1"}}}]})",
       {}},
  };
  for (const UpdateRow& row : rows) {
    const api::Pod old = PodOf(row.old_spec);
    api::Pod pod = PodOf(row.spec);
    EXPECT_EQ(TextsOf(Validate({.operation = Operation::kUpdate}, pod, &old)), row.errors)
        << row.what;
  }
}

}  // namespace
}  // namespace quadra::validation
