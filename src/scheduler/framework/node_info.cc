#include "scheduler/framework/node_info.h"

#include <algorithm>
#include <atomic>
#include <utility>

namespace quadra::scheduler {
namespace {

constexpr std::string_view kEveryAddress = "0.0.0.0";

bool EraseByUid(std::vector<PodInfoPtr>& pods, const std::string& uid) {
  const auto found =
      std::ranges::find_if(pods, [&](const PodInfoPtr& each) { return each->uid() == uid; });
  if (found == pods.end()) {
    return false;
  }
  pods.erase(found);
  return true;
}

bool IsPortTaken(const placement::HostPort& wanted,
                 const std::multiset<placement::HostPort>& used) {
  return std::ranges::any_of(used, [&](const placement::HostPort& each) {
    return each.port == wanted.port && each.protocol == wanted.protocol &&
           (each.ip == wanted.ip || each.ip == kEveryAddress || wanted.ip == kEveryAddress);
  });
}

// Where a name stands twice the first counts.
std::vector<NodeImage> ImagesOf(const api::Node& node) {
  std::vector<NodeImage> images;
  for (const api::ContainerImage& image : node.status.images) {
    for (const std::string& name : image.names) {
      images.push_back({.name = name, .size = image.size_bytes});
    }
  }
  std::ranges::stable_sort(images, {}, &NodeImage::name);
  const auto repeated = std::ranges::unique(images, {}, &NodeImage::name);
  images.erase(repeated.begin(), repeated.end());
  return images;
}

}  // namespace

bool NodeInfo::HasImage(std::string_view name) const {
  return std::ranges::binary_search(images_, name, {}, &NodeImage::name);
}

void NodeInfo::Touch() {
  static std::atomic<std::uint64_t> last{0};
  generation_ = ++last;
}

void NodeInfo::SetNode(std::shared_ptr<const api::Node> node) {
  node_ = std::move(node);
  allocatable_ = Amounts::Of(node_->status.allocatable);
  images_ = ImagesOf(*node_);
  allowed_pods_ = 0;
  if (const api::Quantity* const pods = node_->status.allocatable.Find("pods")) {
    allowed_pods_ = pods->Value();
  }
  Touch();
}

void NodeInfo::Add(PodInfoPtr pod) {
  requested_.Add(pod->requests);
  non_zero_requested_.Add(pod->non_zero_requests);
  ports_.insert(pod->ports.begin(), pod->ports.end());
  if (pod->HasAffinity()) {
    with_affinity_.push_back(pod);
  }
  if (!pod->required_anti_affinity.empty()) {
    with_anti_affinity_.push_back(pod);
  }
  pods_.push_back(std::move(pod));
  Touch();
}

bool NodeInfo::Remove(const PodInfo& pod) {
  const auto found =
      std::ranges::find_if(pods_, [&](const PodInfoPtr& each) { return each->uid() == pod.uid(); });
  if (found == pods_.end()) {
    return false;
  }
  const PodInfoPtr there = std::move(*found);  // as it was added
  pods_.erase(found);
  EraseByUid(with_affinity_, pod.uid());
  EraseByUid(with_anti_affinity_, pod.uid());
  requested_.Subtract(there->requests);
  non_zero_requested_.Subtract(there->non_zero_requests);
  for (const placement::HostPort& port : there->ports) {
    if (const auto used = ports_.find(port); used != ports_.end()) {
      ports_.erase(used);
    }
  }
  Touch();
  return true;
}

bool PortsConflict(const std::vector<placement::HostPort>& wanted,
                   const std::multiset<placement::HostPort>& used) {
  return !used.empty() && std::ranges::any_of(wanted, [&](const placement::HostPort& each) {
    return IsPortTaken(each, used);
  });
}

}  // namespace quadra::scheduler
