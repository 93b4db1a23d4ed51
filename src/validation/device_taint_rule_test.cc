#include <chrono>

#include <gtest/gtest.h>

#include "validation/expectations.h"
#include "validation/validate.h"

namespace quadra::validation {
namespace {

using api::DeviceTaintRule;

const Time kThen = std::chrono::sys_days(std::chrono::year(2026) / 8 / 1);
const Time kNow = kThen + std::chrono::hours(1) + std::chrono::milliseconds(5);

DeviceTaintRule Good() {
  DeviceTaintRule rule;
  rule.metadata.name = "rule";
  rule.metadata.resource_version = "1";
  rule.metadata.generation = 3;
  rule.spec.device_selector.emplace().driver = "gpu.example.com";
  rule.spec.taint = {.key = "k", .effect = "NoExecute", .time_added = kThen};
  return rule;
}

TEST(DeviceTaintRule, IsJudgedOnCreate) {
  const Row<DeviceTaintRule> rows[] = {
      {"good", [](DeviceTaintRule&) {}, {}},
      {"empty parts",
       [](DeviceTaintRule& r) {
         r.spec.device_selector =
             api::DeviceTaintSelector{.driver = "", .pool = "", .device = "gpu.0"};
         r.spec.taint.effect = "";
       },
       {"spec.deviceSelector.driver: Required value", "spec.deviceSelector.pool: Required value",
        "spec.deviceSelector.device: Invalid value: \"gpu.0\": must not contain dots",
        "spec.taint.effect: Required value"}},
  };
  for (const Row<DeviceTaintRule>& row : rows) {
    DeviceTaintRule rule = Good();
    row.change(rule);
    EXPECT_EQ(Texts(Validate({}, rule).errors), row.expected) << row.what;
  }
}

TEST(DeviceTaintRule, MayBeReplacedUnseenInOldVersionsOnly) {
  const DeviceTaintRule old = Good();
  for (const char* version : {"v1", "v1beta2", "v1alpha3"}) {
    DeviceTaintRule rule = Good();
    rule.metadata.resource_version = "";
    const auto texts =
        Texts(Validate({.operation = Operation::kUpdate, .version = version}, rule, &old).errors);
    EXPECT_EQ(texts, version == std::string("v1")
                         ? std::vector<std::string>{"metadata.resourceVersion: Invalid value: 0: "
                                                    "must be specified for an "
                                                    "update"}
                         : std::vector<std::string>())
        << version;
  }
}

TEST(DeviceTaintRule, RestartsTheClockWithTheEffect) {
  const DeviceTaintRule old = Good();
  DeviceTaintRule rule = Good();
  rule.spec.taint.effect = "NoSchedule";
  EXPECT_TRUE(Validate({.operation = Operation::kUpdate, .now = kNow}, rule, &old).errors.empty());
  EXPECT_EQ(rule.spec.taint.time_added, kThen + std::chrono::hours(1));
  EXPECT_EQ(rule.metadata.generation, 4);
}

TEST(DeviceTaintRule, HasAStatusOfItsOwn) {
  const DeviceTaintRule old = Good();
  DeviceTaintRule rule = Good();
  rule.spec.taint.effect = "ignored here";
  rule.metadata.labels["ignored"] = "here, too";
  for (int i = 0; i < 9; ++i) {
    rule.status.conditions.push_back({.type = "T" + std::to_string(i),
                                      .status = "True",
                                      .last_transition_time = kNow,
                                      .reason = "R"});
  }
  EXPECT_EQ(Texts(Validate({.operation = Operation::kStatus}, rule, &old).errors),
            std::vector<std::string>{"status.conditions: Too many: 9: must have at most 8 items"});
  EXPECT_EQ(rule.spec, old.spec);
}

}  // namespace
}  // namespace quadra::validation
