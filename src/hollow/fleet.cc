#include "hollow/fleet.h"

#include <array>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "base/random.h"

namespace quadra::hollow {
namespace {

constexpr std::string_view kGpuDriver = "gpu.example.com";
constexpr std::string_view kNicDriver = "nic.example.com";
constexpr std::string_view kCpuDriver = "cpu.example.com";
constexpr std::size_t kMostDevicesOfASlice = 128;

struct GpuModel {
  std::string_view name;
  std::string_view memory;
};
constexpr std::array<GpuModel, 3> kModels = {
    {{"large", "80Gi"}, {"small", "24Gi"}, {"medium", "48Gi"}}};

// REQUIRES: it is one.
api::Quantity Amount(std::string_view text) { return *api::Quantity::Parse(text); }

api::DeviceAttribute Text(std::string_view text) {
  api::DeviceAttribute attribute;
  attribute.string_value = text;
  return attribute;
}

api::DeviceCapacity Holding(std::string_view amount) {
  api::DeviceCapacity capacity;
  capacity.value = Amount(amount);
  return capacity;
}

api::Device Gpu(std::string name, const GpuModel& model) {
  api::Device device;
  device.name = std::move(name);
  device.attributes["model"] = Text(model.name);
  device.capacity["memory"] = Holding(model.memory);
  return device;
}

// A part of the one GPU: so many of its eight eighths.
api::Device Partition(std::string name, std::string_view profile, std::string_view memory,
                      int eighths) {
  api::Device device = Gpu(std::move(name), {.name = "large", .memory = memory});
  device.attributes["profile"] = Text(profile);
  api::DeviceCounterConsumption consumed;
  consumed.counter_set = "gpu-0";
  consumed.counters["eighths"] = api::Counter{.value = api::Quantity::Of(eighths)};
  device.consumes_counters.push_back(std::move(consumed));
  return device;
}

// Shared by all who want some of its bandwidth.
api::Device Nic(std::string name) {
  api::Device device;
  device.name = std::move(name);
  device.attributes["model"] = Text("connect");
  device.allow_multiple_allocations = true;
  api::DeviceCapacity bandwidth = Holding("100G");
  bandwidth.request_policy.emplace();
  bandwidth.request_policy->default_value = Amount("10G");
  bandwidth.request_policy->valid_range.emplace();
  bandwidth.request_policy->valid_range->min = Amount("1G");
  bandwidth.request_policy->valid_range->step = Amount("1G");
  device.capacity["bandwidth"] = std::move(bandwidth);
  return device;
}

// Four cores for one pod alone: they are taken from what the node has for all.
api::Device CpuSet(std::string name) {
  api::Device device;
  device.name = std::move(name);
  device.attributes["kind"] = Text("exclusive");
  device.capacity["cores"] = Holding("4");
  api::NodeAllocatableResource taken;
  taken.mapping.emplace();
  taken.mapping->capacity_key = "cores";
  taken.mapping->capacity_multiplier = api::Quantity::Of(1);
  device.node_allocatable_resources["cpu"] = std::move(taken);
  return device;
}

api::ResourceSliceSpec SliceOn(const std::string& node) {
  api::ResourceSliceSpec spec;
  spec.node_name = node;
  return spec;
}

publisher::Pool PoolOn(const std::string& node, std::string_view driver,
                       std::vector<api::Device> devices) {
  publisher::Pool pool{.driver = std::string(driver), .name = node, .owner = {}, .slices = {}};
  for (std::size_t i = 0; i < devices.size(); ++i) {
    if (i % kMostDevicesOfASlice == 0) {
      pool.slices.push_back(SliceOn(node));
    }
    pool.slices.back().devices.push_back(std::move(devices[i]));
  }
  return pool;
}

std::vector<api::Device> Gpus(std::size_t count, const GpuModel& model) {
  std::vector<api::Device> devices;
  devices.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    devices.push_back(Gpu(fmt::format("gpu-{}", i), model));
  }
  return devices;
}

publisher::Pool PartitionsOn(const std::string& node) {
  publisher::Pool pool =
      PoolOn(node, kGpuDriver,
             {Partition("gpu-0", "whole", "80Gi", 8), Partition("gpu-0-half-0", "half", "40Gi", 4),
              Partition("gpu-0-half-1", "half", "40Gi", 4),
              Partition("gpu-0-quarter-0", "quarter", "20Gi", 2),
              Partition("gpu-0-quarter-1", "quarter", "20Gi", 2)});
  api::CounterSet gpu{.name = "gpu-0", .counters = {}};
  gpu.counters["eighths"] = api::Counter{.value = api::Quantity::Of(8)};
  api::ResourceSliceSpec counters = SliceOn(node);
  counters.shared_counters.push_back(std::move(gpu));
  pool.slices.push_back(std::move(counters));
  return pool;
}

HollowNode NodeNamed(std::string name, std::string_view cpu, std::string_view memory) {
  HollowNode node;
  node.labels = {{"kubernetes.io/hostname", name},
                 {"kubernetes.io/os", "linux"},
                 {"kubernetes.io/arch", "amd64"}};
  node.capacity = {{"cpu", std::string(cpu)}, {"memory", std::string(memory)}, {"pods", "110"}};
  node.name = std::move(name);
  return node;
}

// Of each eight nodes.
enum class Equipment : std::uint8_t { kLarge, kSmall, kPartitions };
constexpr std::array<Equipment, 8> kEquipment = {
    Equipment::kLarge, Equipment::kLarge, Equipment::kLarge,      Equipment::kSmall,
    Equipment::kSmall, Equipment::kSmall, Equipment::kPartitions, Equipment::kPartitions};

HollowNode DemoNode(std::string name, Equipment equipment) {
  HollowNode node = NodeNamed(std::move(name), "32", "256Gi");
  const bool cut = equipment == Equipment::kPartitions;
  if (cut) {
    node.pools.push_back(PartitionsOn(node.name));
  } else {
    const GpuModel& model = kModels.at(equipment == Equipment::kLarge ? 0 : 1);
    node.pools.push_back(PoolOn(node.name, kGpuDriver, Gpus(4, model)));
  }
  node.pools.push_back(PoolOn(node.name, kNicDriver, {Nic("nic-0")}));
  const std::size_t sets = cut ? 2 : 3;
  std::vector<api::Device> cores;
  cores.reserve(sets);
  for (std::size_t i = 0; i < sets; ++i) {
    cores.push_back(CpuSet(fmt::format("cores-{}", i)));
  }
  node.pools.push_back(PoolOn(node.name, kCpuDriver, std::move(cores)));
  return node;
}

}  // namespace

