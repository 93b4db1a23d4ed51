#include "placement/claim_checks.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "allocator/result_limit.h"
#include "placement/case.h"
#include "placement/reservation.h"

namespace quadra::placement {
namespace {

using reasons::Code;
using reasons::Refusal;

constexpr std::string_view kAdminLabel = "resource.kubernetes.io/admin-access";

// A request, or one of its alternatives.
struct Wanted {
  std::string name;  // request, or request/alternative
  const std::string* device_class;
  std::int64_t least;  // devices it takes at least
};

std::int64_t LeastOf(const std::string& mode, std::int64_t count) {
  return mode == "All" ? 1 : count;
}

std::vector<Wanted> WantedBy(const api::DeviceRequest& request) {
  std::vector<Wanted> wanted;
  if (const auto& exactly = request.exactly) {
    wanted.push_back({request.name, &exactly->device_class_name,
                      LeastOf(exactly->allocation_mode, exactly->count)});
  }
  for (const api::DeviceSubRequest& each : request.first_available) {
    wanted.push_back({request.name + "/" + each.name, &each.device_class_name,
                      LeastOf(each.allocation_mode, each.count)});
  }
  return wanted;
}

Refusal Blame(Code code, std::string request, std::string message) {
  return {.code = code, .request = std::move(request), .message = std::move(message)};
}

std::optional<Refusal> BadCount(const api::ResourceClaim& claim) {
  for (const api::DeviceRequest& request : claim.spec.devices.requests) {
    for (const Wanted& wanted : WantedBy(request)) {
      if (wanted.least < 1) {
        return Blame(Code::kInvalid, wanted.name,
                     fmt::format("count must be greater than 0, not {}", wanted.least));
      }
    }
  }
  return std::nullopt;
}

// As the scheduler does, before any node is asked. The allocator, asked by itself, finds it too and
// says so in words of its own.
std::optional<Refusal> MissingClass(const api::ResourceClaim& claim,
                                    const inventory::ClassesByName& classes) {
  for (const api::DeviceRequest& request : claim.spec.devices.requests) {
    for (const Wanted& wanted : WantedBy(request)) {
      if (!classes.contains(*wanted.device_class)) {
        return Blame(Code::kClassMissing, wanted.name,
                     fmt::format("device class {} does not exist", *wanted.device_class));
      }
    }
  }
  return std::nullopt;
}

std::optional<Refusal> TooManyDevices(const api::ResourceClaim& claim) {
  allocator::ResultLimit limit;
  for (const api::DeviceRequest& request : claim.spec.devices.requests) {
    const std::vector<Wanted> wanted = WantedBy(request);
    if (wanted.empty()) {
      continue;
    }
    const std::int64_t least = std::ranges::min(wanted, {}, &Wanted::least).least;
    if (std::optional<std::string> excess = limit.Add(least)) {
      return Blame(Code::kTooManyDevices, request.name, *std::move(excess));
    }
  }
  return std::nullopt;
}

std::optional<Refusal> AdminAccessDenied(const api::ResourceClaim& claim, const Cluster& cluster) {
  const api::Map<std::string>* labels = cluster.NamespaceLabels(claim.metadata.ns);
  const std::string* label = labels == nullptr ? nullptr : labels->Find(kAdminLabel);
  if (labels == nullptr || (label != nullptr && *label == "true")) {
    return std::nullopt;
  }
  for (const api::DeviceRequest& request : claim.spec.devices.requests) {
    if (request.exactly && request.exactly->admin_access.value_or(false)) {
      return Blame(Code::kAdminAccessDenied, request.name,
                   fmt::format("admin access to devices requires the `{}: true` label on "
                               "namespace {}",
                               kAdminLabel, claim.metadata.ns));
    }
  }
  return std::nullopt;
}

// The first that has something to say.
std::optional<Refusal> FirstOf(const api::ResourceClaim& claim, const inventory::Snapshot& devices,
                               const Cluster& cluster) {
  if (std::optional<Refusal> bad = BadCount(claim)) {
    return bad;
  }
  if (std::optional<Refusal> missing = MissingClass(claim, devices.classes())) {
    return missing;
  }
  if (std::optional<Refusal> many = TooManyDevices(claim)) {
    return many;
  }
  return AdminAccessDenied(claim, cluster);
}

}  // namespace

std::optional<Refusal> WhyHopeless(const api::ResourceClaim& claim,
                                   const inventory::Snapshot& devices, const Cluster& cluster) {
  std::optional<Refusal> refusal = FirstOf(claim, devices, cluster);
  if (refusal) {
    refusal->claim = api::FullNameOf(claim);
  }
  return refusal;
}

std::optional<Refusal> WhyNotScheduled(const std::vector<api::ResourceClaim>& claims,
                                       const api::Pod& pod, const inventory::Snapshot& devices) {
  const std::string& node = pod.spec.node_name;
  const std::vector<const api::ResourceClaim*> pending = PendingOf(claims);
  if (node.empty() || pending.empty()) {
    return std::nullopt;
  }
  const bool is_known = devices.nodes().contains(node);
  const std::string name = api::FullNameOf(*pending.front());
  return Refusal{.code = Code::kNotScheduled,
                 .claim = name,
                 .message = fmt::format("the pod was put on node {}{} without the scheduler, and "
                                        "nobody else allocates claim {} for it",
                                        node, is_known ? "" : ", which is not in the dump,", name)};
}

std::optional<Refusal> WhyInUse(const api::ResourceClaim& claim, const api::Pod& pod) {
  if (CanBeReservedFor(claim, pod)) {
    return std::nullopt;
  }
  return Refusal{.code = Code::kClaimInUse,
                 .claim = api::FullNameOf(claim),
                 .message = fmt::format("resourceclaim in use: {} has {} consumers, and no more "
                                        "are allowed",
                                        api::FullNameOf(claim), claim.status.reserved_for.size())};
}

}  // namespace quadra::placement
