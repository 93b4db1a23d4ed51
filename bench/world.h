// World: the devices, nodes and claims of the benchmarks, made by the rules of data/world.md as
// upstream's half makes them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "api/kinds.h"

namespace quadra::bench {

inline constexpr std::string_view kDriver = "gpu.example.com";

std::uint64_t SplitMix64(std::uint64_t i);

// --- Devices.

api::DeviceAttribute Text(std::string text);
api::DeviceAttribute Int(std::uint64_t number);
// Which of the 200 combinations of values device i has.
std::uint64_t CombinationOf(std::size_t i);
// Device i with 13 attributes and 2 capacities; some lack two attributes and a capacity.
api::Device DeviceOf(std::size_t i);
// device-0 and so on, without anything.
std::vector<api::Device> PlainDevices(std::size_t count);

// --- Clusters.

std::string NodeName(std::size_t n);
api::Node NodeOf(std::size_t n);
// The slice of node n, its pool's only one unless told otherwise.
api::ResourceSlice SliceOf(std::size_t n, const std::vector<api::Device>& devices);
// `count` devices DeviceOf(first), …, renamed device-0 and so on.
std::vector<api::Device> DevicesOf(std::size_t first, std::size_t count);
// Whether 30 % of the devices, of which device i is one, are in use.
bool IsInUse(std::size_t i);

// --- Claims.

// The class that takes all devices of the driver.
api::DeviceClass GpuClass();
api::DeviceRequest Request(std::size_t number, std::int64_t count, std::string_view selector = "");
api::ResourceClaim Claim(std::size_t number, const std::vector<api::DeviceRequest>& requests,
                         const std::vector<api::DeviceConstraint>& constraints = {});
api::DeviceConstraint Match(std::string attribute, const std::vector<std::string>& requests = {});
// One result; a share of the device if it consumes anything.
api::DeviceRequestAllocationResult Holding(std::size_t node, std::size_t device);
api::ResourceClaim Holder(std::string name,
                          const std::vector<api::DeviceRequestAllocationResult>& results);
// One device with `mig`, as the pod of the benchmarks over many nodes asks.
api::ResourceClaim MigClaim();

}  // namespace quadra::bench
