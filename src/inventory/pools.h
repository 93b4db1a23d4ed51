// Pools: what a node can reach, in the order in which upstream's allocator walks it.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "api/kinds.h"
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

// All slices, found by name, node and pool. Order within an index is the order of publication.
struct SliceIndex {
  SliceList all;
  absl::flat_hash_map<std::string, std::shared_ptr<const Slice>> by_name;
  absl::flat_hash_map<std::string, SliceList> by_node;  // slices with a node's name
  SliceList shared;                                     // all others
  absl::flat_hash_map<std::string, SliceList> by_pool;  // by PoolKey

  // Null if there is none; of several the last.
  std::shared_ptr<const Slice> Find(std::string_view name) const;
  void Add(const std::shared_ptr<const Slice>& slice);
  // `after` takes the place of `before` in every order that has both.
  void Replace(const std::shared_ptr<const Slice>& before,
               const std::shared_ptr<const Slice>& after);
  void Remove(const std::shared_ptr<const Slice>& slice);

 private:
  // The lists that a slice belongs in, besides `all`.
  SliceList& ListOfNode(const Slice& slice);
  SliceList& ListOfPool(const Slice& slice);
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
