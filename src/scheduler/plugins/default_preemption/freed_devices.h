// FreedDevices: which devices are free once some pods are gone.
#pragma once

#include <string>
#include <vector>

#include "scheduler/devices/devices.h"
#include "scheduler/framework/pod_info.h"

namespace quadra::scheduler {

// Of each pod, in their order, the devices (driver/pool/device) of its claims that nobody uses but
// these pods; each device once.
std::vector<std::vector<std::string>> FreedDevices(const Devices& devices,
                                                   const std::vector<PodInfoPtr>& pods);

}  // namespace quadra::scheduler
