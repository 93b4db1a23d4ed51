// DeviceTaintRule: taints devices that a selector names, and the taints themselves, which slices
// carry too.
#pragma once

#include <optional>
#include <string>

#include "api/meta.h"

namespace quadra::api {

struct DeviceTaint {
  std::string key;
  std::string value;
  std::string effect;  // None, NoSchedule, NoExecute; readers treat others as None
  std::optional<Time> time_added;
  friend bool operator==(const DeviceTaint&, const DeviceTaint&) = default;
};

// Absent parts match everything; all given ones must match.
struct DeviceTaintSelector {
  std::optional<std::string> driver;
  std::optional<std::string> pool;
  std::optional<std::string> device;
  friend bool operator==(const DeviceTaintSelector&, const DeviceTaintSelector&) = default;
};

struct DeviceTaintRuleSpec {
  std::optional<DeviceTaintSelector> device_selector;  // absent selects nothing
  DeviceTaint taint;
  friend bool operator==(const DeviceTaintRuleSpec&, const DeviceTaintRuleSpec&) = default;
};

struct DeviceTaintRuleStatus {
  List<Condition> conditions;
  friend bool operator==(const DeviceTaintRuleStatus&, const DeviceTaintRuleStatus&) = default;
};

struct DeviceTaintRule {
  TypeMeta type;
  ObjectMeta metadata;
  DeviceTaintRuleSpec spec;
  DeviceTaintRuleStatus status;
  friend bool operator==(const DeviceTaintRule&, const DeviceTaintRule&) = default;
};

}  // namespace quadra::api
