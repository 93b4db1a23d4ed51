// Sizes that upstream enforces on claims, templates, classes and claim status. Items unless the
// name says bytes.
#pragma once

#include <cstddef>
#include <cstdint>

namespace quadra::validation {

// Also of references to requests in one constraint or configuration.
inline constexpr std::size_t kMaxRequests = 32;
inline constexpr std::size_t kMaxConstraints = 32;
inline constexpr std::size_t kMaxConfigs = 32;
inline constexpr std::size_t kMaxSelectors = 32;
inline constexpr std::size_t kMaxAlternatives = 8;  // firstAvailable
inline constexpr std::size_t kMaxDerivedAttributes = 32;
inline constexpr std::size_t kMaxExpressionBytes = 10'240;
// Parameters of a driver, data of a device status.
inline constexpr std::size_t kMaxOpaqueBytes = 10'240;
inline constexpr std::uint64_t kMaxExpressionCost = 1'000'000;
// Of all derived attributes of a claim together.
inline constexpr std::uint64_t kMaxDerivedAttributesCost = 1'000'000;

inline constexpr std::size_t kMaxResults = 32;
// From the class and from the claim.
inline constexpr std::size_t kMaxAllocationConfigs = 2 * kMaxConfigs;
inline constexpr std::size_t kMaxConsumers = 256;  // reservedFor
inline constexpr std::size_t kMaxDeviceConditions = 8;
inline constexpr std::size_t kMaxAddresses = 16;
inline constexpr std::size_t kMaxInterfaceNameBytes = 256;
inline constexpr std::size_t kMaxHardwareAddressBytes = 128;

}  // namespace quadra::validation
