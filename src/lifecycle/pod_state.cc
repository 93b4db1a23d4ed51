#include "lifecycle/pod_state.h"

#include <algorithm>
#include <chrono>

namespace quadra::lifecycle {

const api::OwnerReference* ControllerOf(const api::ObjectMeta& metadata) {
  const auto* const found = std::ranges::find_if(
      metadata.owner_references,
      [](const api::OwnerReference& owner) { return owner.controller.value_or(false); });
  return found == metadata.owner_references.end() ? nullptr : found;
}

const api::PodCondition* FindCondition(const api::Pod& pod, std::string_view type) {
  const auto* const found =
      std::ranges::find(pod.status.conditions, type, &api::PodCondition::type);
  return found == pod.status.conditions.end() ? nullptr : found;
}

bool IsReady(const api::Pod& pod) {
  const api::PodCondition* const ready = FindCondition(pod, "Ready");
  return ready != nullptr && ready->status == "True";
}

std::optional<Time> ReadySince(const api::Pod& pod) {
  return IsReady(pod) ? FindCondition(pod, "Ready")->last_transition_time : std::nullopt;
}

bool IsAvailable(const api::Pod& pod, std::int64_t min_ready_seconds, Time now) {
  const std::optional<Time> since = ReadySince(pod);
  const bool long_enough = since && *since + std::chrono::seconds(min_ready_seconds) <= now;
  return IsReady(pod) && (min_ready_seconds == 0 || long_enough);
}

std::optional<Time> AvailableFrom(const api::Pod& pod, std::int64_t min_ready_seconds, Time now) {
  const std::optional<Time> since = ReadySince(pod);
  if (!since || min_ready_seconds <= 0) {
    return std::nullopt;
  }
  const Time from = *since + std::chrono::seconds(min_ready_seconds);
  return from > now ? std::optional(from) : std::nullopt;
}

bool IsFinished(const api::Pod& pod) {
  return pod.status.phase == "Succeeded" || pod.status.phase == "Failed";
}

bool IsActive(const api::Pod& pod) {
  return !IsFinished(pod) && !pod.metadata.deletion_timestamp.has_value();
}

bool IsTerminating(const api::Pod& pod) {
  return !IsFinished(pod) && pod.metadata.deletion_timestamp.has_value();
}

}  // namespace quadra::lifecycle
