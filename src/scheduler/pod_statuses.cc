#include "scheduler/pod_statuses.h"

#include <utility>

#include <fmt/format.h>

#include "scheduler/framework/revision.h"

namespace quadra::scheduler {
namespace {

// What is newer wins; what it does not speak of stays wanted.
void Join(std::optional<StatusWanted>& wanted, StatusWanted newer) {
  if (!wanted) {
    wanted.emplace();
  }
  if (newer.condition) {
    wanted->condition = std::move(newer.condition);
  }
  if (newer.nominated_node) {
    wanted->nominated_node = std::move(newer.nominated_node);
  }
}

bool IsAsNew(const api::Pod& copy, const api::Pod& other) {
  return RevisionOf(copy.metadata) >= RevisionOf(other.metadata);
}

}  // namespace

void PodStatuses::Tell(const api::Pod& pod, StatusWanted wanted) {
  TellingPtr& telling = told_[pod.metadata.uid];
  if (telling == nullptr) {
    telling = std::make_shared<Telling>();
    telling->newest = pod;
  }
  Join(telling->next, std::move(wanted));
  if (!std::exchange(telling->is_writing, true)) {
    around_.write(Write(telling));
  }
}

void PodStatuses::Show(const api::Pod& pod) {
  const auto found = told_.find(pod.metadata.uid);
  if (found == told_.end() || !IsAsNew(pod, found->second->newest)) {
    return;
  }
  if (found->second->is_writing) {
    found->second->newest = pod;
  } else {
    told_.erase(found);
  }
}

loop::Task<void> PodStatuses::Write(TellingPtr telling) {
  bool known = true;
  while (known) {
    const std::optional<StatusWanted> wanted = std::exchange(telling->next, std::nullopt);
    if (!wanted) {
      break;
    }
    const std::optional<client::Change> change =
        StatusPatch(telling->newest, *wanted, around_.api.loop().Now());
    if (change) {
      loop::Task<bool> patching = Patch(telling, *change);
      known = co_await patching;
    }
  }
  telling->is_writing = false;
  const api::ObjectMeta& metadata = telling->newest.metadata;
  const auto found = told_.find(metadata.uid);
  if (found == told_.end() || found->second != telling) {
    co_return;
  }
  const client::Informer<api::Pod>::Pointer copy = around_.pods.Find(metadata.ns, metadata.name);
  if (!known || copy == nullptr || IsAsNew(*copy, telling->newest)) {
    told_.erase(found);
  }
}

loop::Task<bool> PodStatuses::Patch(TellingPtr telling, client::Change change) {
  const api::ObjectMeta& metadata = telling->newest.metadata;
  const std::string name = api::FullName(metadata.ns, metadata.name);
  loop::Later<client::Answer<std::string>> patching = around_.api.Patch(
      client::ResourceOf<api::Pod>(), metadata.ns, metadata.name, std::move(change));
  const client::Answer<std::string> patched = co_await patching;
  if (!patched) {
    if (!patched.error().Is(client::refused::kNotFound)) {
      around_.log(
          fmt::format("cannot tell pod {} why it waits: {}", name, patched.error().message));
    }
    co_return false;
  }
  Result<api::Pod> now = client::Kind<api::Pod>::Decode(*patched);
  if (!now) {
    co_return false;
  }
  if (IsAsNew(*now, telling->newest)) {
    telling->newest = *std::move(now);
  }
  co_return true;
}

}  // namespace quadra::scheduler
