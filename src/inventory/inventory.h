// Inventory: what is published, what is allocated, and what decides about both; kept by events. The
// door of this folder.
//
//   Inventory inventory(language, features);
//   inventory.SetSlice(slice);  inventory.SetClaim(claim);  …
//   const Snapshot now = inventory.Take();       // immutable, O(1)
//   Inventory trial = now.Fork();                // O(1): try things, `now` does not change
//
// Taking a snapshot and forking copy nothing; the first change after that copies the part it
// touches, while anybody else still looks at it. An Inventory has one writer; a Snapshot may be
// read by any number of threads.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "api/kinds.h"
#include "inventory/device.h"
#include "inventory/features.h"
#include "inventory/held.h"
#include "inventory/pools.h"
#include "selector/selector.h"

namespace quadra::inventory {

using ClassesByName = std::map<std::string, api::DeviceClass, std::less<>>;
using NodesByName = std::map<std::string, api::Node, std::less<>>;
using TaintRules = std::vector<api::DeviceTaintRule>;

class Inventory;

// What was known at one moment.
class Snapshot {
 public:
  const Features& features() const { return features_; }
  const SliceIndex& slices() const { return *slices_; }
  const selector::DeviceTable& table() const { return *table_; }
  const Held& held() const { return held_; }
  const ClassesByName& classes() const { return *classes_; }
  const TaintRules& taint_rules() const { return *taint_rules_; }
  const NodesByName& nodes() const { return *nodes_; }

  Inventory Fork() const;

 private:
  friend class Inventory;
  Snapshot(const selector::Language& language, const Features& features);

  Features features_;
  std::shared_ptr<ShapeStore> shapes_;
  std::shared_ptr<selector::DeviceTable> table_;
  std::shared_ptr<SliceIndex> slices_;
  Held held_;
  std::shared_ptr<ClassesByName> classes_;
  std::shared_ptr<TaintRules> taint_rules_;
  std::shared_ptr<NodesByName> nodes_;
};

class Inventory {
 public:
  // `language` must outlive this and all that comes from it.
  Inventory(const selector::Language& language, const Features& features)
      : state_(language, features) {}

  Snapshot Take() const { return state_; }

  // Set replaces the object of that name, or adds it. Upstream's answers depend on the order in
  // which slices, rules and claims were first seen.
  void SetSlice(const api::ResourceSlice& slice);
  // Beside others of that name, which the API would refuse.
  void AddSlice(const api::ResourceSlice& slice);
  void RemoveSlice(std::string_view name);
  void SetClass(api::DeviceClass device_class);
  void RemoveClass(std::string_view name);
  void SetTaintRule(api::DeviceTaintRule rule);
  void RemoveTaintRule(std::string_view name);
  void SetNode(api::Node node);
  void RemoveNode(std::string_view name);
  // Takes over what the claim's allocation holds; a claim without one holds nothing.
  void SetClaim(const api::ResourceClaim& claim);
  void RemoveClaim(const api::ResourceClaim& claim);

 private:
  friend class Snapshot;
  explicit Inventory(Snapshot state) : state_(std::move(state)) {}

  Snapshot state_;
};

}  // namespace quadra::inventory
