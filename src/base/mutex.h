// Mutex and MutexLock: std::mutex with the annotations clang's thread-safety analysis needs.
//
//   Mutex mutex_;
//   int waiting_ QUADRA_GUARDED_BY(mutex_) = 0;
//   { MutexLock lock(mutex_); ++waiting_; }      // without the lock, clang refuses to compile
#pragma once

#include <mutex>

#if defined(__clang__)
#define QUADRA_THREAD_ATTRIBUTE(x) __attribute__((x))
#else
#define QUADRA_THREAD_ATTRIBUTE(x)
#endif

#define QUADRA_GUARDED_BY(mutex) QUADRA_THREAD_ATTRIBUTE(guarded_by(mutex))
#define QUADRA_REQUIRES(mutex) QUADRA_THREAD_ATTRIBUTE(requires_capability(mutex))
#define QUADRA_EXCLUDES(mutex) QUADRA_THREAD_ATTRIBUTE(locks_excluded(mutex))

namespace quadra {

class QUADRA_THREAD_ATTRIBUTE(capability("mutex")) Mutex {
 public:
  Mutex() = default;
  Mutex(const Mutex&) = delete;
  Mutex& operator=(const Mutex&) = delete;

  void Lock() QUADRA_THREAD_ATTRIBUTE(acquire_capability()) { mutex_.lock(); }
  void Unlock() QUADRA_THREAD_ATTRIBUTE(release_capability()) { mutex_.unlock(); }

 private:
  std::mutex mutex_;
};

class QUADRA_THREAD_ATTRIBUTE(scoped_lockable) MutexLock {
 public:
  explicit MutexLock(Mutex& mutex) QUADRA_THREAD_ATTRIBUTE(acquire_capability(mutex))
      : mutex_(mutex) {
    mutex_.Lock();
  }
  ~MutexLock() QUADRA_THREAD_ATTRIBUTE(release_capability()) { mutex_.Unlock(); }
  MutexLock(const MutexLock&) = delete;
  MutexLock& operator=(const MutexLock&) = delete;

 private:
  Mutex& mutex_;
};

}  // namespace quadra
