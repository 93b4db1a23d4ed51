#include "reasons/code.h"

#include <algorithm>
#include <array>
#include <cstddef>

namespace quadra::reasons {
namespace {

constexpr auto kCodes = static_cast<std::size_t>(Code::kEnd);

// clang-format off
constexpr std::array kRows = {
    Row{Code::kInvalid, "Invalid", Stage::kQuestion,
        "an object is not valid: the API server would not have taken it",
        "correct the object; `quadra validate` says what the API server would"},
    Row{Code::kNotModelled, "NotModelled", Stage::kQuestion,
        "the answer depends on what is not looked at: objects that the dump lacks or that a controller has yet to make, PodGroups, PersistentVolumeClaims",
        "give the missing objects too, or ask a scheduler"},
    Row{Code::kNotScheduled, "NotScheduled", Stage::kQuestion,
        "the pod was put on its node by `nodeName`, past the scheduler, and nobody else allocates its claims",
        "delete the pod and create it without `nodeName`; a nodeSelector `kubernetes.io/hostname` keeps it on that node"},

    Row{Code::kNodeRejects, "NodeRejects", Stage::kNode,
        "the pod may not run on the node (name, selector, affinity, taints, unschedulable), too little cpu, memory, ports or the like is left there, a claim of it is allocated elsewhere or its binding failed, or the devices need a feature that the node does not declare",
        "the message says which: tolerate, relabel or uncordon; ask for less, or make room; release the claim; upgrade the node, or switch the feature on"},

    Row{Code::kClaimDeleting, "ClaimDeleting", Stage::kClaim,
        "a claim of the pod is being deleted, and serves no pod any more that is not on a node",
        "wait until it is gone, then create it anew; one from a template comes anew by itself"},
    Row{Code::kClassMissing, "ClassMissing", Stage::kClaim,
        "the DeviceClass that a request names does not exist",
        "create the class, or correct `deviceClassName`"},
    Row{Code::kTooManyDevices, "TooManyDevices", Stage::kClaim,
        "a claim may have 32 devices",
        "split the claim"},
    Row{Code::kAdminAccessDenied, "AdminAccessDenied", Stage::kClaim,
        "the namespace may not have admin access",
        "label the namespace `resource.kubernetes.io/admin-access: \"true\"`"},
    Row{Code::kClaimInUse, "ClaimInUse", Stage::kClaim,
        "a claim that pods share has 256 consumers, and may not have more",
        "wait for one of them to end, or let further pods use a claim of their own"},

    Row{Code::kNoSlices, "NoSlices", Stage::kPublished,
        "nothing is published for the node",
        "look whether the driver runs there and publishes ResourceSlices"},
    Row{Code::kPoolIncomplete, "PoolIncomplete", Stage::kPublished,
        "a pool says how many slices it has, and some are missing",
        "wait for the driver; if it lasts, look at its log"},
    Row{Code::kPoolInvalid, "PoolInvalid", Stage::kPublished,
        "slices of a pool contradict each other: a device twice, a counter set twice or missing",
        "correct the driver; the message names the pool and what contradicts"},

    Row{Code::kAttributeUnknown, "AttributeUnknown", Stage::kMatching,
        "a selector reads an attribute or capacity that no device has",
        "correct the name; `quadra lint --against DUMP` has the nearest one"},
    Row{Code::kSelectorError, "SelectorError", Stage::kMatching,
        "a selector fails on devices, and no other device passes",
        "guard optional attributes with `has()` or `.?`; `quadra lint` shows where"},
    Row{Code::kSelectorNoDevice, "SelectorNoDevice", Stage::kMatching,
        "no device passes the selectors of the class or of the request",
        "ask `quadra select` what each selector matches"},
    Row{Code::kCountPerNode, "CountPerNode", Stage::kMatching,
        "fewer devices match than are wanted",
        "lower the count, or use a larger node"},
    Row{Code::kTooLarge, "TooLarge", Stage::kMatching,
        "more is wanted of devices than they have when nobody uses them: of a capacity, or of the counters that partitions share",
        "ask for no more than the message says there is"},
    Row{Code::kTainted, "Tainted", Stage::kMatching,
        "devices match but are tainted",
        "tolerate the taint in the request, or remove it"},

    Row{Code::kDevicesBusy, "DevicesBusy", Stage::kFree,
        "enough devices match, too few are free",
        "wait for a holder, or free devices"},
    Row{Code::kHolderUnpublished, "HolderUnpublished", Stage::kFree,
        "an allocated device is no longer published, so what it consumes is not known",
        "look why the driver withdrew the device"},
    Row{Code::kCapacityBusy, "CapacityBusy", Stage::kFree,
        "devices may be shared, and their capacity is used up",
        "ask for less capacity, or wait for a holder"},
    Row{Code::kCountersBusy, "CountersBusy", Stage::kFree,
        "partitions share counters, and these are used up",
        "wait for a holder of another partition, or ask for a smaller one"},

    Row{Code::kConstraintUnmet, "ConstraintUnmet", Stage::kTogether,
        "no choice of devices agrees, or differs, in the attribute that a constraint names",
        "relax the constraint, or lower the count to the best group"},
    Row{Code::kUndecided, "Undecided", Stage::kTogether,
        "the step budget ran out before the answer was known",
        "simplify the claim: fewer requests, fewer constraints"},
};
// clang-format on

constexpr bool StandInOrder() {
  for (std::size_t i = 0; i < kRows.size(); ++i) {
    if (kRows[i].code != static_cast<Code>(i)) {
      return false;
    }
  }
  return std::ranges::is_sorted(kRows, {}, &Row::stage);
}
static_assert(kRows.size() == kCodes, "a code lacks its row");
static_assert(StandInOrder(), "rows stand in the order of the codes, and codes in that of stages");

}  // namespace

std::string_view NameOf(Stage stage) {
  switch (stage) {
    case Stage::kQuestion:
      return "question";
    case Stage::kNode:
      return "node";
    case Stage::kClaim:
      return "claim";
    case Stage::kPublished:
      return "published";
    case Stage::kMatching:
      return "matching";
    case Stage::kFree:
      return "free";
    case Stage::kTogether:
      return "together";
  }
  return "";
}

const Row& RowOf(Code code) { return kRows[static_cast<std::size_t>(code)]; }

std::string_view NameOf(Code code) { return RowOf(code).name; }

std::span<const Row> Rows() { return kRows; }

}  // namespace quadra::reasons
