// SideBySide: tasks that run at the same time, awaited together.
#pragma once

#include <vector>

#include "loop/task.h"
#include "scheduler/framework/status.h"

namespace quadra::scheduler {

// All run to their end; of those that failed the first, in their order. `loop` must outlive the task.
loop::Task<Status> SideBySide(loop::EventLoop& loop, std::vector<loop::Task<Status>> tasks);

}  // namespace quadra::scheduler
