// EvictionMeters: the numbers of device taint eviction, by upstream's names.
#pragma once

#include <array>

#include "metrics/registry.h"

namespace quadra::claims {

inline constexpr std::array kDeletionDurations = {0.005, 0.025, 0.1,  0.5,   1.0,   2.5,
                                                  10.0,  30.0,  60.0, 120.0, 180.0, 240.0};

// REQUIRES: the registry has none yet, and outlives this.
struct EvictionMeters {
  explicit EvictionMeters(metrics::Registry& registry)
      : deletions(registry.Counters({.name = "device_taint_eviction_controller_pod_deletions_total",
                                     .help = "How many pods were deleted for device taints."})),
        durations(registry.Histograms(
            {.name = "device_taint_eviction_controller_pod_deletion_duration_seconds",
             .help = "Seconds from when a device taint ended a pod until it was deleted.",
             .bounds = kDeletionDurations})) {}

  metrics::Family<metrics::Counter>& deletions;
  metrics::Family<metrics::Histogram>& durations;
};

}  // namespace quadra::claims
