#include "scheduler/queue/nominator.h"

namespace quadra::scheduler {

void Nominator::Add(const PodInfoPtr& pod, const std::optional<std::string>& node) {
  Delete(*pod);
  const std::string& to = node ? *node : pod->pod.status.nominated_node_name;
  if (to.empty() || !pod->pod.spec.node_name.empty()) {
    return;
  }
  node_of_[pod->uid()] = to;
  by_node_[to].push_back(pod);
}

void Nominator::Update(const PodInfo& before, const PodInfoPtr& now) {
  std::optional<std::string> kept;
  if (before.pod.status.nominated_node_name.empty() &&
      now->pod.status.nominated_node_name.empty()) {
    kept = std::string(NodeOf(before));
  }
  Delete(before);
  Add(now, kept);
}

void Nominator::Delete(const PodInfo& pod) {
  const auto node = node_of_.find(pod.uid());
  if (node == node_of_.end()) {
    return;
  }
  const auto pods = by_node_.find(node->second);
  std::erase_if(pods->second, [&](const PodInfoPtr& each) { return each->uid() == pod.uid(); });
  if (pods->second.empty()) {
    by_node_.erase(pods);
  }
  node_of_.erase(node);
}

std::vector<PodInfoPtr> Nominator::On(std::string_view node) const {
  const auto found = by_node_.find(std::string(node));
  return found == by_node_.end() ? std::vector<PodInfoPtr>() : found->second;
}

std::string_view Nominator::NodeOf(const PodInfo& pod) const {
  const auto found = node_of_.find(pod.uid());
  return found == node_of_.end() ? std::string_view() : std::string_view(found->second);
}

}  // namespace quadra::scheduler
