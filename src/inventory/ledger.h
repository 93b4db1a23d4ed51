// Ledger: held devices that their pool does not publish any more, and what they were when it did.
//
// What they consume of shared counters stays charged. Where nobody saw the device published, that
// is not known: the pool may then seem to have more left than it has.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "base/hashed_map.h"
#include "inventory/device.h"
#include "inventory/held.h"
#include "inventory/pools.h"

namespace quadra::inventory {

// By device name; null where it was never seen.
using Unpublished = std::map<std::string, std::shared_ptr<const DeviceShape>, std::less<>>;
using Ledger = HashedMap<std::string, Unpublished>;  // by PoolKey, without empty ones

// What of a pool is held and not published, given its slices now. `before` is a slice that is no
// longer there, or null; `known` what was so before.
Unpublished FollowSlices(Unpublished known, const SliceList& slices, const Slice* before,
                         const Held& held);

}  // namespace quadra::inventory
