// ClaimBook: the claims of a cluster, with what was decided since and is not written yet.
//
// Claims that pods get from templates are made here as the claim controller would make them, except
// that their names are not random: POD-NAME, with a number behind where that is taken.
//
//   ClaimBook book(cluster);
//   OrRefusal<std::vector<api::ResourceClaim>> claims = book.ClaimsOf(pod);
//   … allocate, reserve …   book.Put(claim);   // from then on that is what others find
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "api/kinds.h"
#include "placement/cluster.h"
#include "reasons/refusal.h"

namespace quadra::placement {

// That pods on nodes use claims which the cluster lacks, so that what looks free may be held: a
// sentence with their names and the command that would tell. Empty where none is missing.
std::string TextOfMissingClaims(const Cluster& cluster);

// Not thread-safe; pointers hold until the next Put.
class ClaimBook {
 public:
  // `cluster` must outlive this and not change. Cost: its claims, once.
  explicit ClaimBook(const Cluster& cluster);

  // The claim as it stands now; null if there is none.
  const api::ResourceClaim* Find(std::string_view ns, std::string_view name) const;
  void Put(api::ResourceClaim claim) { changed_.Put(std::move(claim)); }

  // The claims of spec.resourceClaims, in order; those to be made from templates too, which are not
  // in the book until they are put there. Claims that were deliberately not made are left out.
  // One that is named twice is there twice until it is allocated: upstream's scheduler looks for
  // devices for each. One that is being deleted serves pods that are on a node, as long as it is
  // allocated. Refused in the scheduler's words for why the pod has to wait.
  reasons::OrRefusal<std::vector<api::ResourceClaim>> ClaimsOf(const api::Pod& pod) const;
  // What the scheduler made for the pod's extended resources in an earlier attempt; null if
  // nothing.
  const api::ResourceClaim* FindExtendedClaim(const api::Pod& pod) const;
  // `wanted`, or with a number behind it, so that no claim has it yet.
  std::string FreeName(std::string_view ns, const std::string& wanted) const;

 private:
  using Found = reasons::OrRefusal<std::optional<api::ResourceClaim>>;
  Found ClaimOf(const api::Pod& pod, const api::PodResourceClaim& entry) const;
  Found Existing(const api::Pod& pod, const std::string& name, bool must_be_owned) const;
  Found Make(const api::Pod& pod, const api::PodResourceClaim& entry) const;

  const Cluster& cluster_;
  Shelf<api::ResourceClaim> changed_;
  // Names of claims that pods own, by namespace, owner and the pod's name for them. They stand in
  // for the status of a pod whose controller made the claim and did not come to say so.
  absl::flat_hash_map<std::string, std::string> owned_;
};

}  // namespace quadra::placement
