// Namespaces that the command line names.
#pragma once

#include <string_view>

#include "base/result.h"
#include "cli/verb.h"
#include "live/objects.h"

namespace quadra::cli {

// An empty -n says no more than none: the namespace of the kubeconfig's context, of a dump all.
// Fails for one that cannot stand in a path.
Status SettleNamespace(Invocation& invocation);

// Fails for what cannot stand in a path, in kubectl's words: invalid `what` "a/b": [may not contain
// '/'].
Status CheckPathSegment(std::string_view what, std::string_view segment);

// Fails where the target's path would be that of a collection, or of something else.
Status CheckTarget(const live::Target& target);

}  // namespace quadra::cli
