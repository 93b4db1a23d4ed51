#include "apiserver/waiting.h"

#include <chrono>
#include <memory>
#include <utility>

namespace quadra::apiserver {
namespace {

using SteadyClock = std::chrono::steady_clock;
constexpr std::chrono::seconds kPatience{3};
constexpr std::chrono::seconds kPatienceForObjects{1};

// Looks again whenever the pump ticks: such requests are rare, and seldom served.
class Waiter final : public Pumped {
 public:
  Waiter(const Backend& backend, store::Revision least, PendingPtr pending,
         std::function<void(Pending&)> serve)
      : backend_(backend),
        least_(least),
        pending_(std::move(pending)),
        serve_(std::move(serve)),
        until_(SteadyClock::now() + kPatience) {}

  bool Pump() override { return !done_; }
  bool Tick() override {
    const store::Revision head = backend_.store.Head().revision();
    if (head >= least_) {
      serve_(*pending_);
    } else if (SteadyClock::now() >= until_) {
      pending_->Fail(TooLargeVersion(least_, head));
    } else {
      return true;
    }
    done_ = true;
    return false;
  }

  void Cancel() override { pending_->Fail(Unavailable("the server is going down")); }

 private:
  const Backend& backend_;
  const store::Revision least_;
  const PendingPtr pending_;
  const std::function<void(Pending&)> serve_;
  const SteadyClock::time_point until_;
  bool done_ = false;
};

// Looks whenever something under the key happens.
class ObjectWaiter final : public Pumped, public std::enable_shared_from_this<ObjectWaiter> {
 public:
  ObjectWaiter(const Backend& backend, std::string key, PendingPtr pending,
               std::function<void(Pending&)> serve)
      : backend_(backend),
        key_(std::move(key)),
        pending_(std::move(pending)),
        serve_(std::move(serve)),
        until_(SteadyClock::now() + kPatienceForObjects) {}

  void Start() {
    const std::weak_ptr<ObjectWaiter> weak = weak_from_this();
    auto watch = backend_.store.Watch({.prefix = key_,
                                       .after = backend_.store.Head().revision(),
                                       .wake = [&pump = backend_.pump, weak] {
                                         if (const auto alive = weak.lock()) {
                                           pump.Ring(alive);
                                         }
                                       }});
    if (watch) {
      watch_ = *std::move(watch);
    }
    backend_.pump.Add(shared_from_this());
  }

  bool Pump() override {
    const bool there = backend_.store.Head().Find(key_) != nullptr;
    return !done_ && !(there && Serve());
  }
  bool Tick() override { return !done_ && !(SteadyClock::now() >= until_ && Serve()); }
  void Cancel() override { pending_->Fail(Unavailable("the server is going down")); }

 private:
  bool Serve() {
    done_ = true;
    watch_.reset();
    serve_(*pending_);
    return true;
  }

  const Backend& backend_;
  const std::string key_;
  const PendingPtr pending_;
  const std::function<void(Pending&)> serve_;
  const SteadyClock::time_point until_;
  std::unique_ptr<store::Watch> watch_;
  bool done_ = false;
};

}  // namespace

void AwaitObject(const Backend& backend, const std::string& key, const PendingPtr& pending,
                 std::function<void(Pending&)> serve) {
  std::make_shared<ObjectWaiter>(backend, key, pending, std::move(serve))->Start();
}

void WaitFor(const Backend& backend, store::Revision least, const PendingPtr& pending,
             std::function<void(Pending&)> serve) {
  if (backend.store.Head().revision() >= least) {
    serve(*pending);
    return;
  }
  backend.pump.Add(std::make_shared<Waiter>(backend, least, pending, std::move(serve)));
}

}  // namespace quadra::apiserver
