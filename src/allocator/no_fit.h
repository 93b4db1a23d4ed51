// NoFit: why claims do not fit, as data.
//
// A no is told as a funnel: how many devices were left after each stage, and the first stage that
// left too few names the reason. The codes are a closed list and a promise; docs/reasons.md says
// what each means and what to do about it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace quadra::allocator {

enum class Code : std::uint8_t {
  kClassMissing,       // the DeviceClass of a request does not exist
  kNoSlices,           // nothing is published for the node
  kPoolIncomplete,     // slices of a pool's present generation are missing
  kPoolInvalid,        // slices of a pool contradict each other
  kSelectorNoDevice,   // no device matches
  kSelectorError,      // a selector fails on the devices that might match
  kAttributeUnknown,   // a selector reads what no device has
  kDevicesBusy,        // enough devices match, too few are free
  kCountersBusy,       // what partitions share is used up
  kCapacityBusy,       // what shares consume is used up
  kCountPerNode,       // fewer devices match than are wanted
  kConstraintUnmet,    // no group of devices agrees, or differs, as wanted
  kTooManyDevices,     // a claim may have 32 devices
  kTainted,            // devices are tainted and that is not tolerated
  kAdminAccessDenied,  // the namespace may not have admin access
  kNodeRejects,        // the pod may not run on the node, or the node lacks a feature
  kUndecided,          // the step budget ran out
  kNotModelled,        // what this depends on is not looked at
  kHolderUnpublished,  // an allocated device is not published; what it consumes is unknown
};
std::string_view CodeName(Code code);

// How many devices of the node are left after each stage, for one request.
struct Funnel {
  std::size_t seen = 0;
  std::size_t after_class = 0;
  std::vector<std::size_t> after_selectors;  // of the request, one each
  std::size_t untainted = 0;
  std::size_t free = 0;
  std::size_t sufficient = 0;  // capacity and counters
  std::size_t best_group = 0;  // the most that a matchAttribute constraint leaves together
  std::size_t errors = 0;      // devices on which a selector failed
  std::string first_error;
};

struct NoFit {
  Code code = Code::kUndecided;
  std::string claim;    // namespace/name; empty where no single claim is to blame
  std::string request;  // request, or request/alternative; empty likewise
  std::string message;  // one sentence
  std::size_t wanted = 0;
  Funnel funnel;  // where there is a request
  // Who holds devices that the request could use: keys of claims in the inventory's Held, with the
  // number of those devices, most first.
  std::vector<std::pair<std::string, std::size_t>> holders;
};

}  // namespace quadra::allocator
