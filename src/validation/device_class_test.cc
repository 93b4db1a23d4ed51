#include <gtest/gtest.h>

#include "validation/claim_test_objects.h"

namespace quadra::validation {
namespace {

api::DeviceClass Class() {
  api::DeviceClass device_class;
  device_class.metadata = Meta("gpu.example.com", "");
  device_class.spec.selectors.emplace_back().cel = {"true"};
  device_class.spec.config.emplace_back().opaque = Opaque();
  return device_class;
}

using ClassRow = Row<api::DeviceClass>;

const ClassRow kCreateRows[] = {
    {"a good class", [](auto&) {}, {}},
    {"an empty class", [](auto& c) { c.spec = {}; }, {}},
    {"a name in upper case",
     [](auto& c) { c.metadata.name = "GPU"; },
     {Text({"metadata.name: Invalid value: \"GPU\": ", kBadSubdomain})}},
    {"no name",
     [](auto& c) { c.metadata.name = ""; },
     {"metadata.name: Required value: name or generateName is required"}},
    {"of a name to be generated only the outcome counts",
     [](auto& c) {
       c.metadata.name = "";
       c.metadata.generate_name = "GPU-";
     },
     {Text({"metadata.name: Invalid value: \"GPU-xxxxx\": ", kBadSubdomain})}},
    {"33 selectors",
     [](auto& c) {
       for (int i = 0; i < 32; ++i) {
         c.spec.selectors.emplace_back();
       }
     },
     {"spec.selectors: Too many: 33: must have at most 32 items"}},
    {"selector and configuration are required where listed",
     [](auto& c) {
       c.spec.selectors.emplace_back();
       c.spec.config.emplace_back();
     },
     {"spec.selectors[1].cel: Required value", "spec.config[1].opaque: Required value"}},
    {"an extended resource without domain",
     [](auto& c) { c.spec.extended_resource_name = "gpu"; },
     {"spec.extendedResourceName: Invalid value: \"gpu\": a name must be a domain-prefixed path, "
      "such as "
      "'example.com/my-prop'"}},
    {"an extended resource of Kubernetes",
     [](auto& c) { c.spec.extended_resource_name = "kubernetes.io/gpu"; },
     {"spec.extendedResourceName: Invalid value: \"kubernetes.io/gpu\": must not have "
      "\"kubernetes.io/\" domain"}},
    {"an extended resource that looks like quota",
     [](auto& c) { c.spec.extended_resource_name = "requests.example.com/gpu"; },
     {"spec.extendedResourceName: Invalid value: \"requests.example.com/gpu\": must not have "
      "\"requests.\" prefix"}},
    {"an extended resource that fits",
     [](auto& c) { c.spec.extended_resource_name = "example.com/gpu"; },
     {}},
};

TEST(DeviceClass, Create) {
  for (const ClassRow& row : kCreateRows) {
    api::DeviceClass device_class = Class();
    row.change(device_class);
    EXPECT_EQ(Shown(Validate({}, device_class)), row.expected) << row.what;
  }
}

TEST(DeviceClass, OrderOfDriverErrorsDependsOnTheVersion) {
  api::DeviceClass device_class = Class();
  Given(device_class.spec.config[0].opaque).driver = std::string(64, '_');
  const Errors v1 = Shown(Validate({.version = "v1"}, device_class));
  Errors v1beta2 = Shown(Validate({.version = "v1beta2"}, device_class));
  ASSERT_EQ(v1.size(), 2U);
  EXPECT_EQ(v1[1], "spec.config[0].opaque.driver: Too long: may not be more than 63 characters");
  std::swap(v1beta2[0], v1beta2[1]);
  EXPECT_EQ(v1, v1beta2);
}

// What no new class may have.
api::DeviceClass ClassOfThePast() {
  api::DeviceClass old = Class();
  Given(old.spec.selectors[0].cel).expression = std::string(10241, 'x');
  Given(old.spec.config[0].opaque).parameters.text = "{\"a\":\"" + std::string(10240, 'x') + "\"}";
  return old;
}

TEST(DeviceClass, StoredListsAreNotJudgedAgainUnlessTheyChange) {
  const api::DeviceClass old = ClassOfThePast();
  api::DeviceClass device_class = old;
  device_class.spec.extended_resource_name = "example.com/gpu";
  EXPECT_EQ(Shown(Validate({.operation = Operation::kUpdate}, device_class, &old)), Errors{});
  device_class.spec.selectors.emplace_back().cel = {"true"};
  device_class.spec.config.emplace_back().opaque = Opaque();
  EXPECT_EQ(
      Shown(Validate({.operation = Operation::kUpdate}, device_class, &old)),
      (Errors{"spec.selectors[0].cel.expression: Too long: may not be more than 10240 bytes",
              "spec.config[0].opaque.parameters: Too long: may not be more than 10240 bytes"}));
}

TEST(DeviceClass, UpdatesGenerateNoNames) {
  const api::DeviceClass old = Class();
  api::DeviceClass device_class = old;
  device_class.metadata.name = "";
  device_class.metadata.generate_name = "gpu-";
  EXPECT_EQ(Shown(Validate({.operation = Operation::kUpdate}, device_class, &old)),
            (Errors{"metadata.name: Required value: name or generateName is required",
                    "metadata.name: Invalid value: \"\": field is immutable",
                    "metadata.name: Internal error: generateName was specified (\"gpu-\"), but no "
                    "name was generated"}));
}

TEST(DeviceClass, GenerationCountsChangesOfTheSpec) {
  api::DeviceClass created = Class();
  Validate({}, created);
  EXPECT_EQ(created.metadata.generation, 1);

  api::DeviceClass same = created;
  same.metadata.resource_version = created.metadata.resource_version;
  same.metadata.generation = 7;
  Validate({.operation = Operation::kUpdate}, same, &created);
  EXPECT_EQ(same.metadata.generation, 1);
  same.spec.selectors.Reset();
  Validate({.operation = Operation::kUpdate}, same, &created);
  EXPECT_EQ(same.metadata.generation, 2);
}

}  // namespace
}  // namespace quadra::validation
