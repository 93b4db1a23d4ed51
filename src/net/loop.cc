#include "net/loop.h"

#include <algorithm>
#include <utility>
#include <vector>

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/post.hpp>

#include "base/guarded.h"
#include "net/transport.h"

namespace quadra::net {

Loop::Loop(std::chrono::milliseconds tick)
    : work_(boost::asio::make_work_guard(context_)), tick_(tick), timer_(context_) {
  ScheduleTick();
  thread_ = std::thread([this] { Run(); });
}

// NOLINTNEXTLINE(bugprone-exception-escape): throws only where memory has run out
Loop::~Loop() { Stop(); }

void Loop::Stop() {
  if (!thread_.joinable()) {
    return;
  }
  Post([this] {
    AbortAll();
    context_.stop();
  });
  thread_.join();
}

// What nobody foresaw costs the work that threw, not the loop.
void Loop::Run() {
  while (!context_.stopped()) {
    static_cast<void>(Guarded([this] { return context_.run(); }));
  }
}

void Loop::Post(std::function<void()> work) { boost::asio::post(context_, std::move(work)); }

void Loop::Join(std::shared_ptr<Transport> transport) { members_.insert(std::move(transport)); }

void Loop::Leave(const std::shared_ptr<Transport>& transport) { members_.erase(transport); }

void Loop::DrainAll() {
  for (const auto& member : std::vector(members_.begin(), members_.end())) {
    member->Drain();
  }
}

void Loop::AbortAll() {
  for (const auto& member : std::vector(members_.begin(), members_.end())) {
    member->Abort({.kind = ErrorKind::kUnreadable, .message = "the connection was closed by us"});
  }
}

void Loop::ScheduleTick() {
  timer_.expires_after(tick_);
  timer_.async_wait([this](const boost::system::error_code& error) {
    if (!error) {
      Tick();
    }
  });
}

void Loop::Tick() {
  ScheduleTick();
  const Instant now = std::chrono::steady_clock::now();
  for (const auto& member : std::vector(members_.begin(), members_.end())) {
    member->OnTick(now);
  }
  if (at_tick_) {
    at_tick_(now);
  }
}

std::chrono::milliseconds TickFor(std::initializer_list<std::chrono::milliseconds> timeouts) {
  using std::chrono::milliseconds;
  return std::clamp(std::min(timeouts) / 4, milliseconds(5), milliseconds(1000));
}

}  // namespace quadra::net
