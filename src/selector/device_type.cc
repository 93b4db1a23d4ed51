#include "selector/device_type.h"

#include <array>

#include "cel/checked.h"

namespace quadra::selector {
namespace {

constexpr std::string_view kDeviceTypeName = "kubernetes.DRADevice";

// Limits of the API that bound sizes.
constexpr std::uint64_t kMaxDomain = 63;
constexpr std::uint64_t kMaxId = 32;
constexpr std::uint64_t kMaxDriver = 63;
constexpr std::uint64_t kMaxAttributeText = 64;
constexpr std::uint64_t kMaxEntries = 32;  // attributes and capacities of a device

// The declared parts of `device`, as a tree of sizes. Upstream bounds a scalar attribute and a list
// of attribute values alike, since the type does not tell them apart.
enum class Part : std::uint8_t {
  kNone,
  kDevice,
  kDriver,
  kMultiple,
  kAttributes,
  kAttributesOfDomain,
  kAttribute,
  kCapacities,
  kCapacitiesOfDomain,
  kCapacity,
  kDomain,
  kId,
};

struct Size {
  Part part;
  std::uint64_t max;
};

// What has no elements is declared with size zero.
constexpr std::array kSizes = {
    Size{Part::kDevice, 0},
    Size{Part::kDriver, kMaxDriver},
    Size{Part::kMultiple, 1},
    Size{Part::kAttributes, kMaxEntries},
    Size{Part::kAttributesOfDomain, kMaxEntries},
    Size{Part::kAttribute, kMaxAttributeText},
    Size{Part::kCapacities, kMaxEntries},
    Size{Part::kCapacitiesOfDomain, kMaxEntries},
    Size{Part::kCapacity, 0},
    Size{Part::kDomain, kMaxDomain},
    Size{Part::kId, kMaxId},
};

Part Field(std::string_view name, const Profile& profile) {
  if (name == "driver") {
    return Part::kDriver;
  }
  if (name == "attributes") {
    return Part::kAttributes;
  }
  if (name == "capacity") {
    return Part::kCapacities;
  }
  const bool has_multiple = profile.stored || profile.consumable_capacity;
  return name == "allowMultipleAllocations" && has_multiple ? Part::kMultiple : Part::kNone;
}

Part Element(Part map) {
  switch (map) {
    case Part::kAttributes:
      return Part::kAttributesOfDomain;
    case Part::kAttributesOfDomain:
      return Part::kAttribute;
    case Part::kCapacities:
      return Part::kCapacitiesOfDomain;
    case Part::kCapacitiesOfDomain:
      return Part::kCapacity;
    default:
      return Part::kNone;
  }
}

Part Key(Part map) {
  switch (map) {
    case Part::kAttributes:
    case Part::kCapacities:
      return Part::kDomain;
    case Part::kAttributesOfDomain:
    case Part::kCapacitiesOfDomain:
      return Part::kId;
    default:
      return Part::kNone;
  }
}

Part Step(Part from, std::string_view step, const Profile& profile) {
  if (step == "@items" || step == "@values") {
    return Element(from);
  }
  if (step == "@keys") {
    return Key(from);
  }
  if (from == Part::kDevice) {
    return Field(step, profile);
  }
  // Attributes are alike whatever their name.
  return from == Part::kAttributesOfDomain ? Part::kAttribute : Part::kNone;
}

}  // namespace

bool HasListAttributes(const Profile& profile) { return profile.stored || profile.list_attributes; }

cel::Type AttributeType(const Profile& profile) {
  return HasListAttributes(profile) ? cel::types::kDyn : cel::types::kAny;
}

std::unique_ptr<cel::Environment> MakeEnvironment(const Profile& profile) {
  std::unique_ptr<cel::Environment> environment = cel::KubernetesEnvironment(
      {.list_includes = HasListAttributes(profile), .lists_after_strings = profile.stored});
  cel::TypeArena& types = environment->types;
  const auto by_domain = [&](cel::Type value) {
    return types.Map(cel::types::kString, types.Map(cel::types::kString, value));
  };
  cel::ObjectType device{.name = std::string(kDeviceTypeName), .fields = {}};
  device.fields = {
      {"driver", cel::types::kString},
      {"attributes", by_domain(AttributeType(profile))},
      {"capacity", by_domain(types.Object("kubernetes.Quantity"))},
  };
  if (profile.stored || profile.consumable_capacity) {
    device.fields.push_back({"allowMultipleAllocations", cel::types::kBool});
  }
  environment->objects.push_back(std::move(device));
  environment->variables.push_back({"device", types.Object(kDeviceTypeName)});
  return environment;
}

std::optional<cel::CostRange> DeviceSizes::Size(std::span<const std::string_view> path) const {
  if (path.empty() || path[0] != "device") {
    return std::nullopt;
  }
  Part part = Part::kDevice;
  for (const std::string_view step : path.subspan(1)) {
    part = Step(part, step, profile_);
  }
  for (const struct Size& size : kSizes) {
    if (size.part == part) {
      return cel::CostRange{.min = 0, .max = size.max};
    }
  }
  return std::nullopt;
}

}  // namespace quadra::selector
