// Zones: how many nodes of each zone are well, and how fast pods may therefore be evicted: where many
// nodes fail at once, it is rather the network between them and us. Pure; times are given.
//
//   zones.QueueOf(ZoneOf(node), now).Add(node.metadata.name);
//   switch (zones.Judge(counts, now)) { case Zones::Turn::kAllLost: … }
//   while (auto node = zones.QueueOf(zone, now).Take(now)) … taint it …
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "lifecycle/lifecycle.h"

namespace quadra::lifecycle {

// Nodes that are to be tainted, in the order in which they were added, and no more of them in a
// second than the rate says; one at once.
class TaintQueue {
 public:
  TaintQueue(double rate, Time now) : rate_(rate), counted_(now) {}

  // Whether it was not in the queue.
  bool Add(const std::string& node);
  void Remove(const std::string& node);
  // Zero: none.
  void SetRate(double rate, Time now);
  // The next, whose turn it is; it is not in the queue any more.
  std::optional<std::string> Take(Time now);
  bool empty() const { return nodes_.empty(); }
  // When Take() will give one; absent: not until something changes.
  std::optional<Time> Next(Time now) const;

 private:
  double TokensAt(Time now) const;

  double rate_;
  double tokens_ = 1;
  Time counted_;  // when there were so many tokens
  std::deque<std::string> nodes_;
};

enum class ZoneState : std::uint8_t { kInitial, kNormal, kPartialDisruption, kFullDisruption };

struct ZoneCount {
  int ready = 0;
  int unready = 0;
  int size() const { return ready + unready; }
};

// Full: no node is ready. Partial: more than two are not, and that is this share of them or more.
ZoneState StateOf(const ZoneCount& count, double unhealthy_share);
// In nodes a second.
double EvictionRate(ZoneState state, int size, const NodeLifecycleOptions& options);

class Zones {
 public:
  enum class Turn : std::uint8_t {
    kNone,
    kAllLost,   // no node of any zone is ready any more: nobody is evicted
    kSomeBack,  // some are again
  };

  explicit Zones(const NodeLifecycleOptions& options) : options_(options) {}

  // Of a zone that may be new.
  TaintQueue& QueueOf(const std::string& zone, Time now);
  std::vector<std::string> Names() const;
  // Sets the rates. `counts`: of all zones that have nodes which count. Other zones stay as they are
  // as long as somebody is in their queue, and are forgotten then.
  Turn Judge(const std::map<std::string, ZoneCount>& counts, Time now);

 private:
  struct Zone {
    ZoneState state = ZoneState::kInitial;
    TaintQueue queue;
  };

  using Counts = std::map<std::string, ZoneCount>;

  bool WereAllLost(const Counts& counts) const;
  bool AreAllLost(const Counts& counts) const;
  void SetAll(const Counts& counts, Time now);
  void StopAll(const Counts& counts, Time now);

  const NodeLifecycleOptions options_;
  std::map<std::string, Zone> zones_;
};

}  // namespace quadra::lifecycle
