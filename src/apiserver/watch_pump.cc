#include "apiserver/watch_pump.h"

#include <utility>

namespace quadra::apiserver {

WatchPump::WatchPump(std::chrono::milliseconds tick)
    : tick_(tick), thread_([this](const std::stop_token& stop) { Run(stop); }) {}

WatchPump::~WatchPump() = default;

void WatchPump::Add(const std::shared_ptr<Pumped>& stream) {
  {
    const std::lock_guard lock(mutex_);
    all_.insert(stream);
  }
  Ring(stream);
}

void WatchPump::Ring(const std::shared_ptr<Pumped>& stream) {
  const std::lock_guard lock(mutex_);
  if (all_.contains(stream) && !std::exchange(stream->rung_, true)) {
    rung_.push_back(stream);
    heard_.notify_one();
  }
}

void WatchPump::Close() {
  const std::lock_guard lock(mutex_);
  closed_ = true;
  heard_.notify_one();
  settled_.notify_all();
}

void WatchPump::Settle() {
  std::unique_lock lock(mutex_);
  settled_.wait(lock, [this] { return closed_ || (rung_.empty() && !pumping_); });
}

std::size_t WatchPump::size() const {
  const std::lock_guard lock(mutex_);
  return all_.size();
}

// Those that rang, who may ring again from now on.
WatchPump::Streams WatchPump::TakeRung() {
  Streams rung = std::exchange(rung_, {});
  for (const std::shared_ptr<Pumped>& stream : rung) {
    stream->rung_ = false;
  }
  return rung;
}

void WatchPump::Forget(const std::shared_ptr<Pumped>& stream) {
  const std::lock_guard lock(mutex_);
  all_.erase(stream);
}

void WatchPump::TickAll() {
  Streams streams;
  {
    const std::lock_guard lock(mutex_);
    streams.assign(all_.begin(), all_.end());
  }
  for (const std::shared_ptr<Pumped>& stream : streams) {
    if (!stream->Tick()) {
      Forget(stream);
    }
  }
}

void WatchPump::CancelAll() {
  std::set<std::shared_ptr<Pumped>> streams;
  {
    const std::lock_guard lock(mutex_);
    streams.swap(all_);
    rung_.clear();
  }
  for (const std::shared_ptr<Pumped>& stream : streams) {
    stream->Cancel();
  }
}

// After a round.
void WatchPump::Rest() {
  const std::lock_guard lock(mutex_);
  pumping_ = false;
  if (rung_.empty()) {
    settled_.notify_all();
  }
}

void WatchPump::Run(const std::stop_token& stop) {
  auto next_tick = std::chrono::steady_clock::now() + tick_;
  while (!stop.stop_requested()) {
    Streams rung;
    bool closed = false;
    {
      std::unique_lock lock(mutex_);
      heard_.wait_until(lock, stop, next_tick,
                        [this] { return !rung_.empty() || (closed_ && !all_.empty()); });
      rung = TakeRung();
      closed = closed_;
      pumping_ = true;
    }
    if (closed) {
      CancelAll();
      continue;
    }
    for (const std::shared_ptr<Pumped>& stream : rung) {
      if (!stream->Pump()) {
        Forget(stream);
      }
    }
    Rest();
    if (std::chrono::steady_clock::now() >= next_tick) {
      TickAll();
      next_tick += tick_;
    }
  }
}

}  // namespace quadra::apiserver
