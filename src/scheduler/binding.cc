// What a placed pod needs written: claims by PreBind, then the binding; and what is undone where that fails.

#include <optional>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "scheduler/cycle.h"
#include "scheduler/status_patch.h"

namespace quadra::scheduler {

loop::Task<void> Cycle::Bind(AttemptPtr attempt) {
  loop::Task<Status> writing = WriteAndBind(attempt);
  const Status status = co_await writing;
  if (!status.ok()) {
    Undo(attempt, status);
    co_return;
  }
  const Time now = context_.api.loop().Now();
  meters_.CountScheduled(*attempt, now - attempt->began, now);
  Remember(*attempt, "scheduled", {});
  Record(attempt->pod().pod, client::EventType::kNormal, "Scheduled",
         fmt::format("Successfully assigned {} to {}", attempt->pod().full_name, attempt->node));
}

loop::Task<Status> Cycle::WriteAndBind(AttemptPtr attempt) {
  const Profile& profile = *attempt->profile;
  Status wanted = profile.RunPreBindPreFlight(attempt->state, *attempt->assumed, attempt->node);
  if (!wanted.ok() && !wanted.skips()) {
    co_return wanted;
  }
  // From here on nothing that happens can make the pod unschedulable: a failure is tried again.
  queue_->Done(attempt->pod().uid());
  if (wanted.ok()) {
    loop::Task<Status> preparing = Prepare(attempt);
    Status prepared = co_await preparing;
    if (!prepared.ok()) {
      co_return prepared;
    }
  }
  loop::Task<Status> binding = profile.RunBind(attempt->state, attempt->assumed, attempt->node);
  Status bound = co_await binding;
  co_return bound;
}

loop::Task<Status> Cycle::Prepare(AttemptPtr attempt) {
  const std::string uid = attempt->pod().uid();
  loop::Later<Status> done;
  preparing_[uid] = done.Bring();
  loop::TaskGroup preparing;  // ends with this, wherever it is by then
  preparing.Start(RunPreBind(attempt, done.Bring()));
  Status prepared = co_await done;
  preparing_.erase(uid);
  co_return prepared;
}

loop::Task<void> Cycle::RunPreBind(AttemptPtr attempt, std::function<void(Status)> bring) {
  loop::Task<Status> running =
      attempt->profile->RunPreBind(attempt->state, attempt->assumed, attempt->node);
  const Status prepared = co_await running;
  // Later, when this has left its group.
  context_.api.loop().Post([bring, prepared] { bring(prepared); });
}

bool Cycle::CancelBinding(const std::string& uid, const std::string& why) {
  const auto found = preparing_.find(uid);
  if (found == preparing_.end()) {
    return false;
  }
  const std::function<void(Status)> bring = std::move(found->second);
  preparing_.erase(found);
  bring(Status(Code::kError, why));
  return true;
}

void Cycle::Nominate(const PodInfoPtr& pod, const std::string& node) {
  const client::Informer<api::Pod>::Pointer now = pods_.Find(pod->full_name);
  if (now != nullptr && now->metadata.uid == pod->uid()) {
    statuses_.Tell(*now, {.nominated_node = node});
  }
}

// What it held is free again, so it is told as if a pod had gone; the pod itself does not wake by that.
// It is tried again after a backoff whatever happens: nobody said what would have to change.
void Cycle::Undo(const AttemptPtr& attempt, const Status& status) {
  TakeBack(*attempt);
  attempt->choice.diagnosis = {};
  Fail(attempt, status, std::string());
  const std::string self = attempt->assumed->uid();
  const bool refused = status.IsRejected();
  queue_->Move(
      {.event = {EventResource::kAssignedPod, action::kDelete, {}}, .pod_before = attempt->assumed},
      [&](const PodInfo& pod) { return !refused || pod.uid() != self; });
}

}  // namespace quadra::scheduler
