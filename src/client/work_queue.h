// WorkQueue: names of what is to be looked at, each once, however often it was added; and workers
// that look. The way every controller of ours runs.
//
//   WorkQueue queue(loop, {.workers = 50, .meter = context.work.For("resource_claim")}, [&](std::string key) { return Sync(std::move(key)); });
//   queue.Add("pod:team-a/train");
//   queue.Start();                                        // when caches have synced
//
// Promises. A key is never looked at twice at once; added meanwhile, it is looked at again
// afterwards. A look that fails is tried again: after 5 ms, doubling up to 1000 s a key, and no more
// than 10 a second (100 at once) over all keys, as upstream; one that does not is forgotten.
// Threads: the loop's. Cost: about 100 ns a key, and 300 ns more where it is counted.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "client/work_meters.h"
#include "loop/event_loop.h"
#include "loop/task.h"

namespace quadra::client {

// What a look at a key came to.
enum class Looked : std::uint8_t {
  kDone,
  kAgain,  // failed: look again, later and later
};

struct WorkQueueOptions {
  WorkMeter meter = {};
  std::size_t workers = 1;
  std::chrono::microseconds first_delay = std::chrono::milliseconds(5);
  std::chrono::microseconds longest_delay = std::chrono::seconds(1000);
  double retries_per_second = 10;
  double burst = 100;
};

class WorkQueue {
 public:
  using Look = std::function<loop::Task<Looked>(std::string key)>;

  // `loop` must outlive it.
  WorkQueue(loop::EventLoop& loop, WorkQueueOptions options, Look look);
  ~WorkQueue();
  WorkQueue(const WorkQueue&) = delete;
  WorkQueue& operator=(const WorkQueue&) = delete;

  void Add(std::string key);
  void AddAfter(std::chrono::microseconds delay, std::string key);
  // Before it, keys only gather.
  void Start();

  // Waiting, being looked at, or to be tried again.
  std::size_t depth() const;
  // Nothing to do now; delayed keys do not count.
  bool idle() const;
  // Since the start.
  std::uint64_t looks() const;
  std::uint64_t retries() const;

 private:
  struct Parts;
  const std::shared_ptr<Parts> parts_;
};

}  // namespace quadra::client
