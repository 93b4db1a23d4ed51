// ClaimBook: the claims of a dump, with what was decided since.
//
// Claims that pods get from templates are made here as the claim controller would make them, except
// that their names are not random: POD-NAME, with a number behind where that is taken.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "api/kinds.h"
#include "base/result.h"
#include "offline/dump.h"

namespace quadra::offline {

inline constexpr std::string_view kPodClaimAnnotation = "resource.kubernetes.io/pod-claim-name";

// Not thread-safe; pointers hold until the next Put.
class ClaimBook {
 public:
  // `dump` must outlive this and not change.
  explicit ClaimBook(const Dump& dump);

  // The claim as it stands now; null if there is none.
  const api::ResourceClaim* Find(std::string_view ns, std::string_view name) const;
  void Put(api::ResourceClaim claim) { changed_.Put(std::move(claim)); }

  // The claims of spec.resourceClaims, in order; those to be made from templates too, which are not
  // in the book until they are put there. Claims that were deliberately not made are left out,
  // and one that is named twice is there once.
  // Errors are the scheduler's words for why the pod has to wait.
  Result<std::vector<api::ResourceClaim>> ClaimsOf(const api::Pod& pod) const;
  // What the scheduler made for the pod's extended resources in an earlier attempt; null if
  // nothing.
  const api::ResourceClaim* FindExtendedClaim(const api::Pod& pod) const;
  // `wanted`, or with a number behind it, so that no claim has it yet.
  std::string FreeName(std::string_view ns, std::string wanted) const;

 private:
  Result<std::optional<api::ResourceClaim>> ClaimOf(const api::Pod& pod,
                                                    const api::PodResourceClaim& entry) const;
  Result<api::ResourceClaim> Existing(const api::Pod& pod, const std::string& name,
                                      bool must_be_owned) const;
  Result<api::ResourceClaim> FromTemplate(const api::Pod& pod,
                                          const api::PodResourceClaim& entry) const;

  const Dump& dump_;
  Shelf<api::ResourceClaim> changed_;
  // Names of claims that pods own, by namespace, owner and the pod's name for them.
  absl::flat_hash_map<std::string, std::string> owned_;
};

// Whether the pod's controller made the claim for it.
bool IsOwnedBy(const api::ResourceClaim& claim, const api::Pod& pod);

}  // namespace quadra::offline
