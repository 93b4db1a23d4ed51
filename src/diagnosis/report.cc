#include "diagnosis/report.h"

#include <algorithm>
#include <span>

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

std::size_t CountUnused(std::span<const api::ResourceClaim* const> waiting,
                        const std::vector<Decision>& decisions) {
  std::set<std::string> used;
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
  const std::vector<const api::ResourceClaim*> waiting = WaitingClaims(cluster, report);
  if (report.has_pods) {
    for (const api::Pod* pod : placer.queue().waiting) {
      report.decisions.push_back(placer.Place(*pod));
      step();
    }
    report.claims_unused = CountUnused(waiting, report.decisions);
  } else {
    PlaceClaims(placer, waiting, together, step, report);
  }
  report.remarks = placer.remarks();
  return report;
}

}  // namespace quadra::diagnosis
