// InFlight: how many requests may be under way at once, those that read and those that write each
// for themselves.
//
//   InFlight in_flight({.reading = 400, .writing = 200});
//   InFlight::Place place = in_flight.Enter(InFlight::Kind::kReading);
//   if (!place) { … 429 … }             // given back when `place` is destroyed
//
// Threads: all members may be called by all. Cost: two atomic additions a request.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "metrics/registry.h"

namespace quadra::apiserver {

// Upstream's values. 0: no limit.
struct InFlightLimits {
  std::size_t reading = 400;
  std::size_t writing = 200;
};

class InFlight {
 public:
  enum class Kind : std::uint8_t { kReading, kWriting };

 private:
  struct Lane {
    std::size_t limit = 0;
    std::atomic<std::size_t> inside = 0;
    // The most that were inside during a second: that second, and in the lower half how many.
    std::atomic<std::uint64_t> peak = 0;
  };

 public:
  // Moves; false when there was none to have.
  class Place {
   public:
    Place() = default;
    explicit Place(Lane& lane) : lane_(&lane) {}
    Place(Place&& other) noexcept : lane_(std::exchange(other.lane_, nullptr)) {}
    Place& operator=(Place&& other) noexcept {
      std::swap(lane_, other.lane_);
      return *this;
    }
    ~Place();
    explicit operator bool() const { return lane_ != nullptr; }

   private:
    Lane* lane_ = nullptr;
  };

  explicit InFlight(InFlightLimits limits);

  Place Enter(Kind kind);
  // Now, and the most of this second so far (or of the last in which somebody came).
  std::size_t inside(Kind kind) const;
  std::size_t peak(Kind kind) const;

  // apiserver_current_inflight_requests. The registry must not be printed after this is gone.
  void AddTo(metrics::Registry& registry) const;

 private:
  std::array<Lane, 2> lanes_;
};

}  // namespace quadra::apiserver
