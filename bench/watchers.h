// Watchers: many watches of one collection, opened and counted, and when their events came.
//
//   Arrivals arrivals(100, 250);
//   auto watchers = Watchers::Open(place, collection, 100, [&](auto i, auto n) { arrivals.Saw(i, n); });
//   arrivals.Wrote();  // and write
//   arrivals.Wait();
//
// An event is a line of JSON; lines are counted, not read.
#pragma once

#include <cstddef>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "base/result.h"
#include "load.h"
#include "net/client.h"

namespace quadra::bench {

class Watchers {
 public:
  using OnLines = std::function<void(std::size_t watcher, std::size_t lines)>;

  // Returns once all of them are open, fifty a connection; they end with it. `on_lines` is called on
  // the client's thread.
  static Result<std::unique_ptr<Watchers>> Open(const Place& place, const std::string& collection,
                                                std::size_t count, OnLines on_lines);

 private:
  Watchers(std::unique_ptr<net::Client> client, std::size_t count, OnLines on_lines);
  Status Begin(const std::string& collection);
  void Opened(int status);

  const std::size_t count_;
  const OnLines on_lines_;
  std::size_t open_ = 0;
  bool good_ = true;
  std::promise<Status> all_open_;
  std::unique_ptr<net::Client> client_;  // last: its thread uses the others until it ends
};

// When writes began, and how long their events took to each watcher. The k-th event of a watch is
// the k-th write, since each write waits for the one before. Thread-safe.
class Arrivals {
 public:
  Arrivals(std::size_t watchers, std::size_t events);

  void Wrote();
  void Saw(std::size_t watcher, std::size_t lines);
  // All waits in us, sorted, once all events were seen by all.
  std::vector<double> Wait();

 private:
  std::mutex mutex_;
  std::vector<double> begun_s_;
  std::vector<std::size_t> seen_;
  std::vector<double> waits_us_;
  std::size_t awaited_;
  std::promise<void> all_;
};

}  // namespace quadra::bench
