#include "allocator/release.h"

namespace quadra::allocator {
namespace {

void AddHolders(const inventory::Held& held, const inventory::DeviceId& device,
                std::set<std::string>& keys) {
  if (const inventory::HeldDevice* found = held.Find(device)) {
    keys.insert(found->holders.begin(), found->holders.end());
  }
}

}  // namespace

std::set<std::string> HoldersSeenFrom(const inventory::NodeView& node,
                                      const inventory::Snapshot& cluster) {
  std::set<std::string> keys;
  for (const inventory::Pool& pool : node.pools) {
    for (const inventory::SliceList* slices : {&pool.slices, &pool.elsewhere}) {
      for (const auto& slice : *slices) {
        for (std::size_t i = 0; i < slice->devices.size(); ++i) {
          AddHolders(cluster.held(), slice->IdOf(i), keys);
        }
      }
    }
    if (const inventory::Unpublished* unpublished = cluster.UnpublishedOf(pool)) {
      for (const auto& [name, shape] : *unpublished) {
        AddHolders(cluster.held(), {pool.driver, pool.name, name}, keys);
      }
    }
  }
  return keys;
}

inventory::Snapshot Released(const inventory::Snapshot& cluster,
                             std::span<const std::string> keys) {
  inventory::Inventory fork = cluster.Fork();
  for (const std::string& key : keys) {
    fork.Release(key);
  }
  return fork.Take();
}

}  // namespace quadra::allocator
