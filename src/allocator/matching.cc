#include "allocator/matching.h"

#include <algorithm>
#include <utility>

namespace quadra::allocator {

void Matching::AddDemand(std::size_t count, std::vector<std::uint32_t> devices) {
  const auto shared = std::ranges::count_if(
      devices, [&](std::uint32_t device) { return static_cast<bool>(shareable_[device]); });
  const std::size_t from_shared = std::min(count, static_cast<std::size_t>(shared));
  std::erase_if(devices, [&](std::uint32_t device) { return shareable_[device]; });
  demands_.push_back({count - from_shared, std::move(devices)});
}

bool Matching::IsFeasible() {
  for (std::uint32_t demand = 0; demand < demands_.size(); ++demand) {
    for (std::size_t i = 0; i < demands_[demand].count; ++i) {
      visited_.assign(server_.size(), false);
      if (!Serve(demand)) {
        return false;
      }
    }
  }
  return true;
}

// The depth of the recursion is at most the number of devices.
bool Matching::Serve(std::uint32_t demand) {
  for (const std::uint32_t device : demands_[demand].devices) {
    if (visited_[device] || server_[device] == demand) {
      continue;
    }
    visited_[device] = true;
    if (server_[device] == kNobody || Serve(server_[device])) {
      server_[device] = demand;
      return true;
    }
  }
  return false;
}

}  // namespace quadra::allocator
