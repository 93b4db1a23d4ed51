// FeatureGates on the command line: --feature-gates, for every verb whose answer depends on them.
#pragma once

#include "base/result.h"
#include "cli/verb.h"
#include "validation/validate.h"

namespace quadra::cli {

inline constexpr Flag kFeatureGatesFlag{
    .name = "feature-gates",
    .value = "A=true,…",
    .help = "Feature gates of the cluster that differ from the defaults of Kubernetes 1.37."};

// What the flag says, on top of the defaults. Errors are kube-apiserver's words, with the nearest
// gate where one is misspelt.
Result<api::FeatureGates> ReadFeatureGates(const Invocation& invocation);

}  // namespace quadra::cli
