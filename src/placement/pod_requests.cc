#include "placement/pod_requests.h"

#include <algorithm>
#include <functional>

namespace quadra::placement {
namespace {

using quantity::Quantity;
using AmountsByName = std::map<std::string, Quantity, std::less<>>;
// What a container asks for.
using Asking = std::function<api::ResourceList(const api::Container&)>;

template <typename Amounts>
void Add(const Amounts& amounts, AmountsByName& sums) {
  for (const auto& [resource, amount] : amounts) {
    sums[resource].Add(amount);
  }
}

void Raise(const AmountsByName& to, AmountsByName& sums) {
  for (const auto& [resource, amount] : to) {
    Quantity& sum = sums[resource];
    sum = std::max(sum, amount);
  }
}

bool IsSidecar(const api::Container& container) { return container.restart_policy == "Always"; }

AmountsByName OfContainers(const api::Pod& pod, const Asking& asking) {
  AmountsByName running;
  for (const api::Container& container : pod.spec.containers) {
    Add(asking(container), running);
  }
  AmountsByName sidecars;
  AmountsByName peak;
  for (const api::Container& container : pod.spec.init_containers) {
    AmountsByName beside = sidecars;
    Add(asking(container), beside);
    if (IsSidecar(container)) {
      Add(asking(container), running);
      sidecars = beside;
    }
    Raise(beside, peak);
  }
  Raise(peak, running);
  return running;
}

// What a pod may ask for as a whole.
bool IsOfPods(std::string_view resource) {
  return resource == "cpu" || resource == "memory" || resource.starts_with("hugepages-");
}

void ReplaceByThePods(const api::Pod& pod, AmountsByName& sums) {
  if (!pod.spec.resources) {
    return;
  }
  for (const auto& [resource, amount] : pod.spec.resources->limits) {
    if (IsOfPods(resource) && !sums.contains(resource)) {
      sums[resource] = amount;  // the API server fills it in
    }
  }
  for (const auto& [resource, amount] : pod.spec.resources->requests) {
    if (IsOfPods(resource)) {
      sums[resource] = amount;
    }
  }
}

bool IsCounted(std::string_view resource) {
  if (resource.find('/') != std::string_view::npos) {
    return !resource.starts_with("requests.");
  }
  return resource == "cpu" || resource == "memory" || resource == "ephemeral-storage" ||
         resource.starts_with("hugepages-") || resource.starts_with("attachable-volumes-");
}

ResourceAmounts Counted(const AmountsByName& sums) {
  ResourceAmounts counted;
  for (const auto& [resource, amount] : sums) {
    if (const std::int64_t count = CountOf(resource, amount); IsCounted(resource) && count > 0) {
      counted[resource] = count;
    }
  }
  return counted;
}

void AddPorts(const api::Container& container, std::vector<HostPort>& ports) {
  for (const api::ContainerPort& port : container.ports) {
    if (port.host_port > 0) {
      ports.push_back({.ip = port.host_ip.empty() ? "0.0.0.0" : port.host_ip,
                       .protocol = port.protocol.empty() ? "TCP" : port.protocol,
                       .port = port.host_port});
    }
  }
}

std::vector<HostPort> PortsOf(const api::Pod& pod) {
  std::vector<HostPort> ports;
  for (const api::Container& container : pod.spec.containers) {
    AddPorts(container, ports);
  }
  for (const api::Container& container : pod.spec.init_containers) {
    if (IsSidecar(container)) {
      AddPorts(container, ports);
    }
  }
  return ports;
}

PodRequests Make(const api::Pod& pod, AmountsByName sums) {
  ReplaceByThePods(pod, sums);
  Add(pod.spec.overhead, sums);
  return {.amounts = Counted(sums), .ports = PortsOf(pod)};
}

const api::ContainerStatus* StatusOf(const api::Pod& pod, const std::string& container) {
  for (const auto* statuses :
       {&pod.status.container_statuses, &pod.status.init_container_statuses}) {
    const auto* found = std::ranges::find(*statuses, container, &api::ContainerStatus::name);
    if (found != statuses->end()) {
      return found;
    }
  }
  return nullptr;
}

bool IsResizeInfeasible(const api::Pod& pod) {
  const auto& conditions = pod.status.conditions;
  const auto* resize = std::ranges::find(conditions, "PodResizePending", &api::PodCondition::type);
  return resize != conditions.end() && resize->reason == "Infeasible";
}

}  // namespace

api::ResourceList ContainerRequests(const api::Container& container) {
  api::ResourceList requests = container.resources.requests;
  for (const auto& [name, amount] : container.resources.limits) {
    if (!requests.contains(name)) {
      requests[name] = amount;
    }
  }
  return requests;
}

std::int64_t CountOf(std::string_view resource, const api::Quantity& amount) {
  return resource == "cpu" ? amount.MilliValue() : amount.Value();
}

std::string CountText(std::string_view resource, std::int64_t count) {
  if (resource == "cpu") {
    return Quantity::Of(count, quantity::Format::kDecimalSi, -3).ToString();
  }
  const bool bytes =
      resource == "memory" || resource == "ephemeral-storage" || resource.starts_with("hugepages-");
  return Quantity::Of(count, bytes ? quantity::Format::kBinarySi : quantity::Format::kDecimalSi)
      .ToString();
}

PodRequests RequestsOf(const api::Pod& pod) {
  return Make(pod, OfContainers(pod, ContainerRequests));
}

namespace {

// `floor`: what a container counts with of a resource that it does not ask for.
PodRequests OnNode(const api::Pod& pod, const AmountsByName& floor) {
  const auto raised = [&](api::ResourceList requests) {
    for (const auto& [resource, amount] : floor) {
      if (!requests.contains(resource)) {
        requests[resource] = amount;
      }
    }
    return requests;
  };
  const auto wanted = [&](const api::Container& container) {
    return raised(ContainerRequests(container));
  };
  const bool infeasible = IsResizeInfeasible(pod);
  const auto allocated = [&](const api::Container& container) {
    const api::ContainerStatus* status = StatusOf(pod, container.name);
    if (status != nullptr && !status->allocated_resources.is_nil()) {
      return raised(status->allocated_resources);
    }
    return infeasible ? raised({}) : wanted(container);
  };
  const auto actuated = [&](const api::Container& container) {
    const api::ContainerStatus* status = StatusOf(pod, container.name);
    if (status != nullptr && status->resources && !status->resources->requests.is_nil()) {
      return raised(status->resources->requests);
    }
    return allocated(container);
  };
  AmountsByName sums = OfContainers(pod, allocated);
  Raise(OfContainers(pod, actuated), sums);
  if (!infeasible) {
    Raise(OfContainers(pod, wanted), sums);
  }
  return Make(pod, std::move(sums));
}

AmountsByName FloorOf(const api::Pod& pod) {
  const bool as_whole = pod.spec.resources &&
                        std::ranges::any_of(pod.spec.resources->requests,
                                            [](const auto& each) { return IsOfPods(each.first); });
  AmountsByName floor = {
      {"cpu", Quantity::Of(100, quantity::Format::kDecimalSi, -3)},
      {"memory", Quantity::Of(std::int64_t{200} * 1024 * 1024, quantity::Format::kDecimalSi)}};
  if (as_whole) {
    const ResourceAmounts asked = RequestsOnNode(pod).amounts;
    std::erase_if(floor, [&](const auto& each) { return asked.contains(each.first); });
  }
  return floor;
}

}  // namespace

PodRequests RequestsOnNode(const api::Pod& pod) { return OnNode(pod, {}); }

PodRequests NonZeroRequestsOnNode(const api::Pod& pod) { return OnNode(pod, FloorOf(pod)); }

}  // namespace quadra::placement
