// Inventory: what is published, what is allocated, and what decides about both; kept by events. The
// door of this folder.
//
//   Inventory inventory(language);
//   inventory.AddSlice(slice);  inventory.SetClaim(claim);  …
//   for (const Pool& pool : PoolsOf(inventory.slices(), node, features)) …
//
// One writer; any number of readers while nobody writes.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "api/kinds.h"
#include "inventory/device.h"
#include "inventory/features.h"
#include "inventory/held.h"
#include "inventory/pools.h"
#include "selector/selector.h"

namespace quadra::inventory {

class Inventory {
 public:
  // `language` must outlive this. `consumable_capacity` is that gate: without it a share of a
  // device is the whole device.
  Inventory(const selector::Language& language, bool consumable_capacity)
      : consumable_capacity_(consumable_capacity), table_(language.columns()) {}

  // In the order of publication, which upstream's answers depend on.
  void AddSlice(const api::ResourceSlice& slice);
  void SetClass(api::DeviceClass device_class);
  void AddTaintRule(api::DeviceTaintRule rule) { taint_rules_.push_back(std::move(rule)); }
  void SetNode(api::Node node);
  // Takes over what the claim's allocation holds; a claim without one holds nothing.
  void SetClaim(const api::ResourceClaim& claim);

  const SliceIndex& slices() const { return slices_; }
  const selector::DeviceTable& table() const { return table_; }
  const Held& held() const { return held_; }
  const std::map<std::string, api::DeviceClass, std::less<>>& classes() const { return classes_; }
  const std::vector<api::DeviceTaintRule>& taint_rules() const { return taint_rules_; }
  const std::map<std::string, api::Node, std::less<>>& nodes() const { return nodes_; }

 private:
  bool consumable_capacity_;
  ShapeStore shapes_;
  selector::DeviceTable table_;
  SliceIndex slices_;
  Held held_;
  std::map<std::string, api::DeviceClass, std::less<>> classes_;
  std::vector<api::DeviceTaintRule> taint_rules_;
  std::map<std::string, api::Node, std::less<>> nodes_;
};

}  // namespace quadra::inventory
