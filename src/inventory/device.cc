#include "inventory/device.h"

#include <algorithm>

#include <fmt/format.h>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "api/object.h"

namespace quadra::inventory {
namespace {

// The device without what is its own. What the shape is made of is not listed, so that a field that
// a later release adds is part of it.
std::string ContentOf(const api::Device& device) {
  return api::EncodeJsonWithout(device, {"name", "attributes"});
}

DeviceShape MakeShape(const api::Device& device, const Features& features, std::string content) {
  DeviceShape shape{
      .content = std::move(content),
      .capacity = device.capacity,
      .consumes_counters = device.consumes_counters,
      .taints = device.taints,
      .binding_conditions = device.binding_conditions,
      .binding_failure_conditions = device.binding_failure_conditions,
      .node_allocatable = device.node_allocatable_resources,
      .placement = MakePlacement(device.node_name, device.all_nodes, device.node_selector),
      .binds_to_node = device.binds_to_node.value_or(false),
  };
  shape.allow_multiple_allocations =
      features.consumable_capacity && device.allow_multiple_allocations.value_or(false);
  shape.is_selectable = features.binding_conditions || device.binding_conditions.empty();
  shape.is_usable = features.partitionable_devices || device.consumes_counters.empty();
  shape.checks_capacity = features.consumable_capacity;
  shape.counts_in_thousandths = features.fractional_capacity_range;
  return shape;
}

std::vector<std::string> SpelledOut(std::string_view driver, const api::Device& device) {
  std::vector<std::string> ids;
  for (const auto& [name, attribute] : device.attributes) {
    const std::size_t slash = name.find('/');
    if (slash != std::string::npos && std::string_view(name).substr(0, slash) == driver &&
        !device.attributes.contains(name.substr(slash + 1))) {
      ids.push_back(name.substr(slash + 1));
    }
  }
  return ids;
}

bool HasGroups(const api::Device& device) {
  return std::ranges::any_of(device.consumes_counters, [](const auto& consumption) {
    return !consumption.compatibility_groups.empty();
  });
}

Slice WithoutDevices(const api::ResourceSlice& slice) {
  const api::ResourceSliceSpec& spec = slice.spec;
  return {
      .name = slice.metadata.name,
      .driver = spec.driver,
      .pool = spec.pool.name,
      .generation = spec.pool.generation,
      .slices_of_pool = spec.pool.resource_slice_count,
      .placement = MakePlacement(spec.node_name, spec.all_nodes, spec.node_selector),
      .devices_have_placements = spec.per_device_node_selection.value_or(false),
      .names_device_placements = spec.per_device_node_selection.has_value(),
      .has_compatibility_groups = std::ranges::any_of(spec.devices, HasGroups),
      .shared_counters = spec.shared_counters,
      .skip_node_operations = spec.skip_node_operations,
      .devices = {},
      .spelled_out = {},
  };
}

}  // namespace

std::string DeviceId::ToString() const { return fmt::format("{}/{}/{}", driver, pool, device); }

std::shared_ptr<const DeviceShape> ShapeStore::ShapeFor(Epoch writer, const api::Device& device,
                                                        const std::string& content) {
  const Known* before = shapes_.Find(content);
  Known known = before != nullptr ? *before : Known();
  if (known.shape == nullptr) {
    known.shape = std::make_shared<const DeviceShape>(MakeShape(device, features_, content));
  }
  ++known.slices;
  shapes_.Set(writer, content, known);
  return known.shape;
}

Slice ShapeStore::MakeSlice(Epoch writer, const api::ResourceSlice& slice) {
  Slice made = WithoutDevices(slice);
  made.devices.reserve(slice.spec.devices.size());
  absl::flat_hash_map<std::string, std::shared_ptr<const DeviceShape>> here;  // counted once each
  for (const api::Device& device : slice.spec.devices) {
    for (std::string& id : SpelledOut(slice.spec.driver, device)) {
      made.spelled_out[static_cast<std::uint32_t>(made.devices.size())].insert(std::move(id));
    }
    const std::string content = ContentOf(device);
    std::shared_ptr<const DeviceShape>& shape = here[content];
    if (shape == nullptr) {
      shape = ShapeFor(writer, device, content);
    }
    made.devices.push_back({device.name, shape});
  }
  return made;
}

void ShapeStore::LetGo(Epoch writer, const Slice& slice) {
  absl::flat_hash_set<const DeviceShape*> here;
  for (const Device& device : slice.devices) {
    if (!here.insert(device.shape.get()).second) {
      continue;
    }
    Known known = *shapes_.Find(device.shape->content);
    if (--known.slices == 0) {
      shapes_.Erase(writer, device.shape->content);
    } else {
      shapes_.Set(writer, device.shape->content, std::move(known));
    }
  }
}

}  // namespace quadra::inventory
