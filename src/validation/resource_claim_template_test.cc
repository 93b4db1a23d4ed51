#include <gtest/gtest.h>

#include "validation/claim_test_objects.h"

namespace quadra::validation {
namespace {

api::ResourceClaimTemplate Template() {
  api::ResourceClaimTemplate claim_template;
  claim_template.metadata = Meta("train", "team-a");
  claim_template.spec.spec = Claim().spec;
  return claim_template;
}

using TemplateRow = Row<api::ResourceClaimTemplate>;

const TemplateRow kCreateRows[] = {
    {"a good template", [](auto&) {}, {}},
    {"labels and annotations for its claims",
     [](auto& t) {
       t.spec.metadata.labels = {{"a", "b"}};
       t.spec.metadata.annotations = {{"c", "d"}};
     },
     {}},
    {"any other metadata",
     [](auto& t) {
       t.spec.metadata = Meta("a", "b");
       t.spec.metadata.finalizers.MakePresent();
       t.spec.metadata.creation_timestamp = Time();
     },
     {"spec.metadata.name: Forbidden: cannot be set",
      "spec.metadata.namespace: Forbidden: cannot be set",
      "spec.metadata.uID: Forbidden: cannot be set",
      "spec.metadata.resourceVersion: Forbidden: cannot be set",
      "spec.metadata.creationTimestamp: Forbidden: cannot be set",
      "spec.metadata.finalizers: Forbidden: cannot be set"}},
    {"rules of claims, one level deeper",
     [](auto& t) {
       t.spec.spec.devices.requests[0].exactly->allocation_mode = "Some";
       t.spec.spec.devices.constraints.emplace_back();
     },
     {"spec.spec.devices.constraints[0]: Required value: exactly one of \"matchAttribute\" or "
      "\"distinctAttribute\" is "
      "required, but multiple fields are set",
      "spec.spec.devices.requests[0].exactly.allocationMode: Unsupported value: \"Some\": "
      "supported values: \"All\", "
      "\"ExactCount\""}},
    {"admin access, at the path of a claim",
     [](auto& t) { t.spec.spec.devices.requests[0].exactly->admin_access = true; },
     {"spec.devices.requests[0].adminAccess: Forbidden: admin access to devices requires the "
      "`resource.kubernetes.io/admin-access: true` label on the containing namespace"}},
};

TEST(ResourceClaimTemplate, Create) {
  for (const TemplateRow& row : kCreateRows) {
    api::ResourceClaimTemplate claim_template = Template();
    row.change(claim_template);
    EXPECT_EQ(Shown(Validate({}, claim_template)), row.expected) << row.what;
  }
}

TEST(ResourceClaimTemplate, UpdateLooksIntoTheSpecAgain) {
  api::ResourceClaimTemplate old = Template();
  Given(old.spec.spec.devices.requests[0].exactly).allocation_mode = "Some";
  api::ResourceClaimTemplate same = old;
  EXPECT_EQ(Shown(Validate({.operation = Operation::kUpdate}, same, &old)),
            Errors{"spec.spec.devices.requests[0].exactly.allocationMode: Unsupported value: "
                   "\"Some\": supported "
                   "values: \"All\", \"ExactCount\""});
}

TEST(ResourceClaimTemplate, TheSpecIsImmutable) {
  const api::ResourceClaimTemplate old = Template();
  api::ResourceClaimTemplate changed;
  changed.metadata = old.metadata;
  EXPECT_EQ(
      Shown(Validate({.operation = Operation::kUpdate}, changed, &old)),
      Errors{
          R"(spec: Invalid value: {"Spec":{"Devices":{"Requests":null,"Constraints":null,"Config":null}}}: )"
          "field is immutable"});
}

TEST(ResourceClaimTemplate, DeclarativeRulesSkipRequestsThatAreStored) {
  api::ResourceClaimTemplate old = Template();
  Given(old.spec.spec.devices.requests[0].exactly).tolerations.emplace_back().op = "Has";
  api::ResourceClaimTemplate grown = old;
  grown.spec.spec.devices.requests.push_back(Wants("nic"));
  Given(grown.spec.spec.devices.requests[1].exactly).tolerations.emplace_back().op = "Has";
  const Errors errors = Shown(Validate({.operation = Operation::kUpdate}, grown, &old));
  ASSERT_EQ(errors.size(), 3U);
  EXPECT_TRUE(errors[0].starts_with(
      "spec.spec.devices.requests[0].exactly.tolerations[0].operator: Unsupported"));
  EXPECT_TRUE(errors[1].starts_with("spec: Invalid value: {"));
  EXPECT_TRUE(errors[2].starts_with(
      "spec.spec.devices.requests[1].exactly.tolerations[0].operator: Unsupported"));
}

TEST(ResourceClaimTemplate, GatesTakeFieldsAway) {
  Request request;
  ASSERT_TRUE(request.gates.Set("DRADeviceTaints", false));
  api::ResourceClaimTemplate claim_template = Template();
  Given(claim_template.spec.spec.devices.requests[0].exactly).tolerations.emplace_back();
  EXPECT_EQ(Validate(request, claim_template).dropped,
            Errors{"spec.spec.devices.requests[0].exactly.tolerations"});
}

}  // namespace
}  // namespace quadra::validation
