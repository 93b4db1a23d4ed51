#include "claims/controller.h"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "claims/consumers.h"
#include "claims/deleting.h"
#include "claims/freeing.h"
#include "claims/making.h"
#include "claims/reserving.h"
#include "claims/shared.h"

namespace quadra::claims {
namespace {

using client::Answer;
using client::Looked;

constexpr std::string_view kPodKey = "pod:";
constexpr std::string_view kClaimKey = "claim:";

// The duties of one controller and the queue that calls them. Handlers of informers outlive it, and
// hold it weakly.
class ClaimWork {
 public:
  ClaimWork(client::ControllerContext& context, const ClaimControllerOptions& options)
      : shared_{.api = context.api,
                .pods = context.informers.Of<api::Pod>(),
                .claims = context.informers.Of<api::ResourceClaim>(),
                .templates = context.informers.Of<api::ResourceClaimTemplate>(),
                .gates = context.gates,
                .log = context.log,
                .meters = ClaimMeters(context.metrics, options.metrics_names),
                .events = client::EventRecorder(context.api, "resource_claim"),
                .look_again = [this](std::chrono::microseconds delay,
                                     std::string key) { queue_.AddAfter(delay, std::move(key)); }},
        queue_(context.api.loop(),
               {.meter = context.work.For("resource_claim"), .workers = options.workers},
               [this](std::string key) { return LookAt(std::move(key)); }) {}

  Shared& shared() { return shared_; }
  void Start() { queue_.Start(); }
  bool idle() const { return queue_.idle(); }

  // --- What has changed, and what is to be looked at for it.
  void OnPod(const api::Pod& pod);
  void OnPodGone(const api::Pod& pod);
  void OnClaim(const api::ResourceClaim& claim);
  void OnClaimGone(const api::ResourceClaim& claim);
  void OnTemplate(const api::ResourceClaimTemplate& made_from);

 private:
  void AddClaimsOf(const api::Pod& pod);
  void CheckPodsOf(const api::ResourceClaim& claim);

  loop::Task<Looked> LookAt(std::string key);
  loop::Task<Answer<void>> LookAtPod(std::string full_name);
  loop::Task<Answer<void>> LookAtClaim(std::string full_name);

