#include "scheduler/devices/devices.h"

#include <utility>

namespace quadra::scheduler {

struct Devices::State {
  State(const selector::Language& language, const api::FeatureGates& of)
      : gates(of),
        expressions(language),
        verdicts(expressions),
        inventory(language, inventory::FeaturesOf(of)) {}

  // After something was told or decided of the claim of that key.
  void Settle(const std::string& key);
  void ChangeClasses();

  const api::FeatureGates gates;
  selector::ExpressionCache expressions;
  allocator::Verdicts verdicts;
  inventory::Inventory inventory;
  ClaimCopies claims;
  absl::flat_hash_map<std::string, ClaimPtr> holders;  // by key, as the inventory has them
  NodeAnswers answers;
  std::unique_ptr<inventory::Snapshot> taken;                 // null: something has changed since
  std::unique_ptr<const placement::ExtendedResources> serve;  // null: likewise of classes
};

void Devices::State::Settle(const std::string& key) {
  ClaimPtr holder = claims.HolderOf(key);
  const auto known = holders.find(key);
  if (holder == nullptr) {
    if (known != holders.end()) {
      holders.erase(known);
      inventory.Release(key);
      taken.reset();
    }
    return;
  }
  const api::ResourceClaimStatus* const before =
      known == holders.end() ? nullptr : &known->second->status;
  if (before == nullptr || before->allocation != holder->status.allocation ||
      before->reserved_for != holder->status.reserved_for) {
    inventory.SetClaim(*holder);
    taken.reset();
  }
  holders.insert_or_assign(key, std::move(holder));
}

void Devices::State::ChangeClasses() {
  taken.reset();
  serve.reset();
  answers.Clear();
}

Devices::Devices(const selector::Language& language, const api::FeatureGates& gates)
    : state_(std::make_unique<State>(language, gates)) {}

Devices::~Devices() = default;

void Devices::Put(const api::ResourceSlice& slice) {
  state_->inventory.SetSlice(slice);
  state_->taken.reset();
}

void Devices::RemoveSlice(const std::string& name) {
  state_->inventory.RemoveSlice(name);
  state_->taken.reset();
}

void Devices::Put(api::DeviceClass device_class) {
  state_->inventory.SetClass(std::move(device_class));
  state_->ChangeClasses();
}

void Devices::RemoveClass(const std::string& name) {
  state_->inventory.RemoveClass(name);
  state_->ChangeClasses();
}

void Devices::Put(api::DeviceTaintRule rule) {
  state_->inventory.SetTaintRule(std::move(rule));
  state_->taken.reset();
}

void Devices::RemoveTaintRule(const std::string& name) {
  state_->inventory.RemoveTaintRule(name);
  state_->taken.reset();
}

void Devices::Put(api::Node node) {
  state_->inventory.SetNode(std::move(node));
  state_->taken.reset();
}

void Devices::RemoveNode(const std::string& name) {
  state_->inventory.RemoveNode(name);
  state_->taken.reset();
}

void Devices::Put(ClaimPtr claim, ClaimCopies::Told told) {
  const std::string key = inventory::ClaimKey(*claim);
  const ClaimPtr before = state_->claims.Find(claim->metadata.ns, claim->metadata.name);
  state_->claims.Put(std::move(claim), told);
  state_->Settle(key);
  if (before != nullptr && inventory::ClaimKey(*before) != key) {
    state_->Settle(inventory::ClaimKey(*before));
  }
}

void Devices::RemoveClaim(const api::ResourceClaim& claim) {
  state_->claims.Remove(claim);
  state_->Settle(inventory::ClaimKey(claim));
}

void Devices::Begin(ClaimPtr decided) {
  const std::string key = inventory::ClaimKey(*decided);
  state_->claims.Begin(std::move(decided));
  state_->Settle(key);
}

void Devices::End(const api::ResourceClaim& decided) {
  state_->claims.End(decided);
  state_->Settle(inventory::ClaimKey(decided));
}

ClaimPtr Devices::InFlight(const api::ResourceClaim& claim) const {
  return state_->claims.InFlight(claim);
}

void Devices::Assume(ClaimPtr written) {
  const std::string key = inventory::ClaimKey(*written);
  state_->claims.Assume(std::move(written));
  state_->Settle(key);
}

void Devices::Forget(std::string_view ns, std::string_view name) {
  const ClaimPtr claim = Find(ns, name);
  if (claim != nullptr) {
    state_->claims.Forget(ns, name);
    state_->Settle(inventory::ClaimKey(*claim));
  }
}

ClaimPtr Devices::Find(std::string_view ns, std::string_view name) const {
  return state_->claims.Find(ns, name);
}

std::vector<ClaimPtr> Devices::ExtendedClaimsOf(const api::Pod& pod) const {
  return state_->claims.ExtendedOf(pod);
}

const inventory::Snapshot& Devices::Take() {
  if (state_->taken == nullptr) {
    state_->taken = std::make_unique<inventory::Snapshot>(state_->inventory.Take());
    state_->answers.Follow(*state_->taken);
  }
  return *state_->taken;
}

NodeAnswers& Devices::answers() { return state_->answers; }

const ClaimCopies& Devices::claims() const { return state_->claims; }

void Devices::OnTold(const std::string& key, std::function<void()> call) {
  state_->claims.OnTold(key, std::move(call));
}

const placement::ExtendedResources& Devices::extended() {
  if (state_->serve == nullptr) {
    state_->serve = std::make_unique<placement::ExtendedResources>(Take().classes());
  }
  return *state_->serve;
}

allocator::Verdicts& Devices::verdicts() { return state_->verdicts; }

const api::FeatureGates& Devices::gates() const { return state_->gates; }

}  // namespace quadra::scheduler
