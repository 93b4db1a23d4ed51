#include "world.h"

#include <utility>

#include <fmt/format.h>

namespace quadra::bench {

std::uint64_t SplitMix64(std::uint64_t i) {
  std::uint64_t h = i + 0x9E3779B97F4A7C15;
  h = (h ^ (h >> 30)) * 0xBF58476D1CE4E5B9;
  h = (h ^ (h >> 27)) * 0x94D049BB133111EB;
  return h ^ (h >> 31);
}

// --- Devices.

namespace {

api::DeviceAttribute Version(std::string text) {
  api::DeviceAttribute attribute;
  attribute.version_value = std::move(text);
  return attribute;
}
api::DeviceAttribute Bool(bool value) {
  api::DeviceAttribute attribute;
  attribute.bool_value = value;
  return attribute;
}
api::DeviceCapacity Amount(const std::string& text) {
  api::DeviceCapacity capacity;
  capacity.value = *quantity::Quantity::Parse(text);
  return capacity;
}

std::string DeviceName(std::size_t j) { return fmt::format("device-{}", j); }

}  // namespace

api::DeviceAttribute Text(std::string text) {
  api::DeviceAttribute attribute;
  attribute.string_value = std::move(text);
  return attribute;
}

api::DeviceAttribute Int(std::uint64_t number) {
  api::DeviceAttribute attribute;
  attribute.int_value = static_cast<std::int64_t>(number);
  return attribute;
}

std::uint64_t CombinationOf(std::size_t i) { return SplitMix64(i) % 200; }

api::Device DeviceOf(std::size_t i) {
  const std::uint64_t h = SplitMix64(i);
  const std::uint64_t c = CombinationOf(i);
  api::Device device;
  device.name = DeviceName(i);
  auto& attributes = device.attributes;
  attributes["uuid"] = Text(fmt::format("{:016x}", h));
  attributes["dra.example.com/productName"] = Text(fmt::format("Product {}", c % 8));
  attributes["dra.example.com/architecture"] = Text(fmt::format("arch-{}", c % 4));
  attributes["dra.example.com/brand"] = Text(fmt::format("brand-{}", c % 2));
  attributes["dra.example.com/computeCapability"] =
      Version(fmt::format("{}.{}.0", 7 + c % 3, c % 5));
  attributes["dra.example.com/index"] = Int(c % 16);
  attributes["dra.example.com/numa"] = Int(c % 4);
  attributes["dra.example.com/minor"] = Int(c % 9);
  attributes["dra.example.com/healthy"] = Bool(c % 10 != 0);
  attributes["dra.example.com/mig"] = Bool(c % 2 == 0);
  attributes["dra.example.com/pcieRoot"] = Text(fmt::format("pci0000:{}", c));
  device.capacity["dra.example.com/cores"] = Amount(fmt::to_string(c % 100 + 8));
  if ((h >> 32) % 5 != 0) {
    attributes["dra.example.com/model"] = Text(fmt::format("model-{}", c % 8));
    attributes["dra.example.com/driverVersion"] =
        Version(fmt::format("{}.{}.{}", 500 + 5 * (c % 10), c % 7, c % 3));
    device.capacity["dra.example.com/memory"] = Amount(fmt::format("{}Gi", 16 * (c % 5 + 1)));
  }
  return device;
}

std::vector<api::Device> PlainDevices(std::size_t count) {
  std::vector<api::Device> devices(count);
  for (std::size_t j = 0; j < count; ++j) {
    devices[j].name = DeviceName(j);
  }
  return devices;
}

// --- Clusters.

std::string NodeName(std::size_t n) { return fmt::format("node-{}", n); }

api::Node NodeOf(std::size_t n) {
  api::Node node;
  node.metadata.name = NodeName(n);
  node.metadata.labels["kubernetes.io/arch"] = "amd64";
  node.metadata.labels["kubernetes.io/hostname"] = node.metadata.name;
  node.metadata.labels["topology.kubernetes.io/zone"] = fmt::format("zone-{}", n % 3);
  return node;
}

api::ResourceSlice SliceOf(std::size_t n, const std::vector<api::Device>& devices) {
  api::ResourceSlice slice;
  slice.metadata.name = NodeName(n);
  slice.spec.driver = kDriver;
  slice.spec.node_name = NodeName(n);
  slice.spec.pool = {.name = NodeName(n), .generation = 1, .resource_slice_count = 1};
  for (const api::Device& device : devices) {
    slice.spec.devices.push_back(device);
  }
  return slice;
}

std::vector<api::Device> DevicesOf(std::size_t first, std::size_t count) {
  std::vector<api::Device> devices;
  devices.reserve(count);
  for (std::size_t j = 0; j < count; ++j) {
    devices.push_back(DeviceOf(first + j));
    devices.back().name = DeviceName(j);
  }
  return devices;
}

bool IsInUse(std::size_t i) { return (SplitMix64(i) >> 40) % 10 < 3; }

// --- Claims.

api::DeviceClass GpuClass() {
  api::DeviceClass device_class;
  device_class.metadata.name = "gpu";
  device_class.spec.selectors.emplace_back().cel = {.expression =
                                                        R"(device.driver == "gpu.example.com")"};
  return device_class;
}

api::DeviceRequest Request(std::size_t number, std::int64_t count, std::string_view selector) {
  api::DeviceRequest request;
  request.name = fmt::format("request-{}", number);
  request.exactly.emplace();
  request.exactly->device_class_name = "gpu";
  request.exactly->allocation_mode = "ExactCount";
  request.exactly->count = count;
  if (!selector.empty()) {
    request.exactly->selectors.emplace_back().cel = {.expression = std::string(selector)};
  }
  return request;
}

api::ResourceClaim Claim(std::size_t number, const std::vector<api::DeviceRequest>& requests,
                         const std::vector<api::DeviceConstraint>& constraints) {
  api::ResourceClaim claim;
  claim.metadata.ns = "default";
  claim.metadata.name = fmt::format("claim-{}", number);
  for (const api::DeviceRequest& request : requests) {
    claim.spec.devices.requests.push_back(request);
  }
  for (const api::DeviceConstraint& constraint : constraints) {
    claim.spec.devices.constraints.push_back(constraint);
  }
  return claim;
}

api::DeviceConstraint Match(std::string attribute, const std::vector<std::string>& requests) {
  api::DeviceConstraint constraint;
  constraint.match_attribute = std::move(attribute);
  for (const std::string& request : requests) {
    constraint.requests.push_back(request);
  }
  return constraint;
}

api::DeviceRequestAllocationResult Holding(std::size_t node, std::size_t device) {
  api::DeviceRequestAllocationResult result;
  result.request = "request-0";
  result.driver = kDriver;
  result.pool = NodeName(node);
  result.device = DeviceName(device);
  return result;
}

api::ResourceClaim Holder(std::string name,
                          const std::vector<api::DeviceRequestAllocationResult>& results) {
  api::ResourceClaim claim;
  claim.metadata.ns = "default";
  claim.metadata.name = std::move(name);
  claim.status.allocation.emplace();
  for (const api::DeviceRequestAllocationResult& result : results) {
    claim.status.allocation->devices.results.push_back(result);
  }
  return claim;
}

api::ResourceClaim MigClaim() {
  return Claim(0, {Request(0, 1, R"(device.attributes["dra.example.com"].mig == true)")});
}

}  // namespace quadra::bench
