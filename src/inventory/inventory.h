// Inventory: what is published, what is allocated, and what decides about both; kept by events. The
// door of this folder.
//
//   Inventory inventory(language, features);
//   inventory.SetSlice(slice);  inventory.SetClaim(claim);  …
//   const Snapshot now = inventory.Take();       // immutable
//   Inventory trial = now.Fork();                // try things, `now` does not change
//
// Threads: an Inventory has one writer. A Snapshot may be copied, read and dropped by any number of
// threads, for as long as they like, while the writer goes on: nothing they look at is ever written
// again (base/lineage.h says how the writer knows).
//
// Cost: taking a snapshot, copying it and forking it copy a few pointers. An event costs what it is
// about, whoever holds snapshots: a claim its devices, a slice its devices and the views of the
// nodes that see its pool. Besides it copies some chunks of arrays and blocks of trees, tens of
// microseconds for a million devices. Two events are dear, because they concern every node: a slice
// of a pool that is not tied to nodes by name (every view is made anew), and a taint rule (every
// device is marked anew). What is gone is freed with the last snapshot that shows it.
//
// Asking again: ChangesSince() names the nodes that may answer differently by now.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "api/kinds.h"
#include "base/ordered_map.h"
#include "inventory/compatible_groups.h"  // IWYU pragma: export
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

using ClassesByName = OrderedMap<std::string, std::shared_ptr<const api::DeviceClass>>;
using NodesByName = OrderedMap<std::string, std::shared_ptr<const api::Node>>;
using TaintRules = std::vector<api::DeviceTaintRule>;

class Inventory;

// The name under which Held knows a claim: its uid, or namespace/name where it has none.
std::string ClaimKey(const api::ResourceClaim& claim);

// What was known at one moment.
class Snapshot {
 public:
  const Features& features() const { return features_; }
  const SliceIndex& slices() const { return slices_; }
  // The devices as rows. Two snapshots between which no slice changed have the same one.
  const std::shared_ptr<const selector::DeviceTable>& shared_table() const { return table_; }
  const selector::DeviceTable& table() const { return *table_; }
  const Held& held() const { return held_; }
  const Marks& marks() const { return marks_; }
  const ClassesByName& classes() const { return classes_; }
  const TaintRules& taint_rules() const { return *taint_rules_; }
  const NodesByName& nodes() const { return nodes_; }
  // One a node, in the order of their names.
  const ViewList& views() const { return views_; }
  // Null for a node that is not known.
  const NodeView* ViewOf(std::string_view node) const;
  // Held devices of the pool that it does not publish; null if there are none.
  const Unpublished* UnpublishedOf(const Pool& pool) const;

  // Calls visit(name, view) for every node that may answer a question differently than in `before`,
  // a snapshot of the same inventory or of a fork; null: it is gone. Nodes are not asked about
  // classes: whoever names one looks for himself whether it is still the same object. Cost: the
  // nodes visited, and a few hundred steps; all nodes after an event that concerns all.
  template <typename Visit>
  void VisitChanges(const Snapshot& before, const Visit& visit) const;

  Inventory Fork() const;

  // How much is kept, for tests and benchmarks: of each sort what is in use now.
  struct Sizes {
    std::size_t rows = 0;  // of the table, with those of no device
    std::size_t device_classes = 0;
    std::size_t shapes = 0;
    friend bool operator==(const Sizes&, const Sizes&) = default;
  };
  Sizes sizes() const;

 private:
  friend class Inventory;
  Snapshot(const selector::Language& language, const Features& features);

  Features features_;
  std::shared_ptr<Lineage> lineage_;  // of the inventory and all its forks
  ShapeStore shapes_;
  std::shared_ptr<const selector::DeviceTable> table_;
  SliceIndex slices_;
  Held held_;
  Ledger ledger_;
  Marks marks_;
  ClassesByName classes_;
  std::shared_ptr<const TaintRules> taint_rules_;
  NodesByName nodes_;
  ViewList views_;
  Epoch all_version_;  // another one whenever something changed that every node may see
};

class Inventory {
 public:
  // `language` must outlive this and all that comes from it.
  Inventory(const selector::Language& language, const Features& features)
      : Inventory(Snapshot(language, features)) {}
  Inventory(Inventory&&) = default;
  Inventory& operator=(Inventory&&) = default;
  Inventory(const Inventory&) = delete;  // two writers; see Fork()
  Inventory& operator=(const Inventory&) = delete;

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
  void RemoveClaim(const api::ResourceClaim& claim) { Release(ClaimKey(claim)); }
  // Frees what the claim of that key (see Held) holds.
  void Release(const std::string& key);

 private:
  friend class Snapshot;
  explicit Inventory(Snapshot state);

  void SetHolder(const std::string& key, Holder holder);
  // What follows from a change of a pool's slices. `before` is a slice that is no longer there, or
  // null.
  void UpdateLedger(const std::string& key, const Slice* before);
  // Marks of the rows of a slice, from what is held and tainted.
  void MarkSlice(const Slice& slice);
  void MarkEverything();
  // Also follows in the ledger, which lists the device if it is held and not published.
  void MarkDevice(const DeviceId& device);
  void MarkRow(selector::Row row, const HeldDevice* held);
  void StrikeOff(const std::string& key, const std::string& device);
  // The nodes that may see the pool answer differently from now on; with `anew` because their views
  // have to be made anew.
  void Touch(const std::string& pool_key, bool anew);
  void RefreshViews();
  void RefreshView(const std::string& node);

  // Nodes of which something has changed since the last snapshot.
  struct Changed {
    absl::flat_hash_set<std::string> nodes;
    bool all = false;
  };

  Snapshot state_;  // but for the table, which is as it was taken last
  selector::TableWriter table_;
  Epoch epoch_;
  Changed touched_;   // what they see
  Changed outdated_;  // what they reach: the view
};

template <typename Visit>
void Snapshot::VisitChanges(const Snapshot& before, const Visit& visit) const {
  const ViewList::Seats& seats = views_.seats();
  const bool all = before.all_version_ != all_version_;
  if (all) {
    for (const auto& [name, seat] : seats) {
      visit(name, seat.view.get());
    }
  }
  ViewList::Seats::VisitDifferences(
      before.views_.seats(), seats,
      [&](const ViewList::Seats::value_type* then, const ViewList::Seats::value_type* now) {
        if (now == nullptr) {
          visit(then->first, static_cast<const NodeView*>(nullptr));
        } else if (!all) {
          visit(now->first, now->second.view.get());
        }
      });
}

}  // namespace quadra::inventory
