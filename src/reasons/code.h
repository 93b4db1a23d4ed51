// Code: why something is refused, as a word that stays the same.
//
// Every no of ours carries one. The codes are a closed list and a promise: programs compare them,
// docs/reasons.md explains them, and each has a scenario in tests/scenarios/. All there is to know
// of a code stands in one row, in code.cc; a row that is missing or out of place does not compile.
//
//   NameOf(Code::kDevicesBusy);                          // "DevicesBusy"
//   RowOf(Code::kDevicesBusy).remedy;                    // "wait for a holder, or free devices"
//   Code::kNodeRejects < Code::kDevicesBusy;             // the latter came nearer to a yes
//
// A new code is an enumerator here, a row in code.cc, the same row in docs/reasons.md, and a
// scenario. A leaf: whoever refuses may use it, also those who never see an allocator.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace quadra::reasons {

// The way of a pod to its devices. What stops it at a later stage came nearer to a yes.
enum class Stage : std::uint8_t {
  kQuestion,   // whether it can be asked at all
  kNode,       // whether the pod may run on the node
  kClaim,      // whether the claim has a chance on any node
  kPublished,  // whether devices are there
  kMatching,   // whether they are what is wanted
  kFree,       // whether nobody else has them
  kTogether,   // whether they can be had at once
};
std::string_view NameOf(Stage stage);

// In the order of the stages, and within a stage in the order in which claims meet them: of two
// codes the greater came nearer to a yes.
enum class Code : std::uint8_t {
  kInvalid,
  kNotModelled,
  kNotScheduled,

  kNodeRejects,

  kClaimDeleting,
  kClassMissing,
  kTooManyDevices,
  kAdminAccessDenied,
  kClaimInUse,

  kNoSlices,
  kPoolIncomplete,
  kPoolInvalid,

  kAttributeUnknown,
  kSelectorError,
  kSelectorNoDevice,
  kCountPerNode,
  kTooLarge,
  kTainted,

  kDevicesBusy,
  kHolderUnpublished,
  kCapacityBusy,
  kCountersBusy,

  kConstraintUnmet,
  kUndecided,

  kEnd,  // no code: how many there are
};

struct Row {
  Code code;
  std::string_view name;  // as programs and people meet it
  Stage stage;
  std::string_view sentence;  // what it means
  std::string_view remedy;    // what to do about it, as an imperative
};

// REQUIRES for both: not kEnd.
const Row& RowOf(Code code);
std::string_view NameOf(Code code);
// All of them, in the order of the codes.
std::span<const Row> Rows();

}  // namespace quadra::reasons
