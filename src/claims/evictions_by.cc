#include <algorithm>
#include <string>
#include <tuple>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "claims/eviction.h"
#include "claims/pod_eviction.h"

namespace quadra::claims {

std::vector<Eviction> EvictionsBy(const api::DeviceTaintRule& rule, const Bystanders& bystanders,
                                  Time now) {
  absl::flat_hash_map<std::string, const api::ResourceClaim*> by_name;
  for (const api::ResourceClaim* const claim : bystanders.claims) {
    by_name.emplace(api::FullNameOf(*claim), claim);
  }
  const auto look_up = [&](const std::string& name) -> const api::ResourceClaim* {
    const auto found = by_name.find(name);
    return found == by_name.end() ? nullptr : found->second;
  };
  std::vector<Eviction> evictions;
  for (const api::Pod* const pod : bystanders.pods) {
    if (auto found = EvictionOf(*pod, look_up, {.published = nullptr, .rules = {&rule}}, now)) {
      evictions.push_back({pod->metadata.ns, pod->metadata.name, pod->metadata.uid, found->at,
                           std::move(found->claim), std::move(found->device)});
    }
  }
  std::ranges::sort(evictions, {}, [](const Eviction& eviction) {
    return std::tie(eviction.at, eviction.ns, eviction.name);
  });
  return evictions;
}

}  // namespace quadra::claims
