#include "apiserver/in_flight.h"

#include <algorithm>

namespace quadra::apiserver {
namespace {

constexpr int kHalf = 32;

std::uint64_t ThisSecond() {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return static_cast<std::uint64_t>(std::chrono::floor<std::chrono::seconds>(now).count());
}

// A later second is greater than all of an earlier one, and within one more is greater.
void Raise(std::atomic<std::uint64_t>& peak, std::size_t inside) {
  const std::uint64_t seen = (ThisSecond() << kHalf) | inside;
  std::uint64_t known = peak.load(std::memory_order_relaxed);
  while (known < seen && !peak.compare_exchange_weak(known, seen, std::memory_order_relaxed)) {
  }
}

std::size_t IndexOf(InFlight::Kind kind) { return static_cast<std::size_t>(kind); }

}  // namespace

InFlight::Place::~Place() {
  if (lane_ != nullptr) {
    lane_->inside.fetch_sub(1, std::memory_order_relaxed);
  }
}

InFlight::InFlight(InFlightLimits limits) {
  lanes_[IndexOf(Kind::kReading)].limit = limits.reading;
  lanes_[IndexOf(Kind::kWriting)].limit = limits.writing;
}

InFlight::Place InFlight::Enter(Kind kind) {
  Lane& lane = lanes_[IndexOf(kind)];
  const std::size_t inside = lane.inside.fetch_add(1, std::memory_order_relaxed) + 1;
  if (lane.limit > 0 && inside > lane.limit) {
    lane.inside.fetch_sub(1, std::memory_order_relaxed);
    return {};
  }
  Raise(lane.peak, inside);
  return Place(lane);
}

std::size_t InFlight::inside(Kind kind) const {
  return lanes_[IndexOf(kind)].inside.load(std::memory_order_relaxed);
}

std::size_t InFlight::peak(Kind kind) const {
  constexpr std::uint64_t kLower = (std::uint64_t{1} << kHalf) - 1;
  const std::uint64_t known = lanes_[IndexOf(kind)].peak.load(std::memory_order_relaxed);
  const bool is_recent = (known >> kHalf) + 1 >= ThisSecond();
  return std::max(inside(kind), is_recent ? static_cast<std::size_t>(known & kLower) : 0);
}

void InFlight::AddTo(metrics::Registry& registry) const {
  registry.Compute({.name = "apiserver_current_inflight_requests",
                    .help = "The most requests that were under way at once in the last second.",
                    .labels = {"request_kind"}},
                   metrics::Kind::kGauge, [this](const metrics::Report& report) {
                     report({"mutating"}, static_cast<double>(peak(Kind::kWriting)));
                     report({"readOnly"}, static_cast<double>(peak(Kind::kReading)));
                   });
}

}  // namespace quadra::apiserver
