// AddedAffinity: the node affinity that a configuration adds to that of all pods.
#pragma once

#include "api/kinds.h"
#include "base/result.h"
#include "json/value.h"

namespace quadra::scheduler {

// Of the plugin's arguments. Selectors that could not be read on pods are refused.
Result<api::NodeAffinity> ReadAddedAffinity(const json::Value& args);

}  // namespace quadra::scheduler
