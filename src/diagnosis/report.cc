#include "diagnosis/report.h"

#include <algorithm>
#include <span>

#include "diagnosis/standing.h"
#include "placement/pod_claims.h"

namespace quadra::diagnosis {
namespace {

using placement::Cluster;
using placement::Decision;
using placement::Placer;

// The claims that no pod waits for, or without pods those that wait themselves.
std::vector<const api::ResourceClaim*> WaitingClaims(const Cluster& cluster, Report& report) {
  std::vector<const api::ResourceClaim*> waiting;
  for (const api::ResourceClaim& claim : cluster.claims().all()) {
    if (claim.status.allocation) {
      ++report.claims_allocated;
    } else if (claim.metadata.deletion_timestamp) {
      ++report.claims_deleting;
    } else {
      waiting.push_back(&claim);
    }
  }
  return waiting;
}

void PlaceClaims(Placer& placer, std::span<const api::ResourceClaim* const> claims, bool together,
                 const std::function<void()>& step, Report& report) {
  const std::size_t group = together ? std::max<std::size_t>(claims.size(), 1) : 1;
  for (std::size_t first = 0; first < claims.size(); first += group) {
    report.decisions.push_back(placer.Place(claims.subspan(first, group)));
    step();
  }
}

// Those that pods name which are not over, whether or not they are served here.
std::set<std::string> NamesUsedIn(const Cluster& cluster) {
  std::set<std::string> used;
  for (const api::Pod& pod : cluster.pods().all()) {
    for (const api::PodResourceClaim& entry : pod.spec.resource_claims) {
      const auto claim = placement::ResolveClaim(pod, entry);
      if (claim && !claim->name.empty() && !IsOver(pod)) {
        used.insert(api::FullName(pod.metadata.ns, claim->name));
      }
    }
  }
  return used;
}

std::size_t CountUnused(std::span<const api::ResourceClaim* const> waiting,
                        const std::vector<Decision>& decisions, const Cluster& cluster) {
  std::set<std::string> used = NamesUsedIn(cluster);
  for (const Decision& decision : decisions) {
    for (const placement::ServedClaim& served : decision.claims) {
      used.insert(api::FullNameOf(served.claim));
    }
  }
  return static_cast<std::size_t>(std::ranges::count_if(
      waiting,
      [&](const api::ResourceClaim* claim) { return !used.contains(api::FullNameOf(*claim)); }));
}

}  // namespace

Report PlaceAll(Placer& placer, const Cluster& cluster, bool together,
                const std::function<void()>& step) {
  Report report;
  report.pods = placer.queue();
  report.has_pods = !cluster.pods().all().empty();
  report.nodes_are_derived = placer.nodes_are_derived();
  report.lacks_claims = placer.lacks_claims();
  const std::vector<const api::ResourceClaim*> waiting = WaitingClaims(cluster, report);
  if (report.has_pods) {
    for (const api::Pod* pod : placer.queue().waiting) {
      report.decisions.push_back(placer.Place(*pod));
      step();
    }
    report.claims_unused = CountUnused(waiting, report.decisions, cluster);
  } else {
    PlaceClaims(placer, waiting, together, step, report);
  }
  report.remarks = placer.remarks();
  return report;
}

}  // namespace quadra::diagnosis
