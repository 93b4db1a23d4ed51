#include "claims/tainted_devices.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace quadra::claims {
namespace {

TaintedDevices::ByDevice TaintedIn(const api::ResourceSlice& slice) {
  TaintedDevices::ByDevice tainted;
  for (const api::Device& device : slice.spec.devices) {
    for (const api::DeviceTaint& taint : device.taints) {
      if (taint.effect == "NoExecute") {
        tainted[device.name].push_back(taint);
      }
    }
  }
  return tainted;
}

std::vector<std::string> Differences(const TaintedDevices::ByDevice& before,
                                     const TaintedDevices::ByDevice& now) {
  std::vector<std::string> different;
  for (const auto& [device, taints] : before) {
    const auto found = now.find(device);
    if (found == now.end() || found->second != taints) {
      different.push_back(device);
    }
  }
  for (const auto& [device, taints] : now) {
    if (!before.contains(device)) {
      different.push_back(device);
    }
  }
  return different;
}

}  // namespace

std::string PoolKey(const std::string& driver, const std::string& pool) {
  return driver + "/" + pool;
}

std::vector<std::string> TaintedDevices::Renew(Pool& pool) {
  std::int64_t highest = std::numeric_limits<std::int64_t>::min();
  for (const auto& [name, slice] : pool.slices) {
    highest = std::max(highest, slice.generation);
  }
  ByDevice now;
  for (const auto& [name, slice] : pool.slices) {
    if (slice.generation == highest) {
      now.insert(slice.tainted.begin(), slice.tainted.end());
    }
  }
  const ByDevice before = std::exchange(pool.tainted, std::move(now));
  return Differences(before, pool.tainted);
}

std::vector<std::string> TaintedDevices::Put(const api::ResourceSlice& slice) {
  Pool& pool = pools_[PoolKey(slice.spec.driver, slice.spec.pool.name)];
  pool.slices[slice.metadata.name] = {slice.spec.pool.generation, TaintedIn(slice)};
  return Renew(pool);
}

std::vector<std::string> TaintedDevices::Remove(const api::ResourceSlice& slice) {
  const auto found = pools_.find(PoolKey(slice.spec.driver, slice.spec.pool.name));
  if (found == pools_.end() || found->second.slices.erase(slice.metadata.name) == 0) {
    return {};
  }
  std::vector<std::string> changed = Renew(found->second);
  if (found->second.slices.empty()) {
    pools_.erase(found);
  }
  return changed;
}

auto TaintedDevices::Find(const std::string& pool_key, const std::string& device) const
    -> const Taints* {
  const auto pool = pools_.find(pool_key);
  if (pool == pools_.end()) {
    return nullptr;
  }
  const auto found = pool->second.tainted.find(device);
  return found == pool->second.tainted.end() ? nullptr : &found->second;
}

}  // namespace quadra::claims
