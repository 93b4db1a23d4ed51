// FeatureGates: which features of Kubernetes 1.37 are on, as --feature-gates of kube-apiserver sets
// them.
//
// Known are the gates that dynamic resource allocation, or what it shares with pods, depends on. A
// value type: copy it, change it before use, then share it read-only.
//
//   QUADRA_TRY(const FeatureGates gates, FeatureGates::Parse("DRADeviceTaints=false"));
//   if (gates.Enabled(Gate::kDRADeviceTaints)) ...
#pragma once

#include <bitset>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/result.h"

namespace quadra::validation {

// In the order of their names.
enum class Gate : std::uint8_t {
  kDRAAdminAccess,
  kDRAConsumableCapacity,
  kDRADerivedAttributes,
  kDRADeviceBindingConditions,
  kDRADeviceCompatibilityGroups,
  kDRADeviceTaintRules,
  kDRADeviceTaints,
  kDRAExtendedResource,
  kDRAFractionalCapacityRange,
  kDRAListTypeAttributes,
  kDRANodeAllocatableResources,
  kDRAOptionalNodeOperations,
  kDRAPartitionableDevices,
  kDRAPartitionableDevicesType,
  kDRAPrioritizedList,
  kDRAResourceClaimDeviceStatus,
  kDRAResourceClaimGranularStatusAuthorization,
  kDRAResourcePoolStatus,
  kDRASchedulerFilterTimeout,
  kDRAWorkloadResourceClaims,
  kDeclarativeValidation,
  kDeclarativeValidationBeta,
  kDynamicResourceAllocation,
  kGenericWorkload,
  kInPlacePodVerticalScaling,
  kKubeletPodResourcesDynamicResources,
  kNodeDeclaredFeatures,
  kPodLevelResources,
  kResourceHealthStatus,
  kResourceHealthStatusMessage,
};
inline constexpr std::size_t kGateCount =
    static_cast<std::size_t>(Gate::kResourceHealthStatusMessage) + 1;

std::string_view GateName(Gate gate);

class FeatureGates {
 public:
  // The defaults of 1.37.
  FeatureGates();

  // "A=true,B=false" on top of the defaults, checked as a whole: errors are kube-apiserver's, e.g.
  // `unrecognized feature gate: X`, or about a gate that needs another one which is off. AllAlpha
  // and AllBeta set all gates of that stage that are not named themselves.
  static Result<FeatureGates> Parse(std::string_view text);

  bool Enabled(Gate gate) const { return enabled_.test(static_cast<std::size_t>(gate)); }

  // Refuses unknown gates and values other than the default for locked ones. Dependencies are not
  // looked at, so that gates may be set in any order; see CheckDependencies.
  Status Set(std::string_view name, bool on);

  // Fails when a gate is on that needs one which is off.
  Status CheckDependencies() const;

 private:
  std::bitset<kGateCount> enabled_;
};

}  // namespace quadra::validation
