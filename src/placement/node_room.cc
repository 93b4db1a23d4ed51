#include "placement/node_room.h"

#include <algorithm>
#include <array>
#include <iterator>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "placement/pod_order.h"

namespace quadra::placement {
namespace {

constexpr std::string_view kPods = "pods";
constexpr std::string_view kAllAddresses = "0.0.0.0";
// In upstream's order; the others by name behind them.
constexpr std::array<std::string_view, 3> kNative = {"cpu", "memory", "ephemeral-storage"};

bool IsNative(std::string_view resource) {
  return std::ranges::find(kNative, resource) != kNative.end();
}

bool Conflict(const HostPort& a, const HostPort& b) {
  return a.port == b.port && a.protocol == b.protocol &&
         (a.ip == b.ip || a.ip == kAllAddresses || b.ip == kAllAddresses);
}

std::vector<HostPort> TakenOf(const std::vector<HostPort>& wanted, const NodeLoad& load) {
  std::vector<HostPort> taken;
  std::ranges::copy_if(wanted, std::back_inserter(taken), [&](const HostPort& port) {
    return std::ranges::any_of(load.ports,
                               [&](const HostPort& each) { return Conflict(port, each); });
  });
  return taken;
}

std::int64_t TakenOf(std::string_view resource, const NodeLoad& load) {
  const auto found = load.amounts.find(resource);
  return found == load.amounts.end() ? 0 : found->second;
}

// The amounts of one node against those that a pod wants.
class Comparison {
 public:
  Comparison(const api::Node& node, const NodeLoad& load, const ExtendedResources& extended)
      : allocatable_(AllocatableOf(node)), load_(load), extended_(extended) {}

  std::vector<Shortage> Against(const ResourceAmounts& wanted) && {
    const auto taken = static_cast<std::int64_t>(load_.pods);
    if (const api::Quantity* pods = allocatable_.Find(kPods)) {
      Compare(kPods, 1, taken, pods->Value());
    }
    for (const std::string_view resource : kNative) {
      const auto found = wanted.find(resource);
      if (const api::Quantity* all = allocatable_.Find(resource);
          all != nullptr && found != wanted.end()) {
        Compare(resource, found->second, TakenOf(resource, load_), CountOf(resource, *all));
      }
    }
    for (const auto& [resource, amount] : wanted) {
      if (!IsNative(resource)) {
        CompareOther(resource, amount);
      }
    }
    return std::move(shortages_);
  }

 private:
  void Compare(std::string_view resource, std::int64_t wanted, std::int64_t taken,
               std::int64_t all) {
    if (wanted > all - taken) {
      shortages_.push_back(
          {.resource = std::string(resource), .wanted = wanted, .free = all - taken, .all = all});
    }
  }

  void CompareOther(const std::string& resource, std::int64_t wanted) {
    const api::Quantity* offered = allocatable_.Find(resource);
    const std::int64_t all = offered == nullptr ? 0 : offered->Value();
    if (all > 0 || extended_.ClassOf(resource).empty()) {
      Compare(resource, wanted, TakenOf(resource, load_), all);
    }
  }

