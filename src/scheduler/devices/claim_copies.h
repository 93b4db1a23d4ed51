// ClaimCopies: each claim as the server shows it, as our own last write left it, and as a pod that is
// being bound will have it.
//
//   copies.Put(claim, ClaimCopies::Told::kByWatch);
//   copies.Begin(decided);  …  copies.Assume(written);  …  copies.End(decided);
//   copies.Find("team-a", "gpus")      // our own write, until the server's copy is as new
//   copies.FirstShown(*claim)          // the revision that first showed its present allocation
//
// Threads: the scheduler's loop. Cost of each call: a look-up.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "scheduler/devices/claim_ptr.h"

namespace quadra::scheduler {

class ClaimCopies {
 public:
  // How the server told of a claim. What a list shows was so before all that a watch shows later.
  enum class Told : std::uint8_t { kByWatch, kByList };

  void Put(ClaimPtr claim, Told told);
  void Remove(const api::ResourceClaim& claim);
  void Begin(ClaimPtr decided);
  void End(const api::ResourceClaim& decided);
  ClaimPtr InFlight(const api::ResourceClaim& claim) const;
  void Assume(ClaimPtr written);
  void Forget(std::string_view ns, std::string_view name);

  ClaimPtr Find(std::string_view ns, std::string_view name) const;
  // By its key (inventory::ClaimKey); null where the server does not show it.
  ClaimPtr FindShown(const std::string& key) const;
  // Whose devices count as held under the key: as Find has it if it is allocated then, else the
  // allocation in flight; null: nobody's.
  ClaimPtr HolderOf(const std::string& key) const;
  // 0: there is none, or a list showed it.
  std::uint64_t FirstShown(const std::string& key) const;
  // Whether the server's copy is as new as this one, or gone after it was there.
  bool IsShown(const api::ResourceClaim& written) const;
  // Calls once, when the server next tells something of the claim.
  void OnTold(const std::string& key, std::function<void()> call);
  // Claims that were made for extended resources of the pod with this uid.
  std::vector<ClaimPtr> ExtendedOf(const api::Pod& pod) const;

 private:
  struct Copies {
    ClaimPtr shown;    // null: only our own write is known
    ClaimPtr assumed;  // newer than `shown`; null: there was none
    std::uint64_t first_shown = 0;
  };
  struct Flight {
    ClaimPtr decided;
    int pods = 1;
  };
  const Copies* CopiesOf(std::string_view ns, std::string_view name) const;
  static ClaimPtr Newest(const Copies& copies);
  void Tell(const std::string& key);
  void Index(const api::ResourceClaim& claim);
  void Unindex(const api::ResourceClaim& claim);

  absl::flat_hash_map<std::string, Copies> copies_;                      // by full name
  absl::flat_hash_map<std::string, std::string> names_;                  // full names, by key
  absl::flat_hash_map<std::string, Flight> in_flight_;                   // by key
  absl::flat_hash_map<std::string, std::vector<std::string>> extended_;  // full names, by pod's uid
  absl::flat_hash_map<std::string, std::vector<std::function<void()>>> waiting_;  // by key
};

}  // namespace quadra::scheduler
