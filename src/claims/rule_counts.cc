#include "claims/rule_counts.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>

#include "claims/pod_needs.h"

namespace quadra::claims {
namespace {

void CountPods(const api::DeviceTaintRule& rule, const Copies& copies, const TaintSources& sources,
               Time now, RuleCounts& counts) {
  const auto look_up = [&](const std::string& name) { return copies.claims.Find(name).get(); };
  std::set<std::string> namespaces;
  for (const PodPointer& pod : copies.pods.All()) {
    if (pod->metadata.deletion_timestamp || !HasClaims(*pod)) {
      continue;
    }
    const std::optional<PodEviction> eviction = EvictionOf(*pod, look_up, sources, now);
    if (eviction && eviction->rules.contains(rule.metadata.uid)) {
      ++counts.pods;
      namespaces.insert(pod->metadata.ns);
    }
  }
  counts.namespaces = namespaces.size();
}

std::map<std::string, std::int64_t> HighestGenerations(const Copies& copies) {
  std::map<std::string, std::int64_t> highest;  // by PoolKey
  for (const auto& slice : copies.slices.All()) {
    const std::int64_t generation = slice->spec.pool.generation;
    const auto [entry, is_new] =
        highest.try_emplace(PoolKey(slice->spec.driver, slice->spec.pool.name), generation);
    entry->second = std::max(entry->second, generation);
  }
  return highest;
}

std::size_t CountPublished(const api::DeviceTaintRule& rule, const Copies& copies) {
  const std::map<std::string, std::int64_t> highest = HighestGenerations(copies);
  std::ptrdiff_t count = 0;
  for (const auto& slice : copies.slices.All()) {
    const std::string& pool = slice->spec.pool.name;
    if (slice->spec.pool.generation == highest.at(PoolKey(slice->spec.driver, pool))) {
      count += std::ranges::count_if(slice->spec.devices, [&](const api::Device& device) {
        return Selects(rule, slice->spec.driver, pool, device.name);
      });
    }
  }
  return static_cast<std::size_t>(count);
}

std::size_t CountAllocated(const api::DeviceTaintRule& rule, const Copies& copies) {
  std::ptrdiff_t count = 0;
  for (const ClaimPointer& claim : copies.claims.All()) {
    count += std::ranges::count_if(DevicesOf(*claim), [&](const auto& device) {
      return Selects(rule, device.driver, device.pool, device.device);
    });
  }
  return static_cast<std::size_t>(count);
}

}  // namespace

RuleCounts CountEffect(const api::DeviceTaintRule& rule, const Copies& copies,
                       const TaintSources& sources, Time now) {
  RuleCounts counts;
  CountPods(rule, copies, sources, now, counts);
  if (rule.spec.taint.effect == "None") {
    counts.published_devices = CountPublished(rule, copies);
    counts.allocated_devices = CountAllocated(rule, copies);
  }
  return counts;
}

}  // namespace quadra::claims
