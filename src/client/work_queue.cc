#include "client/work_queue.h"

#include <algorithm>
#include <deque>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"

namespace quadra::client {
namespace {

constexpr int kLooksATurn = 100;

}  // namespace

struct WorkQueue::Parts : std::enable_shared_from_this<Parts> {
  Parts(loop::EventLoop& the_loop, WorkQueueOptions the_options, Look the_look)
      : loop(the_loop),
        options(std::move(the_options)),
        look(std::move(the_look)),
        tokens(options.burst),
        filled(loop.Now()) {}

  void Add(std::string key);
  void AddAfter(std::chrono::microseconds delay, std::string key);
  void PumpSoon();
  void Pump();
  loop::Task<void> LookAt(std::string key);
  void Finish(const std::string& key, Looked looked);
  std::chrono::microseconds RetryDelay(const std::string& key);
  std::chrono::microseconds TakeToken();

  loop::EventLoop& loop;
  const WorkQueueOptions options;
  const Look look;
  bool started = false;
  bool pump_posted = false;
  std::deque<std::string> ready;  // in the order in which they are looked at
  // To be looked at, and since when; in `ready` unless in `looked_at`.
  absl::flat_hash_map<std::string, Time> wanted;
  absl::flat_hash_set<std::string> looked_at;  // now
  absl::flat_hash_map<std::string, Time> delayed;
  absl::flat_hash_map<std::string, int> failures;
  double tokens;  // of retries over all keys; below zero: promised already
  Time filled;
  std::uint64_t looks = 0;
  std::uint64_t retries = 0;
  loop::TaskGroup running;  // last: it uses all of the above
};

WorkQueue::WorkQueue(loop::EventLoop& loop, WorkQueueOptions options, Look look)
    : parts_(std::make_shared<Parts>(loop, std::move(options), std::move(look))) {}

WorkQueue::~WorkQueue() = default;

void WorkQueue::Add(std::string key) { parts_->Add(std::move(key)); }

void WorkQueue::AddAfter(std::chrono::microseconds delay, std::string key) {
  parts_->AddAfter(delay, std::move(key));
}

void WorkQueue::Start() {
  parts_->started = true;
  parts_->PumpSoon();
}

std::size_t WorkQueue::depth() const {
  return parts_->wanted.size() + parts_->looked_at.size() + parts_->delayed.size();
}

bool WorkQueue::idle() const { return parts_->wanted.empty() && parts_->looked_at.empty(); }

std::uint64_t WorkQueue::looks() const { return parts_->looks; }

std::uint64_t WorkQueue::retries() const { return parts_->retries; }

void WorkQueue::Parts::Add(std::string key) {
  if (!wanted.try_emplace(key, loop.Now()).second) {
    return;
  }
  options.meter.Add();
  if (looked_at.contains(key)) {
    return;
  }
  ready.push_back(std::move(key));
  PumpSoon();
}

// The earlier of two times counts.
void WorkQueue::Parts::AddAfter(std::chrono::microseconds delay, std::string key) {
  options.meter.PutOff();
  if (delay.count() <= 0) {
    return Add(std::move(key));
  }
  const Time due = loop.Now() + delay;
  const auto [entry, is_new] = delayed.try_emplace(key, due);
  if (!is_new && entry->second <= due) {
    return;
  }
  entry->second = due;
  loop.PostAfter(delay, [weak = weak_from_this(), key = std::move(key), due] {
    const std::shared_ptr<Parts> parts = weak.lock();
    if (!parts) {
      return;
    }
    const auto found = parts->delayed.find(key);
    if (found != parts->delayed.end() && found->second == due) {
      parts->delayed.erase(found);
      parts->Add(key);
    }
  });
}

// Later, so that who adds a key is not held up by looks.
void WorkQueue::Parts::PumpSoon() {
  if (!started || std::exchange(pump_posted, true)) {
    return;
  }
  loop.Post([weak = weak_from_this()] {
    if (const std::shared_ptr<Parts> parts = weak.lock()) {
      parts->pump_posted = false;
      parts->Pump();
    }
  });
}

// Looks that never wait would keep the loop from everybody else, so they get turns.
void WorkQueue::Parts::Pump() {
  for (int i = 0; !ready.empty() && looked_at.size() < options.workers; ++i) {
    if (i == kLooksATurn) {
      return PumpSoon();
    }
    std::string key = std::move(ready.front());
    ready.pop_front();
    options.meter.Begin(key, wanted.extract(key).mapped(), loop.Now());
    looked_at.insert(key);
    running.Start(LookAt(std::move(key)));
  }
}

loop::Task<void> WorkQueue::Parts::LookAt(std::string key) {
  ++looks;
  const Looked looked = co_await look(key);
  Finish(key, looked);
}

void WorkQueue::Parts::Finish(const std::string& key, Looked looked) {
  options.meter.End(key, loop.Now());
  looked_at.erase(key);
  if (looked == Looked::kAgain) {
    ++retries;
    AddAfter(RetryDelay(key), key);
  } else {
    failures.erase(key);
  }
  if (wanted.contains(key)) {
    ready.push_back(key);
  }
  PumpSoon();
}

std::chrono::microseconds WorkQueue::Parts::RetryDelay(const std::string& key) {
  const int before = std::min(failures[key]++, 40);
  const double delay = std::min(static_cast<double>(options.first_delay.count()) *
                                    static_cast<double>(std::uint64_t{1} << before),
                                static_cast<double>(options.longest_delay.count()));
  return std::max(std::chrono::microseconds(static_cast<std::int64_t>(delay)), TakeToken());
}

// How long until a retry is allowed, of all keys together.
std::chrono::microseconds WorkQueue::Parts::TakeToken() {
  const Time now = loop.Now();
  const double passed = std::chrono::duration<double>(now - filled).count();
  tokens = std::min(options.burst, tokens + passed * options.retries_per_second) - 1;
  filled = now;
  const double short_by = std::max(0.0, -tokens);
  return std::chrono::microseconds(
      static_cast<std::int64_t>(short_by / options.retries_per_second * 1e6));
}

}  // namespace quadra::client
