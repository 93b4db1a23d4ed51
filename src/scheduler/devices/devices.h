// Devices: what the scheduler knows of claims, classes and devices, with what it has decided and has not
// seen come back yet.
//
// Two things make a device taken before the server says so: an allocation in flight (Reserve decided
// it, PreBind has not written it) and an assumed claim (written, and our own copy is older).
//
//   devices.Put(claim);  devices.Put(slice);  …            // by informers
//   const inventory::Snapshot& now = devices.Take();       // in-flight allocations count as held
//   devices.Begin(decided);  …  devices.Assume(written);  devices.End(decided);
//
// Threads: the scheduler's loop. Cost: that of Inventory; Take() copies nothing while nothing changed.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "allocator/allocator.h"
#include "api/kinds.h"
#include "api/vocabulary.h"
#include "inventory/inventory.h"
#include "placement/place.h"
#include "scheduler/devices/claim_copies.h"
#include "scheduler/devices/claim_ptr.h"
#include "scheduler/devices/node_answers.h"
#include "selector/selector.h"

namespace quadra::scheduler {

class Devices {
 public:
  // `language` must outlive this.
  Devices(const selector::Language& language, const api::FeatureGates& gates);
  ~Devices();
  Devices(const Devices&) = delete;
  Devices& operator=(const Devices&) = delete;

  // --- What the server says. Put replaces the object of that name.
  void Put(const api::ResourceSlice& slice);
  void RemoveSlice(const std::string& name);
  void Put(api::DeviceClass device_class);
  void RemoveClass(const std::string& name);
  void Put(api::DeviceTaintRule rule);
  void RemoveTaintRule(const std::string& name);
  void Put(api::Node node);
  void RemoveNode(const std::string& name);
  // An older resourceVersion than an assumed one changes nothing yet.
  void Put(ClaimPtr claim, ClaimCopies::Told told = ClaimCopies::Told::kByWatch);
  void RemoveClaim(const api::ResourceClaim& claim);

  // --- What we decided.
  // The claim's allocation counts as held until End(): Reserve decided it. Once a pod that shares it.
  void Begin(ClaimPtr decided);
  void End(const api::ResourceClaim& decided);
  // The allocation that is in flight for the claim; null where none is.
  ClaimPtr InFlight(const api::ResourceClaim& claim) const;
  // As a write answered it: valid until the server's copy is as new.
  void Assume(ClaimPtr written);
  // Back to the server's copy.
  void Forget(std::string_view ns, std::string_view name);

  // --- Reading.
  // As assumed, else as the server has it; null where there is none.
  ClaimPtr Find(std::string_view ns, std::string_view name) const;
  // The claims that were made for extended resources of the pod, by its uid.
  std::vector<ClaimPtr> ExtendedClaimsOf(const api::Pod& pod) const;
  // What is published, and held by then.
  const inventory::Snapshot& Take();
  // What nodes said of the devices that Take() shows.
  NodeAnswers& answers();
  // The claims by themselves.
  const ClaimCopies& claims() const;
  // Calls once, when the server next tells something of the claim (inventory::ClaimKey).
  void OnTold(const std::string& key, std::function<void()> call);
  // Which resource a class serves, of the classes as they are.
  const placement::ExtendedResources& extended();
  allocator::Verdicts& verdicts();
  const api::FeatureGates& gates() const;

 private:
  struct State;
  const std::unique_ptr<State> state_;
};

}  // namespace quadra::scheduler
