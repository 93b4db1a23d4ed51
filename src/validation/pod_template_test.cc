#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "validation/pod.h"
#include "validation/pod_fixture.h"

namespace quadra::validation {
namespace {

Workload WorkloadOf(const WorkloadKind* kind, std::string_view spec) {
  return {.kind = kind,
          .metadata = {.name = "w", .ns = "default", .resource_version = "1"},
          .pod_template = {.spec = PodOf(spec).spec}};
}

constexpr std::string_view kGood = R"({"resourceClaims":[{"name":"a","resourceClaimName":"c"}]})";
constexpr std::string_view kBad =
    R"({"containers":[{"name":"m","resources":{"claims":[{"name":"x"}]}}]})";

Texts BadAt(const std::string& path) {
  return {path +
          ".spec.containers[0].resources.claims[0]: Not found: \"x\": must be one of the names in "
          "pod.spec.resourceClaims which is empty"};
}

struct KindRow {
  std::string_view api_version;
  std::string_view kind;
  std::string path;
  bool tolerates_stored = false;
};
const KindRow kRows[] = {
    {"apps/v1", "Deployment", "spec.template"},
    {"apps/v1", "ReplicaSet", "spec.template"},
    {"apps/v1", "StatefulSet", "spec.template", true},
    {"apps/v1", "DaemonSet", "spec.template"},
    {"batch/v1", "Job", "spec.template"},
    {"batch/v1", "CronJob", "spec.jobTemplate.spec.template"},
    {"v1", "ReplicationController", "spec.template"},
    {"v1", "PodTemplate", "template"},
};

TEST(PodTemplateTest, JudgesTemplatesOfAllKinds) {
  for (const KindRow& row : kRows) {
    const WorkloadKind* kind = FindWorkloadKind(row.api_version, row.kind);
    ASSERT_NE(kind, nullptr) << row.kind;
    Workload good = WorkloadOf(kind, kGood);
    EXPECT_EQ(TextsOf(Validate({.operation = Operation::kCreate}, good)), Texts{}) << row.kind;
    Workload bad = WorkloadOf(kind, kBad);
    EXPECT_EQ(TextsOf(Validate({.operation = Operation::kCreate}, bad)), BadAt(row.path))
        << row.kind;
    const Workload old = WorkloadOf(kind, kGood);
    EXPECT_EQ(TextsOf(Validate({.operation = Operation::kUpdate}, bad, &old)), BadAt(row.path))
        << row.kind;
  }
}

TEST(PodTemplateTest, OnlyStatefulSetsTolerateABadStoredTemplate) {
  for (const KindRow& row : kRows) {
    const WorkloadKind* kind = FindWorkloadKind(row.api_version, row.kind);
    const Workload old = WorkloadOf(kind, kBad);
    Workload same = WorkloadOf(kind, kBad);
    EXPECT_EQ(TextsOf(Validate({.operation = Operation::kUpdate}, same, &old)),
              row.tolerates_stored ? Texts{} : BadAt(row.path))
        << row.kind;
  }
}

TEST(PodTemplateTest, StatusWritesKeepTheTemplate) {
  const WorkloadKind* kind = FindWorkloadKind("apps/v1", "Deployment");
  const Workload old = WorkloadOf(kind, kGood);
  Workload written = WorkloadOf(kind, kBad);
  EXPECT_EQ(TextsOf(Validate({.operation = Operation::kStatus}, written, &old)), Texts{});
  EXPECT_EQ(written.pod_template, old.pod_template);
}

// A template's requests are not filled in from limits: that happens when a pod is made of it.
TEST(PodTemplateTest, LeavesRequestsAsTheyAre) {
  Workload workload =
      WorkloadOf(FindWorkloadKind("batch/v1", "Job"),
                 R"({"containers":[{"name":"m","resources":{"limits":{"example.com/gpu":"1"}}}]})");
  EXPECT_EQ(TextsOf(Validate({.operation = Operation::kCreate}, workload)), Texts{});
  EXPECT_TRUE(workload.pod_template.spec.containers[0].resources.requests.is_nil());
}

TEST(PodTemplateTest, RefusesStaleUpdates) {
  const WorkloadKind* kind = FindWorkloadKind("apps/v1", "Deployment");
  const Workload old = WorkloadOf(kind, kGood);
  Workload stale = WorkloadOf(kind, kGood);
  stale.metadata.resource_version = "2";
  EXPECT_EQ(TextsOf(Validate({.operation = Operation::kUpdate}, stale, &old)),
            Texts{": Operation cannot be fulfilled on deployments.apps \"w\": the object has been "
                  "modified; please "
                  "apply your changes to the latest version and try again"});
}

TEST(PodTemplateTest, KnowsNoOtherKinds) {
  EXPECT_EQ(FindWorkloadKind("v1", "Pod"), nullptr);
  EXPECT_EQ(FindWorkloadKind("apps/v1", "Job"), nullptr);
}

}  // namespace
}  // namespace quadra::validation
