#include "validation/claim_device_status.h"

#include <functional>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "json/writer.h"
#include "validation/claim_allocation.h"
#include "validation/claim_config.h"
#include "validation/claim_interface_address.h"
#include "validation/claim_limits.h"
#include "validation/claim_lists.h"
#include "validation/formats.h"
#include "validation/object_meta.h"

namespace quadra::validation {
namespace {

Value Shown(const SharedDevice& device) {
  std::string text;
  json::Writer writer(text);
  writer.BeginObject();
  const std::pair<std::string_view, std::string_view> fields[] = {{"Driver", device.driver},
                                                                  {"Pool", device.pool},
                                                                  {"Device", device.device},
                                                                  {"ShareID", device.share}};
  for (const auto& [name, value] : fields) {
    writer.Key(name);
    writer.String(value);
  }
  writer.EndObject();
  return Json(std::move(text));
}

void CheckAddress(ErrorList& errors, const Path& path, std::string_view address) {
  const std::optional<std::string> canonical = CanonicalInterfaceAddress(address);
  if (!canonical) {
    errors.Invalid(path, address,
                   "must be a valid address in CIDR form, (e.g. 10.9.8.7/24 or 2001:db8::1/64)");
  } else if (*canonical != address) {
    errors.Invalid(path, address,
                   fmt::format("must be in canonical form ({})", Quoted(*canonical).text));
  }
}

void CheckBytes(ErrorList& errors, const Path& path, std::string_view text, std::size_t max) {
  if (text.size() > max) {
    errors.TooLong(path, max).WithOrigin("maxBytes").Cover();
  }
}

void CheckNetworkData(ErrorList& errors, const Path& path, const api::NetworkDeviceData& data) {
  CheckBytes(errors, path.Child("interfaceName"), data.interface_name, kMaxInterfaceNameBytes);
  CheckBytes(errors, path.Child("hardwareAddress"), data.hardware_address,
             kMaxHardwareAddressBytes);
  const Path ips = path.Child("ips");
  if (ReportSize(errors, ips, data.ips, kMaxAddresses)) {
    return;
  }
  for (std::size_t i = 0; i < data.ips.size(); ++i) {
    CheckAddress(errors, ips.Index(i), data.ips[i]);
  }
  for (const std::size_t i : RepeatedItems(data.ips, std::equal_to<>())) {
    errors.Duplicate(ips.Index(i), data.ips[i]).Cover();
  }
}

void CheckDeviceStatus(ErrorList& errors, const Path& path,
                       const api::AllocatedDeviceStatus& status,
                       const std::set<SharedDevice>& allocated) {
  CheckDriverName(errors, path.Child("driver"), status.driver);
  CheckPoolName(errors, path.Child("pool"), status.pool);
  CheckDnsLabel(errors, path.Child("device"), status.device);
  if (status.share_id) {
    CheckShareId(errors, path.Child("shareID"), *status.share_id);
  }
  if (const SharedDevice device = SharedDeviceOf(status); !allocated.contains(device)) {
    errors.Invalid(path, Shown(device), "must be an allocated device in the claim");
  }
  if (status.conditions.size() > kMaxDeviceConditions) {
    errors.TooMany(path.Child("conditions"), status.conditions.size(), kMaxDeviceConditions);
  }
  CheckConditions(errors, path.Child("conditions"), status.conditions);
  if (status.data && !status.data->text.empty()) {
    CheckOpaqueJson(errors, path.Child("data"), *status.data, Age::kNew);
  }
  if (status.network_data) {
    CheckNetworkData(errors, path.Child("networkData"), *status.network_data);
  }
}

}  // namespace

std::set<SharedDevice> AllocatedDevices(const api::ResourceClaimStatus& status) {
  std::set<SharedDevice> devices;
  if (status.allocation) {
    for (const api::DeviceRequestAllocationResult& result : status.allocation->devices.results) {
      devices.insert(SharedDeviceOf(result));
    }
  }
  return devices;
}

void CheckDeviceStatuses(ErrorList& errors, const Path& path,
                         const api::List<api::AllocatedDeviceStatus>& statuses,
                         const std::set<SharedDevice>& allocated) {
  for (std::size_t i = 0; i < statuses.size(); ++i) {
    CheckDeviceStatus(errors, path.Index(i), statuses[i], allocated);
  }
  const auto same_device = [](const auto& a, const auto& b) {
    return SharedDeviceOf(a) == SharedDeviceOf(b);
  };
  for (const std::size_t i : RepeatedItems(statuses, same_device)) {
    errors.Duplicate(path.Index(i), Shown(SharedDeviceOf(statuses[i]))).Cover();
  }
}

}  // namespace quadra::validation
