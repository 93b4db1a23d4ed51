// NodeMeters: the numbers of the node lifecycle controller, by upstream's names. Private to
// src/lifecycle.
//
// Threads: the controller's loop; what it counts may be printed by any thread, also after it has
// gone.
#pragma once

#include <map>
#include <memory>
#include <string>

#include "base/mutex.h"
#include "lifecycle/zones.h"
#include "metrics/registry.h"

namespace quadra::lifecycle {

class NodeMeters {
 public:
  // REQUIRES: the registry has no node lifecycle's numbers yet, and outlives this.
  explicit NodeMeters(metrics::Registry& registry);

  // Of all zones that have nodes which count. One that has none any more is told of as empty and well.
  void SetZones(const std::map<std::string, ZoneCount>& counts) { shown_->Set(counts); }
  // So that the zone is told of before the first of its nodes is given up.
  void MeetZone(const std::string& zone) { evictions_.With({zone}); }
  void CountEviction(const std::string& zone) { evictions_.With({zone}).Add(); }
  // How long it took to look at one node, and at all.
  void ObserveNode(double seconds) { node_seconds_.Observe(seconds); }
  void ObserveAll(double seconds) { all_seconds_.Observe(seconds); }

 private:
  using Number = double (*)(const ZoneCount& zone);

  class Shown {
   public:
    void Set(const std::map<std::string, ZoneCount>& counts);
    void Tell(const metrics::Report& report, Number number) const;

   private:
    mutable Mutex mutex_;
    std::map<std::string, ZoneCount> zones_ QUADRA_GUARDED_BY(mutex_);
  };

  void Show(metrics::Registry& registry, metrics::FamilyOptions options, Number number) const;

  const std::shared_ptr<Shown> shown_ = std::make_shared<Shown>();
  metrics::Family<metrics::Counter>& evictions_;
  metrics::Histogram& node_seconds_;
  metrics::Histogram& all_seconds_;
};

}  // namespace quadra::lifecycle
