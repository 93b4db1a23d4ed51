#include "scheduler/queue/queue_rules.h"

#include <algorithm>
#include <utility>

#include "scheduler/framework/profile.h"

namespace quadra::scheduler {

QueueRules::QueueRules(std::string scheduler_name, std::span<const Plugin* const> plugins)
    : scheduler_name_(std::move(scheduler_name)) {
  for (const Plugin* const plugin : plugins) {
    for (EventHint& wanted : plugin->EventsToRegister()) {
      registered_.push_back({.plugin = plugin->name(), .wanted = std::move(wanted)});
    }
    if (const auto* const point = dynamic_cast<const PreEnqueuePlugin*>(plugin)) {
      gates_.push_back({.plugin = plugin->name(), .point = point});
    }
  }
}

QueueRules QueueRules::Of(const Profile& profile) {
  std::vector<const Plugin*> plugins;
  for (const WeightedPlugin& each : profile.plugins()) {
    plugins.push_back(each.plugin.get());
  }
  return {profile.name(), plugins};
}

bool QueueRules::IsOfInterest(const ClusterEvent& event) const {
  return std::ranges::any_of(
      registered_, [&](const Registered& each) { return each.wanted.event.Matches(event); });
}

std::set<std::string_view> QueueRules::InterestedIn(const ClusterEvent& event) const {
  std::set<std::string_view> plugins;
  for (const Registered& each : registered_) {
    if (each.wanted.event.Matches(event)) {
      plugins.insert(each.plugin);
    }
  }
  return plugins;
}

bool QueueRules::Concerns(std::string_view plugin, const ClusterEvent& event) const {
  return std::ranges::any_of(registered_, [&](const Registered& each) {
    return each.plugin == plugin && each.wanted.event.Matches(event);
  });
}

Wake QueueRules::WakeOf(const Rejection& rejection, const PodInfo& pod, const ClusterEvent& event,
                        const EventObjects& objects) const {
  Wake wake = Wake::kSkip;
  for (const auto& [plugin, wanted] : registered_) {
    if (!wanted.event.Matches(event) || !rejection.Has(plugin) ||
        (wanted.hint && !wanted.hint(pod, objects))) {
      continue;
    }
    if (rejection.pending.contains(plugin)) {
      return Wake::kImmediately;
    }
    wake = Wake::kAfterBackoff;
    if (rejection.pending.empty()) {
      return wake;
    }
  }
  return wake;
}

std::string_view QueueRules::GatingPlugin(const PodInfo& pod, std::string_view first) const {
  const auto refuses = [&](const Gate& gate) { return !gate.point->PreEnqueue(pod).ok(); };
  const auto known = std::ranges::find(gates_, first, &Gate::plugin);
  if (known != gates_.end() && refuses(*known)) {
    return first;
  }
  const auto found = std::ranges::find_if(
      gates_, [&](const Gate& gate) { return gate.plugin != first && refuses(gate); });
  return found == gates_.end() ? std::string_view() : found->plugin;
}

}  // namespace quadra::scheduler
