#include "client/leader_election.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <utility>

#include <fmt/format.h>
#include <unistd.h>

#include "api/vocabulary.h"
#include "base/check.h"
#include "client/lease.h"

namespace quadra::client {
namespace {

using std::chrono::microseconds;

// Of a lease that somebody else wrote: what the API can express.
constexpr std::int64_t kLongestLease = std::numeric_limits<std::int32_t>::max();

const Resource& Leases() {
  static const Resource leases = ResourceFor("coordination.k8s.io/v1", "Lease");
  return leases;
}

std::string MicroTime(Time time) {
  std::string text;
  api::AppendMicroTime(text, time);
  return text;
}

// What may be read back; null where it cannot.
json::Value Parsed(const std::string& text) {
  Result<json::Value> value = json::ParseValue(text);
  return value ? *std::move(value) : json::Value();
}

}  // namespace

std::string HostAndUuid(Random& random) {
  std::array<char, 256> host{};
  const bool known = gethostname(host.data(), host.size() - 1) == 0;
  return fmt::format("{}_{}", known ? host.data() : "unknown", NewUuid(random));
}

struct LeaderElection::Parts : std::enable_shared_from_this<Parts> {
  Parts(Api& the_api, LeaderElectionOptions the_options, LeaderCalls the_calls)
      : api(the_api), options(std::move(the_options)), calls(std::move(the_calls)) {}

  loop::Task<void> Run();
  loop::Task<void> Acquire();
  loop::Task<void> Renew();
  loop::Task<bool> Attempt();
  loop::Task<bool> TryOnce();
  loop::Task<bool> Create();
  loop::Task<bool> Update(Lease wanted);
  loop::Task<void> GiveUp(std::function<void()> done);
  loop::Task<void> Clear();

  void Observe(json::Value found);
  void Lead();
  void Lose();
  void TellLeader();
  void Afterwards(microseconds delay, std::function<void(Parts&)> work);

  Lease Wanted() const;
  bool Held() const { return lease.holder == options.identity; }
  microseconds RetryWait() const;

