// MemoryServer: the API server without files and sockets, for simulations: it lasts as long as its
// MemoryDisk, answers clients of this process, and makes up nothing that is not given to it. A door
// of this folder.
//
//   MemoryServer server({.clock = loop, .random = random});
//   net::SimulatedNetwork network({.handler = server.handler(), …, .settle = [&] { server.Settle(); }});
//
// Asked one request after the other, each answered before the next, it gives the same answers to the
// same questions, names and uids included.
// Threads: all members may be called by all; `random` is used by one thread at a time only if
// requests are.
#pragma once

#include <memory>

#include "api/vocabulary.h"
#include "base/clock.h"
#include "base/random.h"
#include "net/server.h"
#include "store/memory_log.h"
#include "store/store.h"

namespace quadra::apiserver {

class MemoryServer {
 public:
  struct Options {
    const Clock& clock;
    Random& random;  // both must outlive it
    api::FeatureGates gates;
    // A server that is made on the disk of another, which is gone, goes on as after a restart.
    std::shared_ptr<store::MemoryDisk> disk = std::make_shared<store::MemoryDisk>();
    store::Retention retention = {};
    bool guard_allocations = false;  // as ApiServerOptions has it
  };

  explicit MemoryServer(Options options);
  ~MemoryServer();
  MemoryServer(const MemoryServer&) = delete;
  MemoryServer& operator=(const MemoryServer&) = delete;

  net::Handler handler();
  // Returns when watches were told of all that was answered.
  void Settle();

 private:
  class Parts;
  const std::unique_ptr<Parts> parts_;
};

}  // namespace quadra::apiserver
