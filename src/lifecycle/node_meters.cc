#include "lifecycle/node_meters.h"

#include <array>
#include <utility>

namespace quadra::lifecycle {

namespace {

// Each bound is four times the one before.
constexpr std::array kNodeSeconds = {0.001, 0.004, 0.016, 0.064, 0.256, 1.024, 4.096, 16.384};
constexpr std::array kAllSeconds = {0.01, 0.04, 0.16, 0.64, 2.56, 10.24, 40.96, 163.84};

double SizeOf(const ZoneCount& zone) { return zone.size(); }
double UnhealthyOf(const ZoneCount& zone) { return zone.unready; }
double HealthOf(const ZoneCount& zone) {
  return zone.size() == 0 ? 100 : 100.0 * zone.ready / zone.size();
}

}  // namespace

NodeMeters::NodeMeters(metrics::Registry& registry)
    : evictions_(registry.Counters({.name = "node_collector_evictions_total",
                                    .help = "How many nodes were tainted so that their pods leave.",
                                    .labels = {"zone"}})),
      node_seconds_(registry
                        .Histograms({.name = "node_collector_update_node_health_duration_seconds",
                                     .help = "Seconds that it took to look at a node.",
                                     .bounds = kNodeSeconds})
                        .With({})),
      all_seconds_(
          registry
              .Histograms({.name = "node_collector_update_all_nodes_health_duration_seconds",
                           .help = "Seconds that it took to look at all nodes.",
                           .bounds = kAllSeconds})
              .With({})) {
  Show(
      registry,
      {.name = "node_collector_zone_size", .help = "How many nodes there are.", .labels = {"zone"}},
      SizeOf);
  Show(registry,
       {.name = "node_collector_zone_health",
        .help = "How many nodes of a hundred are ready.",
        .labels = {"zone"}},
       HealthOf);
  Show(registry,
       {.name = "node_collector_unhealthy_nodes_in_zone",
        .help = "How many nodes are not ready.",
        .labels = {"zone"}},
       UnhealthyOf);
}

void NodeMeters::Show(metrics::Registry& registry, metrics::FamilyOptions options,
                      Number number) const {
  registry.Compute(
      std::move(options), metrics::Kind::kGauge,
      [shown = shown_, number](const metrics::Report& report) { shown->Tell(report, number); });
}

void NodeMeters::Shown::Set(const std::map<std::string, ZoneCount>& counts) {
  MutexLock lock(mutex_);
  for (auto& [name, zone] : zones_) {
    zone = {};
  }
  for (const auto& [name, zone] : counts) {
    zones_[name] = zone;
  }
}

void NodeMeters::Shown::Tell(const metrics::Report& report, Number number) const {
  MutexLock lock(mutex_);
  for (const auto& [name, zone] : zones_) {
    report({name}, number(zone));
  }
}

}  // namespace quadra::lifecycle
