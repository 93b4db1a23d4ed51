// Load: a light client for measuring a running API server, ours or another: requests are put
// together from prepared parts and answers are counted, not read, so that next to nothing of what
// is measured is the client's. The parts of quadra_load.
//
//   const Place place = *FindPlace({.port = 6443, .credentials = "folder", .processes = {17, 18}});
//   const Outcome outcome = AskUntil(place, 16, seconds(5), 201, [&](std::uint64_t i) { ... });
//
// Each client is a connection of h2 with a thread of its own, as clients of a cluster are.
//
// Cost: 10 to 30 us of CPU a request, told with every outcome.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "net/client.h"

namespace quadra::bench {

// A server on loopback and the processes that it consists of.
struct Place {
  std::uint16_t port = 0;
  std::filesystem::path credentials;  // a folder with ca.crt, admin.crt and admin.key
  std::vector<int> processes;

  Result<std::unique_ptr<net::Client>> Connect(std::size_t connections) const;
  // CPU time that its processes have spent.
  double ServerSeconds() const;
};

double ThreadSeconds();
double WallSeconds();

// The whole text of a file.
Result<std::string> ReadWhole(const std::filesystem::path& file);

// What was measured: how long each answer took, and what all of them took.
struct Outcome {
  std::vector<double> waits_us;  // sorted
  double wall_s = 0;
  double client_s = 0;  // CPU of all clients
  double server_s = 0;  // CPU of the server's processes

  // One line of JSON; REQUIRES: there are waits.
  std::string ToJson(const std::string& name) const;
};

// Makes the i-th request; called by several threads.
using MakeRequest = std::function<net::Request(std::uint64_t i)>;

// So many clients, each of which waits for its answer before it asks again. An answer with another
// status than `expected` is an error.
Result<Outcome> AskUntil(const Place& place, std::size_t clients, std::chrono::milliseconds time,
                         int expected, const MakeRequest& make);

}  // namespace quadra::bench
