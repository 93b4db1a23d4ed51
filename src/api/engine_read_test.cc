#include "api/engine_read.h"

#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "api/old_mappings.h"

namespace quadra::api {
namespace {

std::string Slice(std::string_view version, std::string_view device) {
  return R"({"apiVersion":"resource.k8s.io/)" + std::string(version) +
         R"(","kind":"ResourceSlice","metadata":{},"spec":{"devices":[)" + std::string(device) +
         "]}}";
}

TEST(DecodeSliceForEngine, ReadsTheMappingsOfKubernetes136) {
  const struct {
    const char* why;
    std::string slice;
    const char* resources;  // of the device, as 1.37 writes them
  } rows[] = {
      {"without a key the multiplier counts devices",
       Slice(
           "v1",
           R"({"name":"d","nodeAllocatableResourceMappings":{"cpu":{"allocationMultiplier":"2"}}})"),
       R"({"mapping":{"deviceMultiplier":"2"}})"},
      {"with a key it multiplies that capacity",
       Slice(
           "v1beta2",
           R"({"name":"d","nodeAllocatableResourceMappings":{"cpu":{"capacityKey":"x/c","allocationMultiplier":2}}})"),
       R"({"mapping":{"capacityKey":"x/c","capacityMultiplier":"2"}})"},
      {"the multiplier defaults to 1",
       Slice("v1",
             R"({"name":"d","nodeAllocatableResourceMappings":{"cpu":{"capacityKey":"x/c"}}})"),
       R"({"mapping":{"capacityKey":"x/c","capacityMultiplier":"1"}})"},
      {"v1beta1 has it under basic",
       Slice(
           "v1beta1",
           R"({"name":"d","basic":{"nodeAllocatableResourceMappings":{"cpu":{"allocationMultiplier":"8"}}}})"),
       R"({"mapping":{"deviceMultiplier":"8"}})"},
      {"the proposal's first form",
       Slice(
           "v1",
           R"({"name":"d","nativeResourceMappings":{"cpu":{"quantityFrom":{"capacity":"x/c"}}}})"),
       R"({"mapping":{"capacityKey":"x/c","capacityMultiplier":"1"}})"},
      {"of fields that stand twice the last counts",
       R"({"apiVersion":"resource.k8s.io/v1","kind":"ResourceSlice","spec":{"devices":[]},"spec":)"
       R"({"devices":[{"nodeAllocatableResourceMappings":{"cpu":{}}}]}})",
       R"({"mapping":{"deviceMultiplier":"1"}})"},
      {"the new form wins",
       Slice("v1", R"({"name":"d","nodeAllocatableResources":{"cpu":{"overhead":{"perPod":"1"}}},)"
                   R"("nodeAllocatableResourceMappings":{"cpu":{"allocationMultiplier":"2"}}})"),
       R"({"overhead":{"perPod":"1"}})"},
  };
  for (const auto& row : rows) {
    const auto slice = DecodeSliceForEngine(row.slice);
    ASSERT_TRUE(slice) << row.why << ": " << slice.error().message;
    const auto* cpu = slice->spec.devices[0].node_allocatable_resources.Find("cpu");
    ASSERT_NE(cpu, nullptr) << row.why;
    EXPECT_EQ(EncodeJson(*cpu), row.resources) << row.why;
  }
}

TEST(DecodeSliceForEngine, RefusesWhatIsNoMapping) {
  const std::pair<const char*, DecodeError::Class> rows[] = {
      {R"({"allocationMultiplier":"two"})", DecodeError::Class::kValue},
      {"5", DecodeError::Class::kType},
  };
  for (const auto& [mapping, error_class] : rows) {
    const auto slice = DecodeSliceForEngine(Slice(
        "v1",
        fmt::format(R"({{"name":"d","nodeAllocatableResourceMappings":{{"cpu":{}}}}})", mapping)));
    ASSERT_FALSE(slice) << mapping;
    EXPECT_EQ(slice.error().error_class, error_class) << mapping;
  }
}

TEST(MayHaveOldMappings, SeesItHoweverItIsSpelled) {
  EXPECT_TRUE(MayHaveOldMappings(R"({"nodeAllocatableResourceMappings":{}})"));
  EXPECT_TRUE(MayHaveOldMappings(R"({"\u006eodeAllocatableResourceMappings":{}})"));
  EXPECT_FALSE(MayHaveOldMappings(R"({"nodeAllocatableResources":{}})"));
}

TEST(DecodeSliceForEngine, StrictDecodingCallsTheOldFormUnknown) {
  const auto object =
      DecodeJson(Slice("v1", R"({"name":"d","nodeAllocatableResourceMappings":{}})"));
  ASSERT_FALSE(object);
  EXPECT_EQ(object.error().message,
            R"(unknown field "spec.devices[0].nodeAllocatableResourceMappings")");
}

}  // namespace
}  // namespace quadra::api
