// ServedDevices: the devices of nodes that stand for an extended resource which a DeviceClass serves:
// scores count them where no device plugin has the resource.
//
//   const std::optional<ServedDevices> served = ServedDevices::Of(devices, "example.com/gpu");
//   if (served) { const Usage usage = served->On("n1"); … }
//
// Cost: the class's selectors on devices that were not asked before; of a node its devices.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "scheduler/devices/devices.h"

namespace quadra::scheduler {

// What a node has of a resource, and what of it is taken.
struct Usage {
  std::int64_t allocated = 0;
  std::int64_t capacity = 0;
};

class ServedDevices {
 public:
  // Absent where no class serves the resource. `devices` must outlive it, and stay as it is.
  static std::optional<ServedDevices> Of(Devices& devices, const std::string& resource);

  // Nothing where a selector of the class fails on a device of the node.
  Usage On(const std::string& node) const;

 private:
  using Verdicts = std::shared_ptr<const selector::Sequenced>;
  ServedDevices(Devices& devices, Verdicts verdicts)
      : devices_(&devices), verdicts_(std::move(verdicts)) {}

  Devices* devices_;
  Verdicts verdicts_;  // whether devices are of the class
};

}  // namespace quadra::scheduler
