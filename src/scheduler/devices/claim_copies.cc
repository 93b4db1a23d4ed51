#include "scheduler/devices/claim_copies.h"

#include <algorithm>
#include <utility>

#include "inventory/inventory.h"
#include "placement/place.h"
#include "placement/pod_claims.h"
#include "scheduler/framework/revision.h"

namespace quadra::scheduler {
namespace {

using inventory::ClaimKey;

bool HasAllocation(const ClaimPtr& claim) {
  return claim != nullptr && claim->status.allocation.has_value();
}

// The pod for whose extended resources the claim was made; empty: it was not.
std::string ExtendedPodOf(const api::ResourceClaim& claim) {
  const std::string* made = claim.metadata.annotations.Find(placement::kExtendedClaimAnnotation);
  const api::OwnerReference* owner = placement::ControllerOf(claim);
  return made != nullptr && *made == "true" && owner != nullptr ? owner->uid : "";
}

}  // namespace

void ClaimCopies::Put(ClaimPtr claim, Told told) {
  const std::string key = ClaimKey(*claim);
  Copies& copies = copies_[api::FullNameOf(*claim)];
  if (copies.shown != nullptr && ClaimKey(*copies.shown) != key) {
    Unindex(*copies.shown);
    copies = {};
  }
  if (!HasAllocation(claim) || told == Told::kByList) {
    copies.first_shown = 0;
  } else if (copies.shown == nullptr ||
             copies.shown->status.allocation != claim->status.allocation) {
    copies.first_shown = RevisionOf(claim->metadata);
  }
  if (copies.assumed != nullptr &&
      (ClaimKey(*copies.assumed) != key ||
       RevisionOf(copies.assumed->metadata) <= RevisionOf(claim->metadata))) {
    copies.assumed = nullptr;
  }
  Index(*claim);
  copies.shown = std::move(claim);
  Tell(key);
}

void ClaimCopies::Remove(const api::ResourceClaim& claim) {
  const auto found = copies_.find(api::FullNameOf(claim));
  if (found != copies_.end()) {
    copies_.erase(found);
  }
  Unindex(claim);
  Tell(ClaimKey(claim));
}

void ClaimCopies::Begin(ClaimPtr decided) {
  const auto [at, added] = in_flight_.try_emplace(ClaimKey(*decided));
  if (added) {
    at->second.decided = std::move(decided);
  } else {
    ++at->second.pods;
  }
}

void ClaimCopies::End(const api::ResourceClaim& decided) {
  const auto found = in_flight_.find(ClaimKey(decided));
  if (found != in_flight_.end() && --found->second.pods == 0) {
    in_flight_.erase(found);
  }
}

ClaimPtr ClaimCopies::InFlight(const api::ResourceClaim& claim) const {
  const auto found = in_flight_.find(ClaimKey(claim));
  return found == in_flight_.end() ? nullptr : found->second.decided;
}

void ClaimCopies::Assume(ClaimPtr written) {
  Copies& copies = copies_[api::FullNameOf(*written)];
  const ClaimPtr newest = Newest(copies);
  if (newest != nullptr && ClaimKey(*newest) == ClaimKey(*written) &&
      RevisionOf(newest->metadata) >= RevisionOf(written->metadata)) {
    return;
  }
  Index(*written);
  copies.assumed = std::move(written);
}

void ClaimCopies::Forget(std::string_view ns, std::string_view name) {
  const auto found = copies_.find(api::FullName(ns, name));
  if (found == copies_.end()) {
    return;
  }
  if (found->second.shown == nullptr) {
    Unindex(*found->second.assumed);
    copies_.erase(found);
  } else {
    found->second.assumed = nullptr;
  }
}

ClaimPtr ClaimCopies::Find(std::string_view ns, std::string_view name) const {
  const Copies* const copies = CopiesOf(ns, name);
  return copies == nullptr ? nullptr : Newest(*copies);
}

ClaimPtr ClaimCopies::FindShown(const std::string& key) const {
  const auto name = names_.find(key);
  const auto found = name == names_.end() ? copies_.end() : copies_.find(name->second);
  const bool shown = found != copies_.end() && found->second.shown != nullptr &&
                     ClaimKey(*found->second.shown) == key;
  return shown ? found->second.shown : nullptr;
}

ClaimPtr ClaimCopies::HolderOf(const std::string& key) const {
  const auto name = names_.find(key);
  if (name != names_.end()) {
    const auto found = copies_.find(name->second);
    ClaimPtr newest = found == copies_.end() ? nullptr : Newest(found->second);
    if (HasAllocation(newest) && ClaimKey(*newest) == key) {
      return newest;
    }
  }
  const auto flight = in_flight_.find(key);
  return flight == in_flight_.end() ? nullptr : flight->second.decided;
}

std::uint64_t ClaimCopies::FirstShown(const std::string& key) const {
  const auto name = names_.find(key);
  const auto found = name == names_.end() ? copies_.end() : copies_.find(name->second);
  return found == copies_.end() ? 0 : found->second.first_shown;
}

bool ClaimCopies::IsShown(const api::ResourceClaim& written) const {
  const ClaimPtr shown = FindShown(ClaimKey(written));
  return shown != nullptr && RevisionOf(shown->metadata) >= RevisionOf(written.metadata);
}

void ClaimCopies::OnTold(const std::string& key, std::function<void()> call) {
  waiting_[key].push_back(std::move(call));
}

void ClaimCopies::Tell(const std::string& key) {
  const auto found = waiting_.find(key);
  if (found == waiting_.end()) {
    return;
  }
  const std::vector<std::function<void()>> calls = std::move(found->second);
  waiting_.erase(found);
  for (const std::function<void()>& call : calls) {
    call();
  }
}

std::vector<ClaimPtr> ClaimCopies::ExtendedOf(const api::Pod& pod) const {
  std::vector<ClaimPtr> claims;
  const auto found = extended_.find(pod.metadata.uid);
  if (found == extended_.end()) {
    return claims;
  }
  for (const std::string& name : found->second) {
    claims.push_back(Newest(copies_.at(name)));
  }
  return claims;
}

const ClaimCopies::Copies* ClaimCopies::CopiesOf(std::string_view ns, std::string_view name) const {
  const auto found = copies_.find(api::FullName(ns, name));
  return found == copies_.end() ? nullptr : &found->second;
}

ClaimPtr ClaimCopies::Newest(const Copies& copies) {
  return copies.assumed != nullptr ? copies.assumed : copies.shown;
}

void ClaimCopies::Index(const api::ResourceClaim& claim) {
  const std::string name = api::FullNameOf(claim);
  names_.insert_or_assign(ClaimKey(claim), name);
  if (const std::string pod = ExtendedPodOf(claim); !pod.empty()) {
    std::vector<std::string>& names = extended_[pod];
    if (std::ranges::find(names, name) == names.end()) {
      names.push_back(name);
    }
  }
}

void ClaimCopies::Unindex(const api::ResourceClaim& claim) {
  names_.erase(ClaimKey(claim));
  const auto found = extended_.find(ExtendedPodOf(claim));
  if (found != extended_.end()) {
    std::erase(found->second, api::FullNameOf(claim));
    if (found->second.empty()) {
      extended_.erase(found);
    }
  }
}

}  // namespace quadra::scheduler
