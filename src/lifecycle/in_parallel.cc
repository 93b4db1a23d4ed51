#include "lifecycle/in_parallel.h"

#include <algorithm>

namespace quadra::lifecycle {

namespace {

struct Progress {
  std::size_t next = 0;
  std::size_t running = 0;
  std::function<void()> finish;
};

loop::Task<void> Work(Progress& progress, std::size_t count,
                      const std::function<loop::Task<void>(std::size_t)>& work) {
  while (progress.next < count) {
    const std::size_t mine = progress.next++;
    co_await work(mine);
  }
  if (--progress.running == 0) {
    progress.finish();
  }
}

}  // namespace

loop::Task<void> InParallel(loop::EventLoop& loop, std::size_t count, std::size_t width,
                            std::function<loop::Task<void>(std::size_t)> work) {
  if (count == 0) {
    co_return;
  }
  loop::Later<bool> finished;
  Progress progress{.running = std::min(count, width)};
  // Later, when the last worker has left the group.
  progress.finish = [&loop, bring = finished.Bring()] { loop.Post([bring] { bring(true); }); };
  loop::TaskGroup workers;
  for (std::size_t n = std::min(count, width); n > 0; --n) {
    workers.Start(Work(progress, count, work));
  }
  co_await finished;
}

}  // namespace quadra::lifecycle
