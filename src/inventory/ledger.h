// Ledger: held devices that their pool does not publish any more, and what they were when it did.
//
// What they consume of shared counters stays charged. Where nobody saw the device published, that
// is not known: the pool may then seem to have more left than it has.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "absl/container/flat_hash_map.h"
#include "inventory/device.h"

namespace quadra::inventory {

// By device name; null where it was never seen.
using Unpublished = std::map<std::string, std::shared_ptr<const DeviceShape>, std::less<>>;
using Ledger = absl::flat_hash_map<std::string, Unpublished>;  // by PoolKey, without empty ones

}  // namespace quadra::inventory
