#include "offline/claim_checks.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

namespace quadra::offline {
namespace {

using reasons::Code;

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

std::optional<Hopeless> BadCount(const api::ResourceClaim& claim) {
  for (const api::DeviceRequest& request : claim.spec.devices.requests) {
    for (const Wanted& wanted : WantedBy(request)) {
      if (wanted.least < 1) {
        return Hopeless{std::nullopt, wanted.name,
                        fmt::format("count must be greater than 0, not {}", wanted.least)};
      }
    }
  }
  return std::nullopt;
}

std::optional<Hopeless> MissingClass(const api::ResourceClaim& claim,
                                     const inventory::ClassesByName& classes) {
  for (const api::DeviceRequest& request : claim.spec.devices.requests) {
    for (const Wanted& wanted : WantedBy(request)) {
      if (!classes.contains(*wanted.device_class)) {
        return Hopeless{Code::kClassMissing, wanted.name,
                        fmt::format("device class {} does not exist", *wanted.device_class)};
      }
    }
  }
  return std::nullopt;
}

std::optional<Hopeless> TooManyDevices(const api::ResourceClaim& claim) {
  constexpr auto kLimit = static_cast<std::int64_t>(allocator::kMaxResults);
  std::int64_t sum = 0;
  for (const api::DeviceRequest& request : claim.spec.devices.requests) {
    const std::vector<Wanted> wanted = WantedBy(request);
    if (wanted.empty()) {
      continue;
    }
    const std::int64_t least = std::ranges::min(wanted, {}, &Wanted::least).least;
    if (least > kLimit - sum) {
      return Hopeless{
          Code::kTooManyDevices, request.name,
          fmt::format("adding {} devices exceeds the claim limit of {}, with {} already "
                      "accounted for",
                      least, kLimit, sum)};
    }
    sum += least;
  }
  return std::nullopt;
}

std::optional<Hopeless> AdminAccessDenied(const api::ResourceClaim& claim, const Dump& dump) {
  const api::Map<std::string>* labels = dump.NamespaceLabels(claim.metadata.ns);
  const std::string* label = labels == nullptr ? nullptr : labels->Find(kAdminLabel);
  if (labels == nullptr || (label != nullptr && *label == "true")) {
    return std::nullopt;
  }
  for (const api::DeviceRequest& request : claim.spec.devices.requests) {
    if (request.exactly && request.exactly->admin_access.value_or(false)) {
      return Hopeless{Code::kAdminAccessDenied, request.name,
                      fmt::format("admin access to devices requires the `{}: true` label on "
                                  "namespace {}",
                                  kAdminLabel, claim.metadata.ns)};
    }
  }
  return std::nullopt;
}

}  // namespace

std::optional<Hopeless> WhyHopeless(const api::ResourceClaim& claim,
                                    const inventory::Snapshot& cluster, const Dump& dump) {
  if (std::optional<Hopeless> bad = BadCount(claim)) {
    return bad;
  }
  if (std::optional<Hopeless> missing = MissingClass(claim, cluster.classes())) {
    return missing;
  }
  if (std::optional<Hopeless> many = TooManyDevices(claim)) {
    return many;
  }
  return AdminAccessDenied(claim, dump);
}

}  // namespace quadra::offline
