#include "store/inbox.h"

#include <utility>

namespace quadra::store {
namespace {

std::size_t BytesOf(const Pending& pending) {
  return pending.write.key.size() + pending.write.draft.bytes.size();
}

}  // namespace

std::optional<Refused::Why> Inbox::Put(Pending& pending) {
  {
    const MutexLock lock(mutex_);
    if (closed_) {
      return Refused::Why::kClosing;
    }
    Lane& lane = pending.write.background ? background_ : foreground_;
    if (lane.waiting.size() >= limits_.most_waiting || lane.bytes >= limits_.most_waiting_bytes) {
      return Refused::Why::kBusy;
    }
    lane.bytes += BytesOf(pending);
    lane.waiting.push_back(std::move(pending));
  }
  bell_.Ring();
  return std::nullopt;
}

std::vector<Pending> Inbox::Take(std::chrono::milliseconds patience) {
  std::vector<Pending> taken = TakeWaiting();
  if (taken.empty()) {
    bell_.WaitFor(patience);
    taken = TakeWaiting();
  }
  return taken;
}

void Inbox::Move(Lane& lane, Load& load, std::size_t most, std::size_t most_bytes) {
  while (!lane.waiting.empty() && load.writes.size() < most) {
    const std::size_t bytes = BytesOf(lane.waiting.front());
    if (!load.writes.empty() && load.bytes + bytes > most_bytes) {
      return;
    }
    lane.bytes -= bytes;
    load.bytes += bytes;
    load.writes.push_back(std::move(lane.waiting.front()));
    lane.waiting.pop_front();
  }
}

std::vector<Pending> Inbox::TakeWaiting() {
  Load load;
  const MutexLock lock(mutex_);
  const bool shared = !background_.waiting.empty();
  const auto part = [shared](std::size_t whole) { return shared ? whole - whole / 8 : whole; };
  Move(foreground_, load, part(limits_.most_taken), part(limits_.most_taken_bytes));
  Move(background_, load, limits_.most_taken, limits_.most_taken_bytes);
  return std::move(load.writes);
}

void Inbox::Close() {
  {
    const MutexLock lock(mutex_);
    closed_ = true;
  }
  bell_.Ring();
}

}  // namespace quadra::store
