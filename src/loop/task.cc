#include "loop/task.h"

namespace quadra::loop {

// The outermost coroutine of a task; it takes itself out of the group when it is done.
struct TaskGroup::Root {
  struct promise_type {
    TaskGroup* group = nullptr;
    std::list<std::coroutine_handle<>>::iterator place;

    struct LeavesGroup {
      static bool await_ready() noexcept { return false; }
      static void await_suspend(std::coroutine_handle<promise_type> done) noexcept {
        TaskGroup& group = *done.promise().group;
        group.roots_.erase(done.promise().place);
        done.destroy();
      }
      static void await_resume() noexcept {}
    };

    Root get_return_object() { return {std::coroutine_handle<promise_type>::from_promise(*this)}; }
    static std::suspend_always initial_suspend() noexcept { return {}; }
    static LeavesGroup final_suspend() noexcept { return {}; }
    static void return_void() {}
    [[noreturn]] static void unhandled_exception() noexcept { std::terminate(); }
  };

  std::coroutine_handle<promise_type> handle;
};

TaskGroup::Root TaskGroup::Run(Task<void> task) { co_await task; }

void TaskGroup::Start(Task<void> task) {
  const Root root = Run(std::move(task));
  root.handle.promise().group = this;
  root.handle.promise().place = roots_.insert(roots_.end(), root.handle);
  root.handle.resume();
}

TaskGroup::~TaskGroup() {
  // What is destroyed may not start another.
  for (const std::coroutine_handle<> root : std::exchange(roots_, {})) {
    root.destroy();
  }
}

Task<void> Pause(EventLoop& loop, std::chrono::microseconds delay) {
  Later<bool> passed;
  loop.PostAfter(delay, [bring = passed.Bring()] { bring(true); });
  co_await passed;
}

}  // namespace quadra::loop
