// Trial: whether the claims of a problem would fit the node if something were otherwise.
//
// Each question is a search of its own, under a budget smaller than that of an answer.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "allocator/allocator.h"
#include "allocator/problem.h"

namespace quadra::allocator {

class Trial {
 public:
  using Fit = Allocator::Fit;

  explicit Trial(Problem& problem);

  // If nobody held anything.
  Fit WithoutHolders();
  // If every request tolerated all taints.
  Fit WithoutTaints();
  // If the claims had no constraints, or one of them did not have this one.
  Fit WithoutConstraints();
  Fit WithoutConstraint(std::size_t claim, std::size_t constraint);

  std::uint64_t steps() const { return steps_; }  // of all of them

 private:
  // Of claims as they are after a change.
  Fit TryChanged(const std::vector<api::ResourceClaim>& changed);
  Fit Try(const inventory::Snapshot& cluster, const std::vector<const api::ResourceClaim*>& claims);

  Problem& problem_;
  std::vector<const api::ResourceClaim*> claims_;
  std::uint64_t steps_ = 0;
};

}  // namespace quadra::allocator
