// World: a cluster in which everything that can go wrong on a network does, in a time of its own, from one seed.
//
//   World world(seed, {.longest = milliseconds(300), .lost = 20});
//   world.AddRole(MakeClaims);                   // as many processes as one likes
//   for (int i = 0; i < 20'000; ++i) { actors.Act(); world.Pass(world.Draw(50'000)); }
//   world.Calm();                                // from here on nothing goes wrong
//
// The API server is ours, kept in memory; roles reach it through a SimulatedNetwork, whoever acts for
// users, kubelets and the scheduler reaches it at once. The same seed gives the same run.
// Threads: the caller's.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "apiserver/memory_server.h"
#include "base/random.h"
#include "client/role.h"
#include "json/value.h"
#include "loop/event_loop.h"
#include "metrics/registry.h"
#include "net/client.h"

namespace quadra::simulation {

// Chances in a thousand requests, and how late things are at most.
struct Weather {
  std::chrono::microseconds longest{};
  std::uint64_t lost = 0;        // before they are served
  std::uint64_t unanswered = 0;  // served, but nobody is told
  std::uint64_t broken = 0;      // of watches: after some lines
  std::uint64_t repeated = 0;    // of watches: every line comes twice
};

// What a mutant sends or sees instead.
struct Tampering {
  std::function<void(net::Request&)> request = [](net::Request&) {};
  std::function<void(std::string&)> answer;  // empty: nothing
};

class World {
 public:
  using MakeController =
      std::function<std::unique_ptr<client::Controller>(client::ControllerContext&)>;

  World(std::uint64_t seed, const Weather& weather, Tampering tampering = {});
  ~World();
  World(const World&) = delete;
  World& operator=(const World&) = delete;

  // --- Roles.
  void AddRole(MakeController make);
  std::size_t roles() const { return roles_.size(); }
  // One process ends in the middle of whatever it does and starts anew.
  void RestartRole(std::size_t role);
  void RestartServer();
  // Nothing goes wrong from here on; what is under way arrives.
  void Calm() { weather_ = {}; }

  // --- Time and chance.
  void Pass(std::chrono::microseconds time) { loop_.Advance(time); }
  std::uint64_t Draw(std::uint64_t bound) { return dice_.Below(bound); }

  // --- The server itself, past the network.
  struct Answer {
    int status = 0;
    json::Value body;
  };
  Answer Ask(std::string method, std::string target, const std::string& body = "");
  // Of a list.
  std::vector<json::Value> Items(const std::string& collection);

  // Writes that the server was asked for so far, by whomever.
  std::uint64_t writes() const { return writes_; }

 private:
  struct Role;

  void Serve(net::Request request, net::Exchange exchange);
  net::Fate DrawFate(const net::Request& request);
  void Open();

  SeededRandom dice_;
  SeededRandom names_;  // the server's
  Weather weather_;
  Tampering tampering_;
  std::uint64_t writes_ = 0;
  loop::ManualLoop loop_;
  std::shared_ptr<store::MemoryDisk> disk_;
  std::unique_ptr<apiserver::MemoryServer> server_;
  std::unique_ptr<net::Client> inside_;
  std::unique_ptr<net::SimulatedNetwork> network_;
  std::vector<std::unique_ptr<Role>> roles_;
};

}  // namespace quadra::simulation