  Api& api;
  const LeaderElectionOptions options;
  const LeaderCalls calls;
  bool leads = false;
  bool over = false;       // stopped, or to be released
  json::Value object;      // the Lease as it was last seen; null: never
  Lease lease;             // what it says
  std::uint64_t seen = 0;  // how often it was seen to change
  bool expired = true;     // it has not changed for its duration
  std::uint64_t attempts = 0;
  std::uint64_t last_success = 0;  // among them
  std::uint64_t too_late = 0;      // up to this one
  std::string told;                // the leader that new_leader knows of
  std::unique_ptr<loop::TaskGroup> tasks = std::make_unique<loop::TaskGroup>();  // last
};

LeaderElection::LeaderElection(Api& api, LeaderElectionOptions options, LeaderCalls calls)
    : parts_(std::make_shared<Parts>(api, std::move(options), std::move(calls))) {
  const LeaderElectionOptions& given = parts_->options;
  QUADRA_CHECK(!given.identity.empty(), "who may lead has a name");
  QUADRA_CHECK(
      given.retry_period < given.renew_deadline && given.renew_deadline < given.lease_duration,
      "a leader must notice that it could not renew before others may take over");
}

LeaderElection::~LeaderElection() { parts_->tasks.reset(); }

void LeaderElection::Start() { parts_->tasks->Start(parts_->Run()); }

bool LeaderElection::leads() const { return parts_->leads; }

void LeaderElection::Release(std::function<void()> done) {
  const std::shared_ptr<Parts> parts = parts_;
  const bool held = parts->Held();
  parts->Lose();
  if (parts->tasks == nullptr) {  // dropped by what `stopped` did
    return done();
  }
  if (!held) {
    return parts->api.loop().Post(std::move(done));
  }
  parts->tasks->Start(parts->GiveUp(std::move(done)));
}

// ---- Acquiring and renewing.

loop::Task<void> LeaderElection::Parts::Run() {
  co_await Acquire();
  Lead();
  co_await Renew();
}

loop::Task<void> LeaderElection::Parts::Acquire() {
  for (;;) {
    const bool acquired = co_await Attempt();
    if (acquired) {
      co_return;
    }
    co_await loop::Pause(api.loop(), RetryWait());
  }
}

// Ended from outside, where the deadline passes or another leads.
loop::Task<void> LeaderElection::Parts::Renew() {
  for (;;) {
    co_await loop::Pause(api.loop(), options.retry_period);
    const bool renewed = co_await Attempt();
    if (!renewed && !lease.holder.empty() && !Held()) {
      Afterwards(microseconds(0), [](Parts& parts) { parts.Lose(); });
      co_return;
    }
  }
}

// So that many who wait do not ask all at once.
microseconds LeaderElection::Parts::RetryWait() const {
  const microseconds period = options.retry_period;
  return period +
         microseconds(api.random().Below(static_cast<std::uint64_t>(period.count()) * 12 / 10 + 1));
}

// What succeeds is good for a while from when we asked, not from when we were answered: others count
// from a moment in between.
loop::Task<bool> LeaderElection::Parts::Attempt() {
  const std::uint64_t attempt = ++attempts;
  Afterwards(options.retry_period + options.renew_deadline, [attempt](Parts& parts) {
    parts.too_late = attempt;
    if (parts.last_success == attempt) {
      parts.Lose();
    }
  });
  const bool answered = co_await TryOnce();
  const bool succeeded = answered && attempt > too_late;
  TellLeader();
  last_success = succeeded ? attempt : last_success;
  co_return succeeded;
}

loop::Task<bool> LeaderElection::Parts::TryOnce() {
  if (Held() && !expired) {  // nobody else should have changed it, so we need not look first
    Lease renewed = Wanted();
    const bool kept = co_await Update(std::move(renewed));
    if (kept) {
      co_return true;
    }
  }
  const Answer<std::string> found = co_await api.Get(Leases(), options.ns, options.name);
  if (!found && found.error().code == 404) {
    co_return co_await Create();
  }
  if (!found) {
    co_return false;
  }
  Observe(Parsed(*found));
  if (!lease.holder.empty() && !expired && !Held()) {
    co_return false;
  }
  Lease wanted = Wanted();
  co_return co_await Update(std::move(wanted));
}

Lease LeaderElection::Parts::Wanted() const {
  const auto seconds = std::chrono::ceil<std::chrono::seconds>(options.lease_duration);
  const std::string now = MicroTime(api.loop().Now());
  return {.holder = options.identity,
          .duration_seconds = seconds.count(),
          .acquire_time = Held() ? lease.acquire_time : now,
          .renew_time = now,
          .transitions = object.is_null() ? 0 : lease.transitions + (Held() ? 0 : 1)};
}

loop::Task<bool> LeaderElection::Parts::Create() {
  object = json::Value();
  lease = Lease();
  std::string body = WithLease(NewLeaseObject(options.ns, options.name), Wanted());
  const Answer<std::string> made = co_await api.Create(Leases(), options.ns, std::move(body));
  if (made) {
    Observe(Parsed(*made));
  }
  co_return made.has_value() && Held();
}

loop::Task<bool> LeaderElection::Parts::Update(Lease wanted) {
  std::string body = WithLease(object, wanted);
  const Answer<std::string> kept =
      co_await api.Update(Leases(), options.ns, options.name, std::move(body));
  if (kept) {
    Observe(Parsed(*kept));
  }
  co_return kept.has_value() && Held();
}

// ---- What is seen, and when.

// Whether a lease is still good is measured from here on by a delay, which no change of the wall
// clock shortens.
void LeaderElection::Parts::Observe(json::Value found) {
  Lease now = LeaseOf(found);
  const bool same = now == lease && !object.is_null();
  object = std::move(found);
  if (same) {
    return;
  }
  lease = std::move(now);
  expired = false;
  const std::uint64_t mark = ++seen;
  const std::int64_t seconds = std::clamp<std::int64_t>(lease.duration_seconds, 0, kLongestLease);
  Afterwards(std::chrono::seconds(seconds),
             [mark](Parts& parts) { parts.expired = parts.expired || parts.seen == mark; });
}

void LeaderElection::Parts::Lead() {
  leads = true;
  Afterwards(microseconds(0), [](Parts& parts) {
    if (parts.leads) {
      parts.calls.started();
    }
  });
}

// Not in a task of ours, which it ends.
void LeaderElection::Parts::Lose() {
  if (std::exchange(over, true)) {
    return;
  }
  tasks = std::make_unique<loop::TaskGroup>();
  if (std::exchange(leads, false)) {
    calls.stopped();
  }
}

void LeaderElection::Parts::TellLeader() {
  if (lease.holder == told) {
    return;
  }
  told = lease.holder;
  Afterwards(microseconds(0), [leader = told](Parts& parts) { parts.calls.new_leader(leader); });
}

// Calls that may drop us come from here, so that no task is under way below them.
void LeaderElection::Parts::Afterwards(microseconds delay, std::function<void(Parts&)> work) {
  api.loop().PostAfter(delay, [weak = weak_from_this(), work = std::move(work)] {
    if (const std::shared_ptr<Parts> parts = weak.lock()) {
      work(*parts);
    }
  });
}

// ---- Giving up.

loop::Task<void> LeaderElection::Parts::GiveUp(std::function<void()> done) {
  const auto tell = [call = std::make_shared<std::function<void()>>(std::move(done))](Parts&) {
    if (const std::function<void()> once = std::exchange(*call, nullptr)) {
      once();
    }
  };
  Afterwards(options.renew_deadline, tell);
  co_await Clear();
  Afterwards(microseconds(0), tell);
}

loop::Task<void> LeaderElection::Parts::Clear() {
  for (;;) {
    const Answer<std::string> found = co_await api.Get(Leases(), options.ns, options.name);
    if (!found) {
      co_return;
    }
    Observe(Parsed(*found));
    if (!Held()) {
      co_return;
    }
    const std::string now = MicroTime(api.loop().Now());
    Lease free{.holder = "",
               .duration_seconds = 1,
               .acquire_time = now,
               .renew_time = now,
               .transitions = lease.transitions};
    std::string body = WithLease(object, free);
    const Answer<std::string> freed =
        co_await api.Update(Leases(), options.ns, options.name, std::move(body));
    if (freed || !freed.error().Is(refused::kConflict)) {
      co_return;
    }
  }
}

}  // namespace quadra::client
