// A pod that was not placed: it waits for what may change that, and its status and an event say why.

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "json/writer.h"
#include "scheduler/cycle.h"
#include "scheduler/status_patch.h"

namespace quadra::scheduler {
namespace {

constexpr std::size_t kLongestNote = 1024;  // the API server refuses longer ones
constexpr std::string_view kMore = " ...";

// What the scheduler was at, as upstream says it in its events.
std::string_view ActionOf(std::string_view reason) {
  return reason == "Scheduled" ? "Binding" : reason == "Preempted" ? "Preempting" : "Scheduling";
}

std::string Shortened(const std::string& text) {
  return text.size() <= kLongestNote
             ? text
             : text.substr(0, kLongestNote - kMore.size()) + std::string(kMore);
}

}  // namespace

void Cycle::Fail(const AttemptPtr& attempt, const Status& status,
                 const std::optional<std::string>& nominated) {
  meters_.CountFailure(*attempt, status, context_.api.loop().Now() - attempt->began);
  const client::Informer<api::Pod>::Pointer pod = pods_.Find(attempt->pod().full_name);
  if (pod == nullptr || pod->metadata.uid != attempt->pod().uid() || !pod->spec.node_name.empty()) {
    return queue_->Done(attempt->pod().uid());
  }
  Remember(*attempt, status.IsRejected() ? "unschedulable" : "error", status.Message());
  QueuedPod again = std::move(attempt->queued);
  again.pod = InfoOf(*pod);
  const PodInfoPtr now = again.pod;
  Rejection rejection;
  if (status.IsRejected()) {
    rejection = {.unschedulable = attempt->choice.diagnosis.unschedulable,
                 .pending = attempt->choice.diagnosis.pending};
  }
  queue_->AddUnschedulable(std::move(again), std::move(rejection));
  queue_->AddNominated(now, nominated);
  TellPod(*pod, status, nominated);
}

void Cycle::TellPod(const api::Pod& pod, const Status& status,
                    const std::optional<std::string>& nominated) {
  const std::string text = status.Message();
  Record(pod, client::EventType::kWarning, "FailedScheduling", Shortened(text));
  statuses_.Tell(
      pod, {.condition = StatusWanted::Condition{.type = "PodScheduled",
                                                 .status = "False",
                                                 .reason = status.IsRejected() ? "Unschedulable"
                                                                               : "SchedulerError",
                                                 .message = text},
            .nominated_node = nominated});
}

void Cycle::Record(const api::Pod& about, client::EventType type, std::string_view reason,
                   const std::string& note) {
  // A victim of preemption may be another scheduler's.
  const auto own = events_.find(about.spec.scheduler_name);
  client::EventRecorder& recorder = own == events_.end() ? events_.begin()->second : own->second;
  Write(WriteEvent({.api_version = "v1",
                    .kind = "Pod",
                    .ns = about.metadata.ns,
                    .name = about.metadata.name,
                    .uid = about.metadata.uid,
                    .resource_version = about.metadata.resource_version},
                   recorder, type, std::string(reason), note));
}

loop::Task<void> Cycle::WriteEvent(client::ObjectReference about, client::EventRecorder& recorder,
                                   client::EventType type, std::string reason, std::string note) {
  recorder.Record(about, type, reason, note, ActionOf(reason));
  co_return;
}

}  // namespace quadra::scheduler
