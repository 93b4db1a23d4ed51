// FitAmounts: whether a node has enough left of what a pod asks for.
//
//   const WantedOthers others = OthersOf(pod, ignored, extended);      // once for a pod
//   if (const Shortfall shortfall = ShortfallOf(pod, others, RoomOn(node))) return StatusOf(shortfall);
//
// Cost of a node with room: comparisons alone. Statuses of what pods mostly lack are made once.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "api/kinds.h"
#include "placement/place.h"
#include "scheduler/framework/node_info.h"
#include "scheduler/framework/pod_info.h"
#include "scheduler/framework/status.h"

namespace quadra::scheduler {

// Extended resources that somebody else looks after.
struct IgnoredResources {
  absl::flat_hash_set<std::string> names;
  absl::flat_hash_set<std::string> groups;  // what stands before the slash

  bool Has(std::string_view resource) const;
};

// A resource besides cpu, memory and ephemeral-storage. Views into the pod.
struct WantedOther {
  std::string_view resource;
  std::int64_t amount = 0;
  // A DeviceClass serves it: where the node has none of it by a device plugin, it is left to devices.
  bool served_by_class = false;
};
using WantedOthers = std::vector<WantedOther>;

// Without those that are ignored. `extended` is null where classes serve no such resources.
WantedOthers OthersOf(const PodInfo& pod, const IgnoredResources& ignored,
                      const placement::ExtendedResources* extended);

struct Room {
  const Amounts& all;
  const Amounts& taken;
  std::int64_t pods = 0;  // that it may have besides
};
Room RoomOn(const NodeInfo& node);

// What is too little. Falsy: nothing.
struct Shortfall {
  enum Kind : std::uint8_t { kPods = 1, kCpu = 2, kMemory = 4, kEphemeralStorage = 8 };
  std::uint8_t kinds = 0;
  std::vector<std::string_view> others;  // resources
  bool hopeless = false;                 // the node is too small, whoever leaves it

  explicit operator bool() const { return kinds != 0 || !others.empty(); }
};
Shortfall ShortfallOf(const PodInfo& pod, const WantedOthers& others, const Room& room);
Status StatusOf(const Shortfall& shortfall);

}  // namespace quadra::scheduler
