// --placement: in which order the devices of a node are tried.
#pragma once

#include "allocator/allocator.h"
#include "cli/verb.h"

namespace quadra::cli {

inline constexpr Flag kPlacementFlag{
    .name = "placement",
    .value = "ORDER",
    .choices = "upstream best-fit",
    .help =
        "Which devices are tried first: upstream (the default), as they are published, which is "
        "what Kubernetes' scheduler picks; best-fit, those whose taking costs others least: "
        "small devices, shares of full ones, partitions that spoil no larger ones."};

// Upstream's where the flag is not given. The arguments were read, so the word is one of the above.
inline allocator::Placement ReadPlacement(const Invocation& invocation) {
  return invocation.Has(kPlacementFlag.name)
             ? allocator::PlacementNamed(invocation.Value(kPlacementFlag.name))
                   .value_or(allocator::Placement::kUpstream)
             : allocator::Placement::kUpstream;
}

}  // namespace quadra::cli