  const api::ResourceList& allocatable_;
  const NodeLoad& load_;
  const ExtendedResources& extended_;
  std::vector<Shortage> shortages_;
};

// --- Less.

bool Asks(const api::ResourceRequirements& resources, const std::string& resource) {
  return resources.requests.contains(resource) || resources.limits.contains(resource);
}

// Null where several parts of the pod ask for the resource.
api::Container* OnlyAsker(api::Pod& pod, const std::string& resource) {
  if (pod.spec.overhead.contains(resource) ||
      (pod.spec.resources && Asks(*pod.spec.resources, resource))) {
    return nullptr;
  }
  api::Container* only = nullptr;
  for (auto* containers : {&pod.spec.init_containers, &pod.spec.containers}) {
    for (api::Container& container : *containers) {
      if (!Asks(container.resources, resource)) {
        continue;
      }
      if (only != nullptr) {
        return nullptr;
      }
      only = &container;
    }
  }
  return only;
}

bool Lower(const Shortage& shortage, api::Pod& pod, std::vector<std::string>& texts) {
  api::Container* container = OnlyAsker(pod, shortage.resource);
  if (container == nullptr || shortage.free <= 0) {
    return false;
  }
  const std::string less = CountText(shortage.resource, shortage.free);
  container->resources.requests[shortage.resource] = *api::Quantity::Parse(less);
  if (!IsNative(shortage.resource) && container->resources.limits.contains(shortage.resource)) {
    container->resources.limits[shortage.resource] = *api::Quantity::Parse(less);
  }
  texts.push_back(fmt::format("lower {} of container {} from {} to {}", shortage.resource,
                              container->name, CountText(shortage.resource, shortage.wanted),
                              less));
  return true;
}

}  // namespace

bool LowerRequests(const Lack& lack, api::Pod& pod, std::vector<std::string>& texts) {
  return lack.ports.empty() && std::ranges::all_of(lack.amounts, [&](const Shortage& shortage) {
           return Lower(shortage, pod, texts);
         });
}

const api::ResourceList& AllocatableOf(const api::Node& node) {
  return node.status.allocatable.is_nil() ? node.status.capacity : node.status.allocatable;
}

NodeLoads::NodeLoads(const Cluster& cluster) {
  for (const api::Pod& pod : cluster.pods().all()) {
    const std::string& nominated = pod.status.nominated_node_name;
    if (IsFinished(pod)) {
      continue;
    }
    if (!pod.spec.node_name.empty()) {
      Add(pod.spec.node_name, RequestsOnNode(pod));
    } else if (!nominated.empty() && !pod.metadata.deletion_timestamp) {
      nominated_[nominated].push_back({.pod = api::FullNameOf(pod),
                                       .priority = cluster.PriorityOf(pod),
                                       .requests = RequestsOf(pod)});
    }
  }
}

void NodeLoad::Add(const PodRequests& requests) {
  ++pods;
  for (const auto& [resource, amount] : requests.amounts) {
    amounts[resource] += amount;
  }
  ports.insert(requests.ports.begin(), requests.ports.end());
}

void NodeLoad::Remove(const PodRequests& requests) {
  --pods;
  for (const auto& [resource, amount] : requests.amounts) {
    amounts[resource] -= amount;
  }
  for (const HostPort& port : requests.ports) {
    ports.erase(ports.find(port));
  }
}

void NodeLoads::ForgetNomination(const api::Pod& pod) {
  const auto found = nominated_.find(pod.status.nominated_node_name);
  if (found != nominated_.end()) {
    std::erase_if(found->second,
                  [&](const Nominated& each) { return each.pod == api::FullNameOf(pod); });
  }
}

NodeLoad NodeLoads::SeenBy(const api::Pod& pod, std::int32_t priority,
                           const std::string& node) const {
  NodeLoad load = On(node);
  const auto found = nominated_.find(node);
  for (std::size_t i = 0; found != nominated_.end() && i < found->second.size(); ++i) {
    const Nominated& other = found->second[i];
    if (other.priority >= priority && other.pod != api::FullNameOf(pod)) {
      load.Add(other.requests);
    }
  }
  return load;
}

Lack NodeLoads::LackFor(const api::Pod& pod, std::int32_t priority, const PodRequests& wanted,
                        const api::Node& node, const ExtendedResources& extended) const {
  const std::string& name = node.metadata.name;
  return nominated_.contains(name) ? LackOn(node, SeenBy(pod, priority, name), wanted, extended)
                                   : LackOn(node, On(name), wanted, extended);
}

const NodeLoad& NodeLoads::On(const std::string& node) const {
  static const NodeLoad none;
  const auto found = loads_.find(node);
  return found == loads_.end() ? none : found->second;
}

Lack LackOn(const api::Node& node, const NodeLoad& load, const PodRequests& wanted,
            const ExtendedResources& extended) {
  Lack lack{.ports = TakenOf(wanted.ports, load), .amounts = {}};
  if (!AllocatableOf(node).empty()) {
    lack.amounts = Comparison(node, load, extended).Against(wanted.amounts);
  }
  return lack;
}

std::string WordsOf(const Lack& lack) {
  if (!lack.ports.empty()) {
    return "node(s) didn't have free ports for the requested pod ports";
  }
  std::string words;
  for (const Shortage& shortage : lack.amounts) {
    words += words.empty() ? "" : ", ";
    words += shortage.resource == kPods ? "Too many pods" : "Insufficient " + shortage.resource;
  }
  return words;
}

std::string TextOf(const Lack& lack) {
  std::vector<std::string> texts;
  texts.reserve(lack.ports.size() + lack.amounts.size());
  for (const HostPort& port : lack.ports) {
    texts.push_back(fmt::format("port {}/{} is taken", port.port, port.protocol));
  }
  for (const Shortage& shortage : lack.amounts) {
    const auto text = [&](std::int64_t count) { return CountText(shortage.resource, count); };
    texts.push_back(
        shortage.resource == kPods
            ? fmt::format("it has {} of {} pods", shortage.all - shortage.free, shortage.all)
            : fmt::format("{} {} wanted, {} of {} free", shortage.resource, text(shortage.wanted),
                          text(shortage.free), text(shortage.all)));
  }
  return fmt::format("{}", fmt::join(texts, ", "));
}

}  // namespace quadra::placement
