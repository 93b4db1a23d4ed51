#include "placement/case.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "api/object.h"
#include "base/go_text.h"

namespace quadra::placement {
namespace {

constexpr std::int64_t kBestAlternative = 8;  // what a first alternative scores

// All that decides, besides devices, on which nodes a pod may run.
std::string LimitsOf(const api::Pod& pod, const PodRequests& requests, std::int32_t priority) {
  std::string limits = fmt::format("{}{}{}", GoQuote(pod.spec.node_name),
                                   GoQuote(pod.status.nominated_node_name), priority);
  for (const auto& [label, value] : pod.spec.node_selector) {
    limits += GoQuote(label) + GoQuote(value);
  }
  if (pod.spec.affinity && pod.spec.affinity->node_affinity) {
    limits += api::EncodeJson(*pod.spec.affinity->node_affinity);
  }
  for (const api::Toleration& toleration : pod.spec.tolerations) {
    limits += api::EncodeJson(toleration);
  }
  for (const auto& [resource, amount] : requests.amounts) {
    limits += fmt::format("{}={} ", resource, amount);
  }
  for (const HostPort& port : requests.ports) {
    limits += fmt::format("{}:{}/{} ", port.ip, port.port, port.protocol);
  }
  return limits + "\n";
}

std::int64_t BestScoreOf(const api::ResourceClaim& claim) {
  std::int64_t score = 0;
  for (const api::DeviceRequest& request : claim.spec.devices.requests) {
    score += request.first_available.empty() ? 0 : kBestAlternative;
  }
  return score;
}

}  // namespace

Case MakeCase(const api::Pod* pod, std::vector<api::ResourceClaim> claims,
              const ExtendedResources& extended, const Cluster& cluster) {
  Case made{.pod = pod, .claims = std::move(claims), .question = "", .limits = ""};
  made.wants_extended = pod != nullptr && pod->spec.node_name.empty() && extended.AreWantedBy(*pod);
  if (pod != nullptr) {
    made.requests = RequestsOf(*pod);
    made.priority = cluster.PriorityOf(*pod);
    made.limits = LimitsOf(*pod, made.requests, made.priority);
  }
  for (const api::ResourceClaim& claim : made.claims) {
    const auto& allocation = claim.status.allocation;
    if (!allocation) {
      made.question += api::EncodeJson(claim.spec) + "\n";
      made.best_score += BestScoreOf(claim);
    } else if (const auto& selector = allocation->node_selector) {
      made.limits += api::EncodeJson(*selector) + "\n";
    }
  }
  return made;
}

bool IsRepeated(const std::vector<api::ResourceClaim>& claims, std::size_t index) {
  const auto end = claims.begin() + static_cast<std::ptrdiff_t>(index);
  return std::any_of(claims.begin(), end, [&](const api::ResourceClaim& earlier) {
    return api::FullNameOf(earlier) == api::FullNameOf(claims[index]);
  });
}

bool IsPending(const api::ResourceClaim& claim) { return !claim.status.allocation.has_value(); }

std::vector<const api::ResourceClaim*> PendingOf(const std::vector<api::ResourceClaim>& claims) {
  std::vector<const api::ResourceClaim*> pending;
  for (const api::ResourceClaim& claim : claims) {
    if (IsPending(claim)) {
      pending.push_back(&claim);
    }
  }
  return pending;
}

}  // namespace quadra::placement
