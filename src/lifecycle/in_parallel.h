// InParallel: the same work for many things, a few at a time.
//
//   co_await InParallel(loop, nodes.size(), 8, [&](std::size_t n) { return Attend(*nodes[n]); });
//
// Threads: the loop's; it must outlive the task.
#pragma once

#include <cstddef>
#include <functional>

#include "client/role.h"

namespace quadra::lifecycle {

// Ends when work(0) … work(count - 1) have, which begin in this order.
loop::Task<void> InParallel(loop::EventLoop& loop, std::size_t count, std::size_t width,
                            std::function<loop::Task<void>(std::size_t)> work);

}  // namespace quadra::lifecycle
