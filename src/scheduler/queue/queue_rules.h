// QueueRules: what the plugins of one scheduler name say about waiting pods: which must not be looked at
// yet, and which events may help whom.
//
//   const QueueRules rules = QueueRules::Of(profile);
//   if (rules.WakeOf(rejection, *pod, event, objects) != Wake::kSkip) …
//
// Pure; the plugins must outlive it. Cost: the events that plugins registered, a few tens.
#pragma once

#include <cstdint>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "scheduler/framework/cluster_event.h"
#include "scheduler/framework/plugin.h"
#include "scheduler/queue/queued_pod.h"

namespace quadra::scheduler {

class Profile;

// What an event does to a pod; a later one is stronger.
enum class Wake : std::uint8_t { kSkip, kAfterBackoff, kImmediately };

class QueueRules {
 public:
  QueueRules(std::string scheduler_name, std::span<const Plugin* const> plugins);
  static QueueRules Of(const Profile& profile);

  const std::string& scheduler_name() const { return scheduler_name_; }
  bool IsOfInterest(const ClusterEvent& event) const;
  // Whose hints are to be asked.
  std::set<std::string_view> InterestedIn(const ClusterEvent& event) const;
  // Whether the plugin registered for the event.
  bool Concerns(std::string_view plugin, const ClusterEvent& event) const;
  // What the hints of those who refused the pod say.
  Wake WakeOf(const Rejection& rejection, const PodInfo& pod, const ClusterEvent& event,
              const EventObjects& objects) const;
  // The plugin that does not want the pod looked at, asking `first` first; empty: none.
  std::string_view GatingPlugin(const PodInfo& pod, std::string_view first) const;

 private:
  struct Registered {
    std::string_view plugin;
    EventHint wanted;
  };
  struct Gate {
    std::string_view plugin;
    const PreEnqueuePlugin* point;
  };

  std::string scheduler_name_;
  std::vector<Registered> registered_;
  std::vector<Gate> gates_;
};

}  // namespace quadra::scheduler
