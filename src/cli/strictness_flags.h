// --strict and --lenient: whose rules count where Quadra deviates from upstream on purpose
// (docs/deviations.md).
#pragma once

#include "base/result.h"
#include "cli/verb.h"

namespace quadra::cli {

inline constexpr Flag kStrictFlag{
    .name = "strict",
    .help =
        "Answer as kube-scheduler also where Quadra deviates on purpose: one device on which a "
        "selector fails, or one pool that is invalid, then fails the pod on all nodes. The "
        "default for files."};
inline constexpr Flag kLenientFlag{
    .name = "lenient",
    .help =
        "Answer as Quadra's own scheduler, which passes over a device or a pool that fails. The "
        "default with --stream."};

// `otherwise` where neither flag is given; fails where both are.
inline Result<bool> ReadStrict(const Invocation& invocation, bool otherwise) {
  const bool strict = invocation.Has(kStrictFlag.name);
  const bool lenient = invocation.Has(kLenientFlag.name);
  if (strict && lenient) {
    return Fail(
        {.kind = ErrorKind::kUsage,
         .message = "--strict and --lenient contradict each other",
         .remedy = "give one: --strict for kube-scheduler's answer, --lenient for Quadra's"});
  }
  return strict || (otherwise && !lenient);
}

}  // namespace quadra::cli
