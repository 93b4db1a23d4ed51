#include "api/gates.h"

#include <string>

#include <gtest/gtest.h>

namespace quadra::api {
namespace {

TEST(FeatureGates, HaveTheDefaultsOf137) {
  const FeatureGates gates;
  EXPECT_TRUE(gates.Enabled(Gate::kDRADeviceTaints));
  EXPECT_TRUE(gates.Enabled(Gate::kDeclarativeValidationBeta));
  EXPECT_FALSE(gates.Enabled(Gate::kDRAListTypeAttributes));
  EXPECT_FALSE(gates.Enabled(Gate::kDRAFractionalCapacityRange));
  EXPECT_TRUE(gates.CheckDependencies().has_value());
}

TEST(FeatureGates, AreListedInTheOrderOfTheirNames) {
  for (std::size_t i = 1; i < kGateCount; ++i) {
    EXPECT_LT(GateName(static_cast<Gate>(i - 1)), GateName(static_cast<Gate>(i)));
  }
}

TEST(FeatureGates, ParseSetsGates) {
  const auto gates = FeatureGates::Parse(" DRADerivedAttributes = true ,,DRAConsumableCapacity=F");
  ASSERT_TRUE(gates.has_value()) << gates.error().ToString();
  EXPECT_TRUE(gates->Enabled(Gate::kDRADerivedAttributes));
  EXPECT_FALSE(gates->Enabled(Gate::kDRAConsumableCapacity));
}

TEST(FeatureGates, AllAlphaLeavesNamedOnesAlone) {
  const auto gates =
      FeatureGates::Parse("DRADerivedAttributes=false,AllAlpha=true,GenericWorkload=true");
  ASSERT_TRUE(gates.has_value()) << gates.error().ToString();
  EXPECT_TRUE(gates->Enabled(Gate::kDRAListTypeAttributes));
  EXPECT_FALSE(gates->Enabled(Gate::kDRADerivedAttributes));
}

TEST(FeatureGates, ThatConcernOthersAreAcceptedToo) {
  const auto gates = FeatureGates::Parse("WindowsHostNetwork=true,GracefulNodeShutdown=true");
  ASSERT_TRUE(gates.has_value()) << gates.error().ToString();
  EXPECT_TRUE(gates->Enabled(Gate::kWindowsHostNetwork));
}

TEST(FeatureGates, RefuseWithTheServersWords) {
  struct Row {
    std::string_view text, message;
  };
  const Row rows[] = {
      {"Nonsense=true", "unrecognized feature gate: Nonsense"},
      {"DRAAdminAccess=false",
       "cannot set feature gate DRAAdminAccess to false, feature is locked to true"},
      {"DRADeviceTaints", "missing bool value for DRADeviceTaints"},
      {"DRADeviceTaints=maybe",
       "invalid value of DRADeviceTaints=maybe, err: strconv.ParseBool: parsing \"maybe\": invalid "
       "syntax"},
      {"DRADeviceTaints=false",
       "DRADeviceTaintRules is enabled, but depends on features that are disabled: "
       "[DRADeviceTaints]"},
      {"DRAPartitionableDevicesType=true",
       "DRAPartitionableDevicesType is enabled, but depends on features that are disabled: "
       "[DRAResourcePoolStatus]"},
      {"AllAlpha=true,TopologyAwareWorkloadScheduling=false",
       "[CompositePodGroup is enabled, but depends on features that are disabled: "
       "[GenericWorkload TopologyAwareWorkloadScheduling], "
       "PodGroupPreemptionPolicy is enabled, but depends on features that are disabled: "
       "[GenericWorkload], "
       "WorkloadWithJob is enabled, but depends on features that are disabled: "
       "[GenericWorkload]]"},
  };
  for (const Row& row : rows) {
    const auto gates = FeatureGates::Parse(row.text);
    ASSERT_FALSE(gates.has_value()) << row.text;
    EXPECT_EQ(gates.error().message, row.message);
  }
}

}  // namespace
}  // namespace quadra::api
