#include "inventory/ledger.h"

namespace quadra::inventory {
namespace {

void RememberHeld(const Slice& slice, const Held& held, Unpublished& unpublished) {
  for (std::size_t i = 0; i < slice.devices.size(); ++i) {
    if (held.Find(slice.IdOf(i)) != nullptr) {
      unpublished[slice.devices[i].name] = slice.devices[i].shape;
    }
  }
}

}  // namespace

Unpublished FollowSlices(Unpublished known, const SliceList& slices, const Slice* before,
                         const Held& held) {
  const std::int64_t newest = NewestGeneration(slices);
  if (before != nullptr) {
    RememberHeld(*before, held, known);
  }
  for (const auto& slice : slices) {
    if (slice->generation < newest) {
      RememberHeld(*slice, held, known);
    }
  }
  for (const auto& slice : slices) {
    if (known.empty()) {
      break;
    }
    for (std::size_t i = 0; slice->generation == newest && i < slice->devices.size(); ++i) {
      known.erase(slice->devices[i].name);
    }
  }
  return known;
}

}  // namespace quadra::inventory
