// Devices for this folder's tests.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "api/kinds.h"
#include "base/random.h"

namespace quadra::selector {

inline api::DeviceAttribute TextAttribute(std::string text) {
  api::DeviceAttribute attribute;
  attribute.string_value = std::move(text);
  return attribute;
}
inline api::DeviceAttribute VersionAttribute(std::string text) {
  api::DeviceAttribute attribute;
  attribute.version_value = std::move(text);
  return attribute;
}
inline api::DeviceAttribute IntAttribute(std::int64_t number) {
  api::DeviceAttribute attribute;
  attribute.int_value = number;
  return attribute;
}
inline api::DeviceCapacity Capacity(std::string_view amount) {
  api::DeviceCapacity capacity;
  capacity.value = *quantity::Quantity::Parse(amount);
  return capacity;
}

inline api::Device Gpu(std::string name, std::string model, std::string_view memory) {
  api::Device device;
  device.name = std::move(name);
  device.attributes["model"] = TextAttribute(std::move(model));
  device.capacity["memory"] = Capacity(memory);
  return device;
}

// A device like those of a cluster: few kinds, some values missing, a uuid of its own, now and then
// an attribute that poisons it.
inline api::Device RandomDevice(Random& random, std::size_t number) {
  static constexpr std::string_view kModels[] = {"a100", "h100", "l4"};
  static constexpr std::string_view kMemories[] = {"80Gi", "40Gi", "1.5Gi"};
  static constexpr std::string_view kVersions[] = {"535.1.0", "550.54.15", "550.54.15-rc.1"};
  const auto pick = [&](const auto& choices) {
    return std::string(choices[random.Below(std::size(choices))]);
  };
  api::Device device;
  device.name = "d" + std::to_string(number);
  device.attributes["uuid"] = TextAttribute("GPU-" + std::to_string(number));
  if (random.Below(5) != 0) {
    device.attributes["model"] = TextAttribute(pick(kModels));
  }
  device.attributes["index"] = IntAttribute(static_cast<std::int64_t>(random.Below(4)));
  device.attributes["driverVersion"] = VersionAttribute(pick(kVersions));
  if (random.Below(50) == 0) {
    device.attributes["broken"] = VersionAttribute("99999999999999999999.0.0");
  }
  if (random.Below(4) != 0) {
    device.capacity["memory"] = Capacity(pick(kMemories));
  }
  device.allow_multiple_allocations = random.Below(2) == 0;
  return device;
}

inline std::vector<api::Device> RandomDevices(Random& random, std::size_t count,
                                              std::size_t first_number = 0) {
  std::vector<api::Device> devices;
  devices.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    devices.push_back(RandomDevice(random, first_number + i));
  }
  return devices;
}

}  // namespace quadra::selector
