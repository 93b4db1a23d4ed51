// Inventory: what is published, what is allocated, and what decides about both; kept by events. The
// door of this folder.
//
//   Inventory inventory(language, features);
//   inventory.SetSlice(slice);  inventory.SetClaim(claim);  …
//   const Snapshot now = inventory.Take();       // immutable
//   Inventory trial = now.Fork();                // O(1): try things, `now` does not change
//
// Forking copies nothing, and taking a snapshot brings up to date only what events since the last
// one touched: a claim its devices, a slice the nodes that see its pool. While others still look at
// a part (devices, slices, marks, views) the first change copies it, so drop a snapshot before the
// next event where that can be. An Inventory has one writer; a Snapshot may be read by any number
// of threads.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "api/kinds.h"
#include "inventory/device.h"
#include "inventory/features.h"
#include "inventory/held.h"
#include "inventory/ledger.h"
#include "inventory/marks.h"
#include "inventory/node_view.h"
#include "inventory/pools.h"
#include "inventory/taints.h"
#include "selector/selector.h"

namespace quadra::inventory {

using ClassesByName = std::map<std::string, std::shared_ptr<const api::DeviceClass>, std::less<>>;
using NodesByName = std::map<std::string, std::shared_ptr<const api::Node>, std::less<>>;
using ViewList = std::vector<std::shared_ptr<const NodeView>>;
using TaintRules = std::vector<api::DeviceTaintRule>;

class Inventory;

// The name under which Held knows a claim: its uid, or namespace/name where it has none.
std::string KeyOf(const api::ResourceClaim& claim);

// What was known at one moment.
class Snapshot {
 public:
  const Features& features() const { return features_; }
  const SliceIndex& slices() const { return *slices_; }
  const selector::DeviceTable& table() const { return *table_; }
  // The same, for those who want to know whether it is still the one they saw.
  std::weak_ptr<const selector::DeviceTable> table_handle() const { return table_; }
  const Held& held() const { return held_; }
  const Marks& marks() const { return *marks_; }
  const ClassesByName& classes() const { return *classes_; }
  const TaintRules& taint_rules() const { return *taint_rules_; }
  const NodesByName& nodes() const { return *nodes_; }
  // One a node, in the order of their names.
  const ViewList& views() const { return *views_; }
  // Null for a node that is not known.
  const NodeView* ViewOf(std::string_view node) const;
  // Held devices of the pool that it does not publish; null if there are none.
  const Unpublished* UnpublishedOf(const Pool& pool) const;

  Inventory Fork() const;

 private:
  friend class Inventory;
  Snapshot(const selector::Language& language, const Features& features);

  Features features_;
  std::shared_ptr<ShapeStore> shapes_;
  std::shared_ptr<selector::DeviceTable> table_;
  std::shared_ptr<SliceIndex> slices_;
  Held held_;
  std::shared_ptr<Ledger> ledger_;
  std::shared_ptr<Marks> marks_;
  std::shared_ptr<ClassesByName> classes_;
  std::shared_ptr<TaintRules> taint_rules_;
  std::shared_ptr<NodesByName> nodes_;
  std::shared_ptr<ViewList> views_;
};

class Inventory {
 public:
  // `language` must outlive this and all that comes from it.
  Inventory(const selector::Language& language, const Features& features)
      : state_(language, features) {}

  Snapshot Take();

  // Set replaces the object of that name, or adds it. Upstream's answers depend on the order in
  // which slices and rules were first seen.
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
  void RemoveClaim(const api::ResourceClaim& claim) { Release(KeyOf(claim)); }
  // Frees what the claim of that key (see Held) holds.
  void Release(const std::string& key);

 private:
  friend class Snapshot;
  explicit Inventory(Snapshot state)
      : state_(std::move(state)), numbering_(state_.table_->numbering()) {}

  void SetHolder(const std::string& key, Holder holder);
  // What follows from a change of a pool's slices: marks, ledger, views. `before` is a slice that
  // is no longer there, or null.
  void FollowPool(const std::string& driver, const std::string& pool, const Slice* before);
  void UpdateLedger(const std::string& key, const Slice* before);
  const SliceList& SlicesOf(const std::string& key) const;  // of a pool
  // Marks of the rows of a slice, from what is held and tainted.
  void MarkSlice(const Slice& slice);
  // Also follows in the ledger, which lists the device if it is held and not published.
  void MarkDevice(const DeviceId& device);
  void MarkRow(selector::Row row, const HeldDevice* held);
  void StrikeOff(const std::string& key, const std::string& device);
  void MarkEverything();
  // The views that show the pool have to be made anew.
  void Outdate(const Slice& slice);
  void RefreshViews();
  bool IsOutdated(const std::string& node) const {
    return all_outdated_ || outdated_.contains(node);
  }

  Snapshot state_;
  std::set<std::string, std::less<>> outdated_;  // nodes whose view has to be made anew
  bool all_outdated_ = false;
  bool nodes_changed_ = false;   // some came or went
  std::uint64_t numbering_ = 0;  // of the table, when marks and views were made
};

}  // namespace quadra::inventory
