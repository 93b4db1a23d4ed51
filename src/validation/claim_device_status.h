// Device status: what drivers report in a claim about the devices allocated to it.
#pragma once

#include <compare>
#include <set>
#include <string>
#include <string_view>

#include "api/kinds.h"
#include "validation/field_error.h"
#include "validation/path.h"

namespace quadra::validation {

// A device, or one share of it, as allocations and device status name it. Views into the object it
// was made from. No share and the empty share are the same.
struct SharedDevice {
  std::string_view driver;
  std::string_view pool;
  std::string_view device;
  std::string_view share;
  auto operator<=>(const SharedDevice&) const = default;
};

// `Entry` is DeviceRequestAllocationResult or AllocatedDeviceStatus.
template <typename Entry>
SharedDevice SharedDeviceOf(const Entry& entry) {
  return {entry.driver, entry.pool, entry.device,
          entry.share_id ? std::string_view(*entry.share_id) : ""};
}

// The devices of a status' allocation; none when there is no allocation.
std::set<SharedDevice> AllocatedDevices(const api::ResourceClaimStatus& status);

void CheckDeviceStatuses(ErrorList& errors, const Path& path,
                         const api::List<api::AllocatedDeviceStatus>& statuses,
                         const std::set<SharedDevice>& allocated);

}  // namespace quadra::validation
