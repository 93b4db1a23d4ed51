// SimulatedNetwork: calls to a handler of this process as through a network that delays, loses,
// repeats and breaks off, in a time that a simulation owns. Part of client.h.
//
//   SimulatedNetwork network({.handler = server.handler(), .clock = loop, .after = …, .fate = …});
//   const auto client = Client::Simulated(network);
//
// One thing happens at a time: a request is handed over when its moment has come, and nothing else
// moves until the server has begun its answer and `settle` has returned; so the same fates give the
// same run, though the server has threads of its own. What a stream tells comes line by line, in
// order, each line late by its own delay.
//
// Threads: that of the simulation alone. Deadlines of requests are not kept: they are of real time.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "base/clock.h"
#include "net/exchange.h"
#include "net/message.h"

namespace quadra::net {

// What becomes of one request.
struct Fate {
  enum class Loss : std::uint8_t {
    kNone,
    kRequest,  // the server never sees it
    kAnswer,   // it is served, and nobody is told
  };
  Loss loss = Loss::kNone;
  std::chrono::microseconds there{};  // until the server has it, or the loss is noticed
  std::chrono::microseconds back{};   // until each line of the answer is here
  // Where the connection breaks: so many lines of a stream arrive.
  std::size_t lines = std::numeric_limits<std::size_t>::max();
  bool repeats = false;  // every line of a stream comes twice
};

class SimulatedLine;

class SimulatedNetwork {
 public:
  struct Options {
    Handler handler;
    Peer peer;
    const Clock& clock;  // the simulation's
    std::function<void(std::chrono::microseconds delay, std::function<void()> work)> after;
    std::function<Fate(const Request&)> fate;
    // Returns when the server has told its streams all that it knows.
    std::function<void()> settle = [] {};
    // Changes what arrives, a line of a stream or a whole answer; empty: nothing does.
    std::function<void(std::string& text)> tamper;
  };

  // Outlives its clients.
  explicit SimulatedNetwork(Options options) : options_(std::move(options)) {}
  SimulatedNetwork(const SimulatedNetwork&) = delete;
  SimulatedNetwork& operator=(const SimulatedNetwork&) = delete;

  // All that is under way ends with an error, as where the server goes down.
  void BreakAll();
  // Sends off what streams were told without having been asked, e.g. by somebody who writes past
  // the network.
  void Deliver();

 private:
  friend class SimulatedLine;

  Options options_;
  std::vector<SimulatedLine*> lines_;  // in the order in which they were made
};

}  // namespace quadra::net
