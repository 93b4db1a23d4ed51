// WatchPump: the one thread that carries events from the store to those who watch.
//
//   const auto stream = std::make_shared<…>();   // a Pumped
//   pump.Add(stream);                             // Pump() soon, and whenever it is rung
//   pump.Ring(stream);                            // from any thread: there is something
//
// The writer of the store only rings; nothing here makes it wait. A stream whose Pump() says that it
// is over is forgotten. About once a second every stream's Tick() is called.
#pragma once

#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <set>
#include <stop_token>
#include <thread>
#include <vector>

namespace quadra::apiserver {

class Pumped {
 public:
  virtual ~Pumped() = default;
  // Both by the pump's thread; false: it is over.
  virtual bool Pump() = 0;
  virtual bool Tick() = 0;
  // The server goes down; nothing is called after it.
  virtual void Cancel() = 0;

 private:
  friend class WatchPump;
  bool rung_ = false;  // waits for its turn; the pump's
};

class WatchPump {
 public:
  explicit WatchPump(std::chrono::milliseconds tick = std::chrono::seconds(1));
  // Forgets all streams.
  ~WatchPump();
  WatchPump(const WatchPump&) = delete;
  WatchPump& operator=(const WatchPump&) = delete;

  void Add(const std::shared_ptr<Pumped>& stream);
  // One that was not added yet, or is over, is passed over.
  void Ring(const std::shared_ptr<Pumped>& stream);
  // Returns when nothing that has rung by now waits for its turn.
  void Settle();
  // Cancels all streams, and those that are added later.
  void Close();
  std::size_t size() const;

 private:
  using Streams = std::vector<std::shared_ptr<Pumped>>;

  void Run(const std::stop_token& stop);
  Streams TakeRung();
  void Rest();
  void Forget(const std::shared_ptr<Pumped>& stream);
  void TickAll();
  void CancelAll();

  const std::chrono::milliseconds tick_;
  mutable std::mutex mutex_;
  std::condition_variable_any heard_;
  std::condition_variable settled_;
  bool pumping_ = false;
  std::set<std::shared_ptr<Pumped>> all_;
  Streams rung_;
  bool closed_ = false;
  std::jthread thread_;  // last, so that it ends first
};

}  // namespace quadra::apiserver
