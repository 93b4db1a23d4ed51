#include "apiserver/memory_server.h"

#include <utility>

#include "apiserver/bootstrap.h"
#include "apiserver/handler.h"
#include "apiserver/object_facts.h"
#include "apiserver/runtime_config.h"
#include "apiserver/telemetry.h"
#include "base/check.h"

namespace quadra::apiserver {

// In the order in which they stand on each other.
class MemoryServer::Parts {
 public:
  explicit Parts(Options options)
      : options_(std::move(options)),
        store_(Open()),
        backend_{.store = *store_,
                 .catalog = catalog_,
                 .discovery = discovery_,
                 .openapi = openapi_,
                 .clock = options_.clock,
                 .random = options_.random,
                 .gates = options_.gates,
                 .pump = pump_,
                 .telemetry = telemetry_,
                 .guard_allocations = options_.guard_allocations} {
    QUADRA_CHECK(CreateFirstObjects(backend_, "").has_value(), "memory takes everything");
  }
  ~Parts() { pump_.Close(); }
  Parts(const Parts&) = delete;
  Parts& operator=(const Parts&) = delete;

  void Serve(net::Request request, net::Exchange exchange) const {
    handler_(std::move(request), std::move(exchange));
  }
  void Settle() { pump_.Settle(); }

 private:
  // Nothing happens by itself: what expires does so when somebody writes.
  std::unique_ptr<store::Store> Open() {
    store::StoreOptions options;
    options.retention = options_.retention;
    options.writer.housekeeping.reset();
    Result<std::unique_ptr<store::Store>> store = store::Store::Open(
        std::make_unique<store::MemoryLog>(options_.disk), extractor_, options_.clock, options);
    QUADRA_CHECK(store.has_value(), "memory can be read");
    return *std::move(store);
  }

  const Options options_;
  const ObjectExtractor extractor_{options_.guard_allocations};
  const Catalog catalog_{RuntimeConfig().ServedOf(api::Registry().All())};
  const Discovery discovery_{catalog_};
  OpenApi openapi_{catalog_};
  Telemetry telemetry_{{}, {}};  // outlives requests, and so the store that answers them
  std::unique_ptr<store::Store> store_;
  WatchPump pump_{std::chrono::hours(24)};  // bookmarks would come at moments of real time
  const Backend backend_;
  const ApiHandler handler_{backend_};
};

MemoryServer::MemoryServer(Options options) : parts_(std::make_unique<Parts>(std::move(options))) {}

MemoryServer::~MemoryServer() = default;

net::Handler MemoryServer::handler() {
  return [this](net::Request request, net::Exchange exchange) {
    parts_->Serve(std::move(request), std::move(exchange));
  };
}

void MemoryServer::Settle() { parts_->Settle(); }

}  // namespace quadra::apiserver
