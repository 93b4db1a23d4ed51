// Counters: what partitions of a device may still take from the counter sets they share, and which
// compatibility groups may go together there.
//
// One per search. What is left is computed once per pool and node: the sets' values less what
// allocated devices of the pool consume, wherever they are published for, and less what those
// consume that are no longer published. Picks of the search are charged and given back like a
// stack. Not thread-safe.
//
// Cost: a charge looks at the counters of that device only. Names are resolved into numbers once
// for all pools that name the same sets and counters, as those of equal nodes do, and once for each
// shape of device.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "allocator/problem.h"
#include "allocator/shortage.h"

namespace quadra::allocator {

class Counters {
 public:
  explicit Counters(const Problem& problem) : problem_(problem) {}

  // Whether the device's counters are left and its groups fit; they are then charged. A counter of
  // the pool that is overdrawn already blocks all its devices, also those that do not consume it.
  bool Charge(const Candidate& candidate);
  // Undoes the last Charge() that said yes, which was for this candidate.
  void Refund(const Candidate& candidate);
  // For another node.
  void Reset();
  // Whether Charge() would say yes now.
  bool CouldCharge(const Candidate& candidate);

  // A bound: no more of these devices, each once, could be charged at once; not looked for further
  // than `enough`. In counter_bound.cc.
  std::size_t MostTogether(std::span<const Candidate* const> candidates, std::size_t enough);
  // What bounds took so far, in steps of a search.
  std::uint64_t bound_steps() const { return bound_steps_; }

  // --- For explanations; in shortage.cc.
  // Whether the counters would suffice if nobody drew on them.
  bool CouldEverCharge(const Candidate& candidate);
  // Why Charge() says no, or with `nobody_holds` why CouldEverCharge() does.
  Shortage ShortageOf(const Candidate& candidate, bool nobody_holds);

 private:
  // What devices of one shape consume, in the numbers of a layout.
  struct Draw {
    struct Amount {
      std::size_t counter;
      quantity::Quantity value;
    };
    struct Membership {
      std::size_t set;
      const api::List<std::string>* groups;
    };
    std::vector<Amount> amounts;
    std::vector<Membership> memberships;
    bool is_plain = true;  // each counter once, nothing below zero
  };
  // Counters are numbered set by set, each by name.
  struct Layout {
    std::vector<const api::CounterSet*> sets;
    absl::flat_hash_map<const inventory::DeviceShape*, Draw> draws;
  };
  struct PoolCounters {
    Layout* layout = nullptr;              // null: not looked at on this node
    std::vector<quantity::Quantity> left;  // by counter; below 0: overdrawn
    std::size_t overdrawn = 0;
    std::vector<inventory::CompatibleGroups> groups;   // by set
    std::vector<inventory::CompatibleGroups> earlier;  // what charges replaced, the last on top
  };

  PoolCounters& Of(const inventory::Pool& pool);
  void Fill(const inventory::Pool& pool, PoolCounters& counters);
  void WithdrawHeld(const inventory::Pool& pool, PoolCounters& counters);
  Layout& LayoutOf(const inventory::Pool& pool);
  static const Draw& DrawOf(Layout& layout, const inventory::DeviceShape& shape);
  static Draw Resolve(const Layout& layout, const inventory::DeviceShape& shape);
  static void Withdraw(const inventory::DeviceShape& shape, PoolCounters& counters);
  static bool IsPlain(const Draw& draw);
  static Shortage UnfitGroups(const PoolCounters& counters, const Draw& draw);
  static std::size_t MostOfGroup(const PoolCounters& counters,
                                 const std::vector<const Draw*>& draws);
  std::size_t MostPackedOf(const PoolCounters& counters, const std::vector<const Draw*>& draws,
                           std::size_t enough);
  static bool GroupsFit(const PoolCounters& counters, const Draw& draw);
  static void Take(PoolCounters& counters, const Draw& draw);
  static void GiveBack(PoolCounters& counters, const Draw& draw);

  const Problem& problem_;
  std::vector<PoolCounters> pools_;               // by place in the node's pools
  std::vector<std::unique_ptr<Layout>> layouts_;  // of all nodes so far, the last used first
  std::uint64_t bound_steps_ = 0;
};

}  // namespace quadra::allocator
