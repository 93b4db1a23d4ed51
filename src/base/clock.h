// Clock: the only way to learn the time, so that simulations and tests own it.
#pragma once

#include <chrono>
#include <string>

namespace quadra {

// Microseconds since 1970-01-01T00:00:00Z: what Kubernetes' MicroTime can express.
using Time = std::chrono::sys_time<std::chrono::microseconds>;

class Clock {
 public:
  virtual ~Clock() = default;
  virtual Time Now() const = 0;
};

// The machine's wall clock. Thread-safe.
class SystemClock final : public Clock {
 public:
  Time Now() const override;
};

// Stands still until told otherwise. Not thread-safe.
class ManualClock final : public Clock {
 public:
  explicit ManualClock(Time start) : now_(start) {}
  Time Now() const override { return now_; }
  void Advance(std::chrono::microseconds by) { now_ += by; }

 private:
  Time now_;
};

// RFC 3339 in UTC, whole seconds: 2026-08-01T12:18:00Z.
std::string FormatSeconds(Time time);

}  // namespace quadra
