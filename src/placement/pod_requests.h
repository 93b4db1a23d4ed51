// PodRequests: what a pod asks of its node besides devices: amounts of resources, and host ports.
//
// The one place that adds them up, as the scheduler does: containers run together with the sidecars
// among the init containers; the other init containers one after the other, each beside the
// sidecars before it; the peak of both counts. What the pod says of itself as a whole replaces
// that for cpu, memory and huge pages; its overhead comes on top. Pure.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "api/kinds.h"

namespace quadra::placement {

// A limit without a request is a request too: the API server fills it in.
api::ResourceList ContainerRequests(const api::Container& container);

// By resource, as the scheduler compares them: cpu in thousandths, the others as whole numbers.
// What it does not count on nodes, e.g. a bare `storage`, is not in here.
using ResourceAmounts = std::map<std::string, std::int64_t, std::less<>>;

// `amount` of a resource as it is counted.
std::int64_t CountOf(std::string_view resource, const api::Quantity& amount);
// The other way, as people write it, e.g. 1500m or 64Gi.
std::string CountText(std::string_view resource, std::int64_t count);

struct HostPort {
  std::string ip;        // never empty: 0.0.0.0 is all of them
  std::string protocol;  // never empty
  std::int32_t port = 0;
  friend auto operator<=>(const HostPort&, const HostPort&) = default;
};

struct PodRequests {
  ResourceAmounts amounts;  // without zeros
  std::vector<HostPort> ports;
};
// Of a pod that is to be placed.
PodRequests RequestsOf(const api::Pod& pod);
// Of a pod on its node, where each container counts with the larger of what it asks for and what
// the kubelet has given it.
PodRequests RequestsOnNode(const api::Pod& pod);
// Likewise, as scores count it: a container that asks for no cpu, or no memory, counts with a little of
// it (100m, 200Mi), so that pods that ask for nothing are spread too. Of a pod that asks for an amount
// as a whole that amount counts.
PodRequests NonZeroRequestsOnNode(const api::Pod& pod);

}  // namespace quadra::placement
