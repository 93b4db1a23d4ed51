// Rivals: whether somebody else had a claim's devices before it, as the server's order of writes tells.
//
//   if (const auto rival = FindRival(written, RevisionOf(written.metadata), devices, copies)) …   // we give back
//
// Of two claims that cannot both have what they have the one is later whose allocation was written
// later; what a list showed was there before. Whoever sees both decides the same.
//
// Pure. Cost: the holders of the claim's devices; for partitions those of their pools.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "api/kinds.h"
#include "inventory/inventory.h"
#include "scheduler/devices/claim_copies.h"

namespace quadra::scheduler {

struct Rival {
  std::string claim;  // namespace/name
  inventory::DeviceId device;
};

// `mine` has had its devices since that revision; `devices` and `copies` show it and all before it.
// 0: since before all that a watch showed; others that were there then may be the earlier ones.
std::optional<Rival> FindRival(const api::ResourceClaim& mine, std::uint64_t since,
                               const inventory::Snapshot& devices, const ClaimCopies& copies);

}  // namespace quadra::scheduler
