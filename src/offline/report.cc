#include "offline/report.h"

#include <algorithm>
#include <span>

namespace quadra::offline {
namespace {

std::string TitleOf(const api::ResourceClaim& claim) {
  return KeyOf(claim.metadata.ns, claim.metadata.name);
}

// The claims that no pod waits for, or without pods those that wait themselves.
std::vector<const api::ResourceClaim*> WaitingClaims(const Dump& dump, Report& report) {
  std::vector<const api::ResourceClaim*> waiting;
  for (const api::ResourceClaim& claim : dump.claims().all()) {
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
    report.outcomes.push_back(placer.Place(claims.subspan(first, group)));
    step();
  }
}

std::size_t CountUnused(std::span<const api::ResourceClaim* const> waiting,
                        const std::vector<Outcome>& outcomes) {
  std::set<std::string> used;
  for (const Outcome& outcome : outcomes) {
    for (const ServedClaim& served : outcome.claims) {
      used.insert(TitleOf(served.claim));
    }
  }
  return static_cast<std::size_t>(std::ranges::count_if(
      waiting, [&](const api::ResourceClaim* claim) { return !used.contains(TitleOf(*claim)); }));
}

}  // namespace

Report PlaceAll(Placer& placer, const Dump& dump, bool together,
                const std::function<void()>& step) {
  Report report;
  report.pods = placer.queue();
  report.has_pods = !dump.pods().all().empty();
  report.nodes_are_derived = placer.nodes_are_derived();
  const std::vector<const api::ResourceClaim*> waiting = WaitingClaims(dump, report);
  if (report.has_pods) {
    for (const api::Pod* pod : placer.queue().waiting) {
      report.outcomes.push_back(placer.Place(*pod));
      step();
    }
    report.claims_unused = CountUnused(waiting, report.outcomes);
  } else {
    PlaceClaims(placer, waiting, together, step, report);
  }
  report.remarks = placer.remarks();
  return report;
}

}  // namespace quadra::offline
