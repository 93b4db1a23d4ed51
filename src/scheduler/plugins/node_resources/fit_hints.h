// FitHints: which events may make room for a pod that NodeResourcesFit refused.
#pragma once

#include <vector>

#include "scheduler/framework/handle.h"

namespace quadra::scheduler {

std::vector<EventHint> FitEvents(const Handle& handle);

}  // namespace quadra::scheduler
