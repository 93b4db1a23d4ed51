#include "scheduler/plugins/default_preemption/evictions.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "scheduler/plugins/dynamic_resources/side_by_side.h"
#include "scheduler/status_patch.h"

namespace quadra::scheduler {
namespace {

constexpr std::string_view kByPlugin = "preempted by DefaultPreemption";

// A pod that is not there any more, or another one of its name.
bool IsGone(const client::Failure& failure) {
  return failure.Is(client::refused::kNotFound) || failure.Is(client::refused::kConflict);
}

StatusWanted MarkedBy(const std::string& scheduler) {
  return {.condition = StatusWanted::Condition{
              .type = "DisruptionTarget",
              .status = "True",
              .reason = "PreemptionByScheduler",
              .message = scheduler + ": preempting to accommodate a higher priority pod"}};
}

}  // namespace

void Evictions::Start(Eviction eviction) {
  for (std::size_t i = eviction.victims.size(); i-- > 0;) {
    if (eviction.victims[i]->pod.metadata.deletion_timestamp) {
      const auto place = static_cast<std::ptrdiff_t>(i);
      eviction.victims.erase(eviction.victims.begin() + place);
      eviction.frees.erase(eviction.frees.begin() + place);
    }
  }
  if (!eviction.victims.empty()) {
    runs_[eviction.preemptor->uid()] = nullptr;
    handle_.write(EvictAll(std::make_shared<const Eviction>(std::move(eviction))));
  }
}

bool Evictions::AreUnderWay(const PodInfo& preemptor) const {
  const auto run = runs_.find(preemptor.uid());
  if (run == runs_.end()) {
    return false;
  }
  const PodInfoPtr& last = run->second;
  if (last == nullptr) {
    return true;
  }
  // The answer to its deletion may come later than what the deletion does.
  const auto pod = handle_.surroundings->FindPod(last->full_name);
  return pod != nullptr && pod->metadata.uid == last->uid() && !pod->metadata.deletion_timestamp;
}

loop::Task<void> Evictions::EvictAll(EvictionPtr eviction) {
  loop::Task<bool> clearing = ClearNominations(eviction);
  bool again = !co_await clearing;
  std::vector<loop::Task<Status>> first;
  for (std::size_t i = 0; i + 1 < eviction->victims.size(); ++i) {
    first.push_back(EvictFirst(eviction, i));
  }
  loop::Task<Status> evicting = SideBySide(handle_.api->loop(), std::move(first));
  const Status evicted = co_await evicting;
  if (evicted.ok()) {
    runs_[eviction->preemptor->uid()] = eviction->victims.back();
    loop::Task<Outcome> last = Evict(eviction, eviction->victims.size() - 1);
    const Outcome outcome = co_await last;
    again = again || outcome != Outcome::kDeleted;
  }
  runs_.erase(eviction->preemptor->uid());
  if (again || !evicted.ok()) {
    handle_.surroundings->Activate(eviction->preemptor);  // no event need come that wakes it
  }
}

loop::Task<Status> Evictions::EvictFirst(EvictionPtr eviction, std::size_t place) {
  loop::Task<Outcome> evicting = Evict(eviction, place);
  const Outcome outcome = co_await evicting;
  co_return outcome == Outcome::kFailed ? Status(Code::kError, "it was told") : Status();
}

auto Evictions::Evict(EvictionPtr eviction, std::size_t place) -> loop::Task<Outcome> {
  const PodInfoPtr victim = eviction->victims[place];
  if (handle_.surroundings->CancelBinding(victim->uid(), std::string(kByPlugin))) {
    Tell(*eviction, place, true);
    co_return Outcome::kGone;
  }
  loop::Task<client::Answer<std::string>> deleting =
      MarkAndDelete(victim, eviction->preemptor->pod.spec.scheduler_name);
  const client::Answer<std::string> deleted = co_await deleting;
  if (deleted) {
    Tell(*eviction, place, false);
    co_return Outcome::kDeleted;
  }
  if (IsGone(deleted.error())) {
    co_return Outcome::kGone;
  }
  handle_.surroundings->Log(fmt::format("cannot preempt pod {} for pod {}: {}", victim->full_name,
                                        eviction->preemptor->full_name, deleted.error().message));
  co_return Outcome::kFailed;
}

loop::Task<client::Answer<std::string>> Evictions::MarkAndDelete(PodInfoPtr victim,
                                                                 std::string scheduler) {
  const client::Resource pods = client::ResourceOf<api::Pod>();
  const api::ObjectMeta& metadata = victim->pod.metadata;
  const std::optional<client::Change> mark =
      StatusPatch(victim->pod, MarkedBy(scheduler), handle_.api->loop().Now());
  if (mark) {
    loop::Later<client::Answer<std::string>> marking =
        handle_.api->Patch(pods, metadata.ns, metadata.name, *mark);
    client::Answer<std::string> marked = co_await marking;
    if (!marked) {
      co_return marked;
    }
  }
  const client::Deletion deletion{.uid = metadata.uid};
  loop::Later<client::Answer<std::string>> deleting =
      handle_.api->Delete(pods, metadata.ns, metadata.name, deletion);
  client::Answer<std::string> deleted = co_await deleting;
  co_return deleted;
}

loop::Task<bool> Evictions::ClearNominations(EvictionPtr eviction) {
  bool cleared_all = true;
  for (const PodInfoPtr& each : handle_.nominated(eviction->node)) {
    const std::optional<client::Change> change =
        StatusPatch(each->pod, {.nominated_node = std::string()}, handle_.api->loop().Now());
    if (each->priority >= eviction->preemptor->priority || !change) {
      continue;
    }
    const client::Resource pods = client::ResourceOf<api::Pod>();
    loop::Later<client::Answer<std::string>> clearing =
        handle_.api->Patch(pods, each->pod.metadata.ns, each->pod.metadata.name, *change);
    const client::Answer<std::string> cleared = co_await clearing;
    if (!cleared && !IsGone(cleared.error())) {
      cleared_all = false;
      handle_.surroundings->Log(fmt::format("cannot take the nomination of pod {} to node {}: {}",
                                            each->full_name, eviction->node,
                                            cleared.error().message));
    }
  }
  co_return cleared_all;
}

void Evictions::Tell(const Eviction& eviction, std::size_t place, bool taken_back) {
  std::string note =
      fmt::format("Preempted by pod {} on node {}", eviction.preemptor->uid(), eviction.node);
  note += taken_back ? " (in kube-scheduler memory)." : "";
  note += eviction.frees[place].empty() ? "" : fmt::format(", frees {}", eviction.frees[place]);
  handle_.tell(eviction.victims[place]->pod, "Preempted", note);
}

}  // namespace quadra::scheduler
