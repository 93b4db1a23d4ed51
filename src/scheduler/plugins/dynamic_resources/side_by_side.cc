#include "scheduler/plugins/dynamic_resources/side_by_side.h"

#include <cstddef>
#include <memory>
#include <utility>

namespace quadra::scheduler {
namespace {

struct Joint {
  explicit Joint(std::size_t tasks) : left(tasks), results(tasks) {}
  std::size_t left;
  std::vector<Status> results;
  loop::Later<bool> done;
};

// The last one tells by the loop: who is told may drop this task, which must have ended by then.
loop::Task<void> RunInto(loop::EventLoop& loop, loop::Task<Status> task,
                         std::shared_ptr<Joint> joint, std::size_t index) {
  Status status = co_await task;
  joint->results[index] = std::move(status);
  if (--joint->left == 0) {
    loop.Post([bring = joint->done.Bring()] { bring(true); });
  }
}

}  // namespace

loop::Task<Status> SideBySide(loop::EventLoop& loop, std::vector<loop::Task<Status>> tasks) {
  if (tasks.empty()) {
    co_return Status();
  }
  if (tasks.size() == 1) {
    loop::Task<Status> only = std::move(tasks.front());
    Status result = co_await only;
    co_return result;
  }
  const auto joint = std::make_shared<Joint>(tasks.size());
  loop::TaskGroup running;
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    running.Start(RunInto(loop, std::move(tasks[i]), joint, i));
  }
  co_await joint->done;
  for (Status& result : joint->results) {
    if (!result.ok()) {
      co_return std::move(result);
    }
  }
  co_return Status();
}

}  // namespace quadra::scheduler
