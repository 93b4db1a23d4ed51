// DeviceClass: a named choice of devices with vendor configuration, and the selector and config
// types claims share.
#pragma once

#include <optional>
#include <string>

#include "api/meta.h"

namespace quadra::api {

struct CelDeviceSelector {
  std::string expression;
  friend bool operator==(const CelDeviceSelector&, const CelDeviceSelector&) = default;
};

struct DeviceSelector {
  std::optional<CelDeviceSelector> cel;
  friend bool operator==(const DeviceSelector&, const DeviceSelector&) = default;
};

struct OpaqueDeviceConfiguration {
  std::string driver;
  RawJson parameters;
  friend bool operator==(const OpaqueDeviceConfiguration&,
                         const OpaqueDeviceConfiguration&) = default;
};

struct DeviceClassConfiguration {
  std::optional<OpaqueDeviceConfiguration> opaque;
  friend bool operator==(const DeviceClassConfiguration&,
                         const DeviceClassConfiguration&) = default;
};

struct DeviceClassSpec {
  List<DeviceSelector> selectors;
  List<DeviceClassConfiguration> config;
  std::optional<std::string> extended_resource_name;
  friend bool operator==(const DeviceClassSpec&, const DeviceClassSpec&) = default;
};

struct DeviceClass {
  TypeMeta type;
  ObjectMeta metadata;
  DeviceClassSpec spec;
  friend bool operator==(const DeviceClass&, const DeviceClass&) = default;
};

}  // namespace quadra::api
