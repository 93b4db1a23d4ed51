#include "lifecycle/absent_owners.h"

#include <tuple>
#include <utility>

namespace quadra::lifecycle {
namespace {

auto Ranked(const Identity& identity) {
  return std::tie(identity.kind, identity.api_version, identity.ns, identity.name, identity.uid);
}

}  // namespace

std::strong_ordering operator<=>(const Identity& a, const Identity& b) {
  return Ranked(a) <=> Ranked(b);
}

Identity IdentityOf(const api::OwnerReference& owner, std::string ns) {
  return {.api_version = owner.api_version,
          .kind = owner.kind,
          .ns = std::move(ns),
          .name = owner.name,
          .uid = owner.uid};
}

bool Matches(const api::OwnerReference& owner, const Identity& identity) {
  return owner.uid == identity.uid && owner.name == identity.name && owner.kind == identity.kind &&
         owner.api_version == identity.api_version;
}

void AbsentOwners::Add(const Identity& owner) {
  if (Has(owner)) {
    return;
  }
  recent_.push_front(owner);
  places_.emplace(owner, recent_.begin());
  if (recent_.size() > kMost) {
    places_.erase(recent_.back());
    recent_.pop_back();
  }
}

bool AbsentOwners::Has(const Identity& owner) {
  const auto found = places_.find(owner);
  if (found == places_.end()) {
    return false;
  }
  recent_.splice(recent_.begin(), recent_, found->second);
  return true;
}

}  // namespace quadra::lifecycle
