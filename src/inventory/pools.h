// Pools: what a node can reach, in the order in which upstream's allocator walks it.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "api/kinds.h"
#include "base/hashed_map.h"
#include "inventory/device.h"
#include "inventory/features.h"

namespace quadra::inventory {

using SliceList = std::vector<std::shared_ptr<const Slice>>;

enum class PoolState : std::uint8_t {
  kReady,
  kIncomplete,  // slices of the present generation are missing
  kInvalid,     // slices contradict each other
};

struct Pool {
  std::string driver;
  std::string name;
  PoolState state = PoolState::kReady;
  std::string reason;   // kInvalid, kIncomplete: why
  SliceList slices;     // with devices for the node, by name
  SliceList elsewhere;  // of the pool but not for the node: they consume counters too
  std::vector<const api::CounterSet*> counter_sets;  // owned by counter_slices
  SliceList counter_slices;

  // driver/name
  std::string ToString() const { return driver + "/" + name; }
};

// Of the slices of one pool; 0 if there are none.
std::int64_t NewestGeneration(const SliceList& slices);

// Pools are told apart by driver and name.
std::string PoolKey(std::string_view driver, std::string_view pool);

// All slices, found by name, node and pool. Lists are in the order of publication. Copies share
// what is equal (base/lineage.h); a write costs the lists that the slice is in.
class SliceIndex {
 public:
  // Null if there is none; of several the last.
  std::shared_ptr<const Slice> Find(const std::string& name) const;
  const SliceList& OfNode(const std::string& node) const;  // slices with that node's name
  const SliceList& shared() const;                         // slices without a node's name
  const SliceList& OfPool(const std::string& key) const;   // by PoolKey
  bool empty() const { return by_pool_.empty(); }
  // Calls visit(key, slices) for every pool, in no particular order.
  template <typename Visit>
  void VisitPools(const Visit& visit) const {
    by_pool_.VisitAll([&](const std::string& key, const List& list) { visit(key, *list); });
  }

  void Add(Epoch writer, const std::shared_ptr<const Slice>& slice);
  // `after` takes the place of `before` in every list that has both.
  void Replace(Epoch writer, const std::shared_ptr<const Slice>& before,
               const std::shared_ptr<const Slice>& after);
  void Remove(Epoch writer, const std::shared_ptr<const Slice>& slice);

 private:
  using List = std::shared_ptr<const SliceList>;
  using Lists = HashedMap<std::string, List>;  // without empty ones
  static const SliceList& ListAt(const Lists& lists, const std::string& key);
  // `after` in place of `before`; either may be null.
  static void Change(Epoch writer, Lists& lists, const std::string& key,
                     const std::shared_ptr<const Slice>& before,
                     const std::shared_ptr<const Slice>& after);

  HashedMap<std::string, std::shared_ptr<const Slice>> by_name_;
  Lists by_node_;  // those without a node's name under the empty one
  Lists by_pool_;
};

struct NodePools {
  std::vector<Pool> pools;
  // The first node selector that cannot be read, in upstream's words; it refuses the pod for that.
  std::string unreadable;
};

// The pool as a node would see it that all of its slices are for; nothing where there is no slice
// that the features understand.
std::optional<Pool> WholePool(const SliceIndex& index, std::string_view driver,
                              std::string_view pool, const Features& features);

// By driver and name, those with binding conditions last. Where one is incomplete or invalid it has
// no slices. Slices and devices whose node selector cannot be read are left out. Cost: the slices
// of the node and the shared ones, and for pools that span nodes their slices.
NodePools PoolsOf(const SliceIndex& index, const api::Node& node, const Features& features);

}  // namespace quadra::inventory
