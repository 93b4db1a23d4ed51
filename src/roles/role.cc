#include "roles/role.h"

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <utility>

#include <fmt/format.h>

#include "base/random.h"
#include "loop/event_loop.h"
#include "loop/task.h"
#include "metrics/process.h"

namespace quadra::roles {
namespace {

constexpr std::chrono::seconds kAskAgain(1);
constexpr std::chrono::seconds kPatience(2);  // for the lease to be given up

}  // namespace

// Everything but `ready_`, `stopped_` and the registry belongs to the loop.
class Role::Parts {
 public:
  Parts(net::Client& client, RoleOptions options)
      : options_(std::move(options)),
        api_(client, loop_,
             {.user_agent = options_.name,
              .field_manager = options_.name,
              .headers = options_.headers,
              .renew = options_.renew}),
        informers_(std::in_place, api_),
        work_(metrics_, loop_),
        context_{.api = api_,
                 .informers = *informers_,
                 .gates = options_.gates,
                 .metrics = metrics_,
                 .work = work_,
                 .random = random_,
                 .log = options_.log} {
    metrics::AddProcess(metrics_);
  }

  void Start(RoleCalls calls) {
    loop_.Post([this, calls = std::move(calls)]() mutable {
      calls_ = std::move(calls);
      tasks_.Start(Begin());
    });
  }

  void Stop() {
    if (stopped_.exchange(true)) {
      return;
    }
    std::mutex mutex;
    std::condition_variable released;
    bool done = false;
    loop_.Post([&] {
      GiveUp([&] {
        const std::lock_guard lock(mutex);
        done = true;
        released.notify_one();
      });
    });
    {
      std::unique_lock lock(mutex);
      released.wait_for(lock, kPatience, [&] { return done; });
    }
    loop_.Stop();
    election_.reset();
    Drop();
  }

  bool ready() const { return ready_; }
  metrics::Registry& metrics() { return metrics_; }

 private:
  loop::Task<void> Begin() {
    co_await LearnVersions();
    if (stopped_) {
      co_return;
    }
    context_.informers.OnFailure(
        [this](const client::Resource& resource, const client::Failure& failure) {
          Log(fmt::format("cannot list or watch {}: ", resource.plural), failure.message);
        });
    for (const ControllerMaker& make : options_.makers) {
      controllers_.push_back(make(context_));
    }
    context_.informers.Start([this] { Synced(); });
  }

  // However long the server is away; says so once for each reason.
  loop::Task<void> LearnVersions() {
    std::string told;
    for (client::Answer<void> known = co_await api_.UseVersions(); !known;
         known = co_await api_.UseVersions()) {
      if (std::exchange(told, known.error().message) != known.error().message) {
        Log("cannot ask the server for its versions: ", known.error().message);
      }
      co_await loop::Pause(loop_, kAskAgain);
    }
  }

  void Synced() {
    if (stopped_) {
      return;
    }
    if (!options_.leader) {
      return Work();
    }
    election_ = std::make_unique<client::LeaderElection>(
        api_, *options_.leader,
        client::LeaderCalls{.started = [this] { Work(); }, .stopped = [this] { Lose(); }});
    election_->Start();
  }

  void Work() {
    if (stopped_) {
      return;
    }
    for (const auto& controller : controllers_) {
      controller->Start();
    }
    ready_ = true;
    calls_.ready();
  }

  // Not at once: whoever calls stands in the election.
  void Lose() {
    ready_ = false;
    loop_.Post([this] {
      Drop();
      calls_.lost();
    });
  }

  void GiveUp(std::function<void()> done) {
    ready_ = false;
    calls_ = {};
    Drop();
    if (election_ != nullptr && election_->leads()) {
      election_->Release(std::move(done));
    } else {
      done();
    }
  }

  // Both in one piece of work, so that no collection tells a controller that is gone.
  void Drop() {
    controllers_.clear();
    informers_.reset();
  }

  void Log(std::string_view what, std::string_view why) {
    options_.log(fmt::format("{}{}", what, why));
  }

  const RoleOptions options_;
  SystemRandom random_;
  metrics::Registry metrics_;
  std::atomic<bool> ready_ = false;
  std::atomic<bool> stopped_ = false;
  loop::ThreadLoop loop_;
  client::Api api_;
  std::optional<client::Informers> informers_;
  client::WorkMeters work_;
  client::ControllerContext context_;
  RoleCalls calls_;
  std::vector<std::unique_ptr<client::Controller>> controllers_;
  std::unique_ptr<client::LeaderElection> election_;
  loop::TaskGroup tasks_;
};

Role::Role(net::Client& client, RoleOptions options)
    : parts_(std::make_unique<Parts>(client, std::move(options))) {}

Role::~Role() { parts_->Stop(); }

void Role::Start(RoleCalls calls) { parts_->Start(std::move(calls)); }

void Role::Stop() { parts_->Stop(); }

bool Role::ready() const { return parts_->ready(); }

metrics::Registry& Role::metrics() { return parts_->metrics(); }

}  // namespace quadra::roles
