// NodeHealth: when a node was last heard of, by our clock: clocks of nodes do not matter. Pure.
//
//   health.Observe(node, lease_renewed, loop.Now());
//   if (health.IsSilent(node, grace, loop.Now()))
//     … UnknownConditions(node, loop.Now()) …
//
// A node is heard of when the heartbeat of its Ready condition or its lease's renewal has changed.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "api/kinds.h"
#include "base/clock.h"

namespace quadra::lifecycle {

// How long a node may be silent.
struct SilenceAllowed {
  std::chrono::seconds running;  // since it was heard of
  std::chrono::seconds startup;  // since it was made, where it never had a Ready condition
};

class NodeHealth {
 public:
  void Observe(const api::Node& node, std::optional<Time> lease_renewed, Time now);
  // As if it had been heard of now.
  void Forgive(Time now) { heard_ = now; }
  // Of the Ready condition, as last seen or written by us; empty: it has none.
  const std::string& ready() const { return ready_; }
  void SetReady(std::string status) { ready_ = std::move(status); }

  // REQUIRES: Observe() was called.
  bool IsSilent(const api::Node& node, const SilenceAllowed& allowed, Time now) const;

 private:
  bool known_ = false;
  Time heard_;
  std::string ready_;
  std::optional<Time> heartbeat_;
  std::optional<Time> renewed_;
};

// What the conditions of a node that is silent become: Ready and the pressures, those that are not
// Unknown yet. Empty where Ready is Unknown already.
std::vector<api::NodeCondition> UnknownConditions(const api::Node& node, Time now);

// A strategic merge patch of this state of the node alone, that sets these conditions.
std::string ConditionsPatch(const api::Node& node,
                            const std::vector<api::NodeCondition>& conditions);

}  // namespace quadra::lifecycle