  Shared shared_;
  client::WorkQueue queue_;  // last: what it runs uses all of the above
};

void ClaimWork::AddClaimsOf(const api::Pod& pod) {
  for (const std::string& claim : ClaimsOf(pod)) {
    queue_.Add(std::string(kClaimKey) + claim);
  }
}

void ClaimWork::OnPod(const api::Pod& pod) {
  if (!HasClaims(pod)) {
    return;
  }
  if (IsDone(pod)) {
    AddClaimsOf(pod);
  }
  const auto find = [this](const std::string& name) { return shared_.claims.Find(name); };
  if (NeedsWork(pod, find)) {
    queue_.Add(std::string(kPodKey) + api::FullNameOf(pod));
  }
}

void ClaimWork::OnPodGone(const api::Pod& pod) {
  if (HasClaims(pod)) {
    shared_.gone_pods.Put(pod.metadata.uid, {});
    AddClaimsOf(pod);
  }
}

void ClaimWork::CheckPodsOf(const api::ResourceClaim& claim) {
  for (const PodPointer& pod : shared_.pods.With("claims.claim", api::FullNameOf(claim))) {
    OnPod(*pod);
  }
}

void ClaimWork::OnClaim(const api::ResourceClaim& claim) {
  const std::string name = api::FullNameOf(claim);
  shared_.made.Remove(name);
  queue_.Add(std::string(kClaimKey) + name);
  CheckPodsOf(claim);
}

void ClaimWork::OnClaimGone(const api::ResourceClaim& claim) {
  shared_.made.Remove(api::FullNameOf(claim));
  CheckPodsOf(claim);
}

void ClaimWork::OnTemplate(const api::ResourceClaimTemplate& made_from) {
  for (const PodPointer& pod : shared_.pods.With("claims.template", api::FullNameOf(made_from))) {
    OnPod(*pod);
  }
}

loop::Task<Looked> ClaimWork::LookAt(std::string key) {
  const bool is_pod = key.starts_with(kPodKey);
  std::string name = key.substr(is_pod ? kPodKey.size() : kClaimKey.size());
  loop::Task<Answer<void>> look =
      is_pod ? LookAtPod(std::move(name)) : LookAtClaim(std::move(name));
  const Answer<void> done = co_await look;
  if (!done) {
    shared_.log(fmt::format("resourceclaim-controller: {}: {}", key, done.error().message));
  }
  co_return done ? Looked::kDone : Looked::kAgain;
}

loop::Task<Answer<void>> ClaimWork::LookAtPod(std::string full_name) {
  const PodPointer pod = shared_.pods.Find(full_name);
  if (pod == nullptr || pod->metadata.deletion_timestamp || IsDone(*pod) ||
      IsOutdated(shared_, pod->metadata)) {
    co_return Answer<void>();
  }
  const Answer<void> made = co_await MakeClaims(shared_, pod);
  if (!made) {
    co_return made;
  }
  const Answer<void> reserved = co_await ReserveForScheduled(shared_, pod);
  co_return reserved;
}

loop::Task<Answer<void>> ClaimWork::LookAtClaim(std::string full_name) {
  const ClaimPointer claim = shared_.claims.Find(full_name);
  if (claim == nullptr || IsOutdated(shared_, claim->metadata)) {
    co_return Answer<void>();
  }
  const Answer<Consumers> remaining = co_await RemainingConsumers(shared_, claim);
  if (!remaining) {
    co_return tl::unexpected(remaining.error());
  }
  const Answer<ClaimPointer> freed = co_await Free(shared_, claim, *remaining);
  if (!freed) {
    co_return tl::unexpected(freed.error());
  }
  if (!remaining->empty()) {
    co_return Answer<void>();
  }
  const Answer<void> deleted = co_await DeleteIfDone(shared_, *freed);
  co_return deleted;
}

template <typename T>
std::function<void(const T&)> Weakly(const std::shared_ptr<ClaimWork>& work,
                                     void (ClaimWork::*handle)(const T&)) {
  return [weak = std::weak_ptr(work), handle](const T& object) {
    if (const std::shared_ptr<ClaimWork> alive = weak.lock()) {
      ((*alive).*handle)(object);
    }
  };
}

void FollowPods(const std::shared_ptr<ClaimWork>& work) {
  client::Informer<api::Pod>& pods = work->shared().pods;
  pods.AddIndex("claims.claim", ClaimsOf);
  pods.AddIndex("claims.template", TemplatesOf);
  const auto changed = Weakly(work, &ClaimWork::OnPod);
  pods.OnChange({.added = changed,
                 .updated = [changed](const api::Pod&, const api::Pod& now) { changed(now); },
                 .deleted = Weakly(work, &ClaimWork::OnPodGone)});
}

void CountClaims(const std::shared_ptr<ClaimWork>& work) {
  using api::ResourceClaim;
  const std::weak_ptr<ClaimWork> weak = work;
  const auto count = [weak](const ResourceClaim* before, const ResourceClaim* now) {
    const std::shared_ptr<ClaimWork> alive = weak.lock();
    if (alive && before != nullptr) {
      alive->shared().meters.Leave(*before);
    }
    if (alive && now != nullptr) {
      alive->shared().meters.Enter(*now);
    }
  };
  work->shared().claims.OnChange(
      {.added = [count](const ResourceClaim& now) { count(nullptr, &now); },
       .updated = [count](const ResourceClaim& before,
                          const ResourceClaim& now) { count(&before, &now); },
       .deleted = [count](const ResourceClaim& last) { count(&last, nullptr); }});
}

void FollowClaims(const std::shared_ptr<ClaimWork>& work) {
  using api::ResourceClaim;
  client::Informer<ResourceClaim>& claims = work->shared().claims;
  claims.AddIndex("claims.owner", [](const ResourceClaim& claim) {
    const std::string owner = OwnerKey(claim);
    return owner.empty() ? std::vector<std::string>() : std::vector<std::string>{owner};
  });
  const auto changed = Weakly(work, &ClaimWork::OnClaim);
  claims.OnChange(
      {.added = changed,
       .updated = [changed](const ResourceClaim&, const ResourceClaim& now) { changed(now); },
       .deleted = Weakly(work, &ClaimWork::OnClaimGone)});
}

void FollowTemplates(const std::shared_ptr<ClaimWork>& work) {
  using Template = api::ResourceClaimTemplate;
  const auto changed = Weakly(work, &ClaimWork::OnTemplate);
  work->shared().templates.OnChange(
      {.added = changed,
       .updated = [changed](const Template&, const Template& now) { changed(now); }});
}

class ClaimController final : public client::Controller {
 public:
  explicit ClaimController(std::shared_ptr<ClaimWork> work) : work_(std::move(work)) {}
  void Start() override { work_->Start(); }
  bool idle() const override { return work_->idle(); }

 private:
  const std::shared_ptr<ClaimWork> work_;
};

}  // namespace

std::unique_ptr<client::Controller> MakeClaimController(client::ControllerContext& context,
                                                        const ClaimControllerOptions& options) {
  auto work = std::make_shared<ClaimWork>(context, options);
  FollowPods(work);
  FollowClaims(work);
  FollowTemplates(work);
  CountClaims(work);
  return std::make_unique<ClaimController>(std::move(work));
}

}  // namespace quadra::claims
