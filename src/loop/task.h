// Task: work that waits in its middle without holding a thread: a C++20 coroutine of one loop.
//
//   Task<Answer<void>> Release(FullName claim) {
//     Answer<ResourceClaim> found = co_await api.Get<ResourceClaim>(claim);
//     if (!found) co_return tl::unexpected(found.error());
//     …
//   }
//   TaskGroup running;
//   running.Start(Release(claim));
//
// A task starts when somebody awaits it, or a group starts it. Dropping a task, or its group, ends
// it where it waits: its locals are destroyed, what it waits for is forgotten. Nothing throws.
//
// Later<T> is what a task waits for when a callback will bring the value; a callback that comes
// after the task has gone does nothing.
//
// Write `T x = co_await f(a);` with named arguments: g++ 12 destroys braced temporaries in the
// operand of co_await twice, copies an lvalue there, and takes both ways of a ?: around it.
//
// Threads: all of a task runs on the loop that its callbacks run on.
#pragma once

#include <chrono>
#include <coroutine>
#include <exception>
#include <list>
#include <memory>
#include <optional>
#include <utility>

#include "loop/event_loop.h"

namespace quadra::loop {

template <typename T = void>
class Task;

namespace task_parts {

struct ResumesCaller {
  static bool await_ready() noexcept { return false; }
  template <typename Promise>
  static std::coroutine_handle<> await_suspend(std::coroutine_handle<Promise> done) noexcept {
    return done.promise().caller ? done.promise().caller : std::noop_coroutine();
  }
  static void await_resume() noexcept {}
};

struct PromiseBase {
  std::coroutine_handle<> caller;  // null: nobody waits

  static std::suspend_always initial_suspend() noexcept { return {}; }
  static ResumesCaller final_suspend() noexcept { return {}; }
  [[noreturn]] static void unhandled_exception() noexcept { std::terminate(); }
};

template <typename T>
struct Promise : PromiseBase {
  std::optional<T> value;

  Task<T> get_return_object();
  template <typename U>
  void return_value(U&& given) {
    value.emplace(std::forward<U>(given));
  }
  // REQUIRES: it has returned.
  T Take() { return *std::move(value); }  // NOLINT(bugprone-unchecked-optional-access)
};

template <>
struct Promise<void> : PromiseBase {
  Task<void> get_return_object();
  static void return_void() {}
  static void Take() {}
};

}  // namespace task_parts

template <typename T>
class [[nodiscard]] Task {
 public:
  using promise_type = task_parts::Promise<T>;
  using Handle = std::coroutine_handle<promise_type>;

  explicit Task(Handle handle) : handle_(handle) {}
  Task(Task&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
  Task& operator=(Task&&) = delete;
  ~Task() {
    if (handle_) {
      handle_.destroy();
    }
  }

  bool await_ready() const noexcept { return false; }
  std::coroutine_handle<> await_suspend(std::coroutine_handle<> caller) noexcept {
    handle_.promise().caller = caller;
    return handle_;
  }
  T await_resume() { return handle_.promise().Take(); }

 private:
  Handle handle_;
};

namespace task_parts {

template <typename T>
Task<T> Promise<T>::get_return_object() {
  return Task<T>(std::coroutine_handle<Promise>::from_promise(*this));
}
inline Task<void> Promise<void>::get_return_object() {
  return Task<void>(std::coroutine_handle<Promise>::from_promise(*this));
}

}  // namespace task_parts

// A value that a callback brings. Copies of Bring() may outlive the Later.
template <typename T>
class [[nodiscard]] Later {
 public:
  Later() : state_(std::make_shared<State>()) {}
  Later(Later&&) noexcept = default;
  Later& operator=(Later&&) = delete;
  ~Later() {
    if (state_) {
      state_->waiting = nullptr;
    }
  }

  // Brings the value, once; resumes who waits.
  auto Bring() const {
    return [state = state_](T value) {
      state->value.emplace(std::move(value));
      if (state->waiting) {
        std::exchange(state->waiting, nullptr).resume();
      }
    };
  }

  bool await_ready() const noexcept { return state_->value.has_value(); }
  void await_suspend(std::coroutine_handle<> waiting) noexcept { state_->waiting = waiting; }
  T await_resume() {
    return *std::move(state_->value);  // NOLINT(bugprone-unchecked-optional-access): it was brought
  }

 private:
  struct State {
    std::optional<T> value;
    std::coroutine_handle<> waiting;
  };
  std::shared_ptr<State> state_;
};

// Tasks that run until they end, or the group goes.
class TaskGroup {
 public:
  TaskGroup() = default;
  TaskGroup(const TaskGroup&) = delete;
  TaskGroup& operator=(const TaskGroup&) = delete;
  ~TaskGroup();

  // Runs it until it waits for the first time.
  void Start(Task<void> task);
  std::size_t size() const { return roots_.size(); }

 private:
  struct Root;

  static Root Run(Task<void> task);

  std::list<std::coroutine_handle<>> roots_;
};

// Waits for this long. `loop` must outlive the task.
Task<void> Pause(EventLoop& loop, std::chrono::microseconds delay);

}  // namespace quadra::loop
