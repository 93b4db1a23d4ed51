#include "inventory/held.h"

#include <algorithm>
#include <utility>

namespace quadra::inventory {
namespace {

void Add(Amounts& amounts, const Amounts& added) {
  for (const auto& [name, amount] : added) {
    const auto [at, is_new] = amounts.try_emplace(name, amount);
    if (!is_new) {
      at->second.Add(amount);
    }
  }
}

void Subtract(Amounts& amounts, const Amounts& removed) {
  for (const auto& [name, amount] : removed) {
    if (const auto at = amounts.find(name); at != amounts.end()) {
      at->second.Sub(amount);
      if (at->second.IsZero()) {
        amounts.erase(at);
      }
    }
  }
}

}  // namespace

std::vector<Holding> HoldingsOf(const api::AllocationResult& allocation, bool consumable_capacity) {
  std::vector<Holding> holdings;
  for (const api::DeviceRequestAllocationResult& result : allocation.devices.results) {
    if (result.admin_access.value_or(false)) {
      continue;
    }
    Holding holding{.device = {result.driver, result.pool, result.device},
                    .shared = consumable_capacity && result.share_id.has_value(),
                    .consumed = {}};
    if (holding.shared) {
      for (const auto& [name, amount] : result.consumed_capacity) {
        holding.consumed.emplace(name, amount);
      }
    }
    holdings.push_back(std::move(holding));
  }
  return holdings;
}

void Held::Set(Epoch writer, const std::string& claim, Holder holder) {
  if (const Holder* before = HolderOf(claim)) {
    for (const Holding& holding : before->holdings) {
      Release(writer, claim, holding);
    }
  }
  for (const Holding& holding : holder.holdings) {
    Take(writer, claim, holding);
  }
  if (holder.holdings.empty()) {
    holders_.Erase(writer, claim);
  } else {
    holders_.Set(writer, claim, std::move(holder));
  }
}

void Held::Take(Epoch writer, const std::string& claim, const Holding& holding) {
  const HeldDevice* before = Find(holding.device);
  HeldDevice device = before != nullptr ? *before : HeldDevice();
  ++(holding.shared ? device.shares : device.exclusive);
  Add(device.consumed, holding.consumed);
  device.holders.push_back(claim);
  devices_.Set(writer, holding.device, std::make_shared<const HeldDevice>(std::move(device)));
}

void Held::Release(Epoch writer, const std::string& claim, const Holding& holding) {
  HeldDevice device = *Find(holding.device);
  --(holding.shared ? device.shares : device.exclusive);
  Subtract(device.consumed, holding.consumed);
  device.holders.erase(std::ranges::find(device.holders, claim));
  if (device.holders.empty()) {
    devices_.Erase(writer, holding.device);
  } else {
    devices_.Set(writer, holding.device, std::make_shared<const HeldDevice>(std::move(device)));
  }
}

}  // namespace quadra::inventory