std::vector<HollowNode> PlainFleet(const FleetSize& size) {
  SeededRandom random(size.seed);
  std::vector<HollowNode> nodes;
  nodes.reserve(size.nodes);
  for (std::size_t i = 1; i <= size.nodes; ++i) {
    HollowNode node = NodeNamed(fmt::format("node-{}", i), "64", "512Gi");
    if (size.devices_per_node > 0) {
      const GpuModel& model = kModels.at(random.Below(kModels.size()));
      node.pools.push_back(PoolOn(node.name, kGpuDriver, Gpus(size.devices_per_node, model)));
    }
    nodes.push_back(std::move(node));
  }
  return nodes;
}

std::size_t CountDevices(const std::vector<HollowNode>& nodes) {
  std::size_t devices = 0;
  for (const HollowNode& node : nodes) {
    for (const publisher::Pool& pool : node.pools) {
      for (const api::ResourceSliceSpec& slice : pool.slices) {
        devices += slice.devices.size();
      }
    }
  }
  return devices;
}

std::vector<HollowNode> DemoFleet(std::size_t nodes) {
  std::vector<HollowNode> fleet;
  fleet.reserve(nodes);
  for (std::size_t i = 0; i < nodes; ++i) {
    fleet.push_back(DemoNode(fmt::format("node-{}", i + 1), kEquipment.at(i % kEquipment.size())));
  }
  return fleet;
}

}  // namespace quadra::hollow
