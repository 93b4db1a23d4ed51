#include "inventory/held.h"

#include <algorithm>
#include <utility>

namespace quadra::inventory {
namespace {

// Deeper chains of layers are folded into one, so that looking up stays cheap.
constexpr std::size_t kMostLayers = 8;

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

void Held::Set(const std::string& claim, Holder holder) {
  if (const Holder* before = HolderOf(claim)) {
    for (const Holding& holding : std::vector<Holding>(before->holdings)) {
      Release(claim, holding);
    }
  }
  for (const Holding& holding : holder.holdings) {
    Take(claim, holding);
  }
  Writable().holders[claim] = std::move(holder);
}

const HeldDevice* Held::Find(const DeviceId& device) const {
  for (const Layer* layer = top_.get(); layer != nullptr; layer = layer->below.get()) {
    if (const auto found = layer->devices.find(device); found != layer->devices.end()) {
      const bool nobody = found->second.exclusive == 0 && found->second.shares == 0;
      return nobody ? nullptr : &found->second;
    }
  }
  return nullptr;
}

const Holder* Held::HolderOf(const std::string& claim) const {
  for (const Layer* layer = top_.get(); layer != nullptr; layer = layer->below.get()) {
    if (const auto found = layer->holders.find(claim); found != layer->holders.end()) {
      return found->second.holdings.empty() ? nullptr : &found->second;
    }
  }
  return nullptr;
}

Held::Layer& Held::Writable() {
  if (top_.use_count() == 1) {
    return *top_;
  }
  auto fresh = std::make_shared<Layer>();
  if (top_->depth + 1 < kMostLayers) {
    fresh->below = top_;
    fresh->depth = top_->depth + 1;
  } else {
    for (const Layer* layer = top_.get(); layer != nullptr; layer = layer->below.get()) {
      fresh->devices.insert(layer->devices.begin(), layer->devices.end());
      fresh->holders.insert(layer->holders.begin(), layer->holders.end());
    }
  }
  top_ = std::move(fresh);
  return *top_;
}

HeldDevice& Held::WritableDevice(const DeviceId& device) {
  const HeldDevice* before = Find(device);
  HeldDevice copy = before != nullptr ? *before : HeldDevice();
  return Writable().devices.insert_or_assign(device, std::move(copy)).first->second;
}

void Held::Take(const std::string& claim, const Holding& holding) {
  HeldDevice& device = WritableDevice(holding.device);
  ++(holding.shared ? device.shares : device.exclusive);
  Add(device.consumed, holding.consumed);
  device.holders.push_back(claim);
}

void Held::Release(const std::string& claim, const Holding& holding) {
  HeldDevice& device = WritableDevice(holding.device);
  --(holding.shared ? device.shares : device.exclusive);
  Subtract(device.consumed, holding.consumed);
  device.holders.erase(std::ranges::find(device.holders, claim));
}

}  // namespace quadra::inventory
