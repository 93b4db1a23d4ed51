// Counters: what partitions of a device may still take from the counter sets they share, and which
// compatibility groups may go together there.
//
// One per search. What is available is computed once per pool: the sets' values less what allocated
// devices of the pool consume, wherever they are published for, and less what those consume that
// are no longer published. Picks of the search are charged and given back like a stack.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "allocator/problem.h"

namespace quadra::allocator {

// Compatibility groups of the devices on one counter set: devices without groups go with their like
// only, others need a group that all of them have.
class GroupsInCommon {
 public:
  bool Admits(const api::List<std::string>& groups) const;
  void Add(const api::List<std::string>& groups);

 private:
  bool any_ = false;
  std::optional<std::set<std::string>> common_;  // none: no member has groups
};

class Counters {
 public:
  explicit Counters(const Problem& problem) : problem_(problem) {}

  // Whether the device's counters are left and its groups fit; they are then charged.
  bool Charge(const Candidate& candidate);
  // Undoes the last Charge() that said yes, which was for this candidate.
  void Refund(const Candidate& candidate);
  // For another node.
  void Reset() { pools_.clear(); }
  // Whether Charge() would say yes now.
  bool CouldCharge(const Candidate& candidate);

 private:
  using Sets = std::map<std::string, Amounts, std::less<>>;  // by counter set
  struct PoolCounters {
    Sets available;
    Sets taken;
    std::map<std::string, GroupsInCommon, std::less<>> groups;
    std::vector<std::map<std::string, GroupsInCommon, std::less<>>> earlier_groups;
  };

  PoolCounters& Of(const inventory::Pool& pool);
  PoolCounters Compute(const inventory::Pool& pool) const;
  // Takes what a held device consumes out of what is available.
  static void Withdraw(const inventory::DeviceShape& shape, PoolCounters& counters);
  static bool GroupsFit(PoolCounters& counters, const Candidate& candidate);
  static bool Exceeds(const PoolCounters& counters);
  static void Change(PoolCounters& counters, const Candidate& candidate, bool take);

  const Problem& problem_;
  absl::flat_hash_map<const inventory::Pool*, PoolCounters> pools_;
};

}  // namespace quadra::allocator
