#include "diagnosis/report.h"

#include <algorithm>
#include <map>
#include <span>

#include <fmt/format.h>

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

void RemarkOnSchedulers(const std::vector<const api::Pod*>& waiting, Report& report) {
  std::map<std::string, std::size_t> pods;
  for (const api::Pod* pod : waiting) {
    if (HasOtherScheduler(*pod)) {
      ++pods[pod->spec.scheduler_name];
    }
  }
  for (const auto& [scheduler, count] : pods) {
    report.remarks.insert(fmt::format(
        "scheduler {} places {} pod{}; this is what kube-scheduler would do in its place",
        scheduler, count, count == 1 ? "" : "s"));
  }
}

// Puts a pod that wants no devices on its node where only one takes it. Of several nobody knows which
// it would be: false then.
bool MakeRoomFor(const api::Pod& pod, Placer& placer) {
  const std::size_t fitting = placer.CountFitting(pod, 2);
  if (fitting == 1) {
    placer.Place(pod);
  }
  return fitting < 2;
}

void PlacePods(Placer& placer, const std::function<void()>& step, Report& report) {
  const std::vector<const api::Pod*>& waiting = placer.queue().waiting;
  auto next = waiting.begin();
  std::size_t uncounted = 0;
  for (const api::Pod* pod : placer.queue().line) {
    if (next == waiting.end()) {
      break;  // nobody is left whom the others could be in the way of
    }
    if (pod != *next) {
      uncounted += MakeRoomFor(*pod, placer) ? 0 : 1;
      continue;
    }
    report.decisions.push_back(placer.Place(*pod));
    ++next;
    step();
  }
  if (uncounted > 0 && !placer.nodes_are_derived()) {
    report.remarks.insert(fmt::format(
        "{} waiting pod{} without claims come{} before others and may go to several nodes: what "
        "{} for there is not counted",
        uncounted, uncounted == 1 ? "" : "s", uncounted == 1 ? "s" : "",
        uncounted == 1 ? "it asks" : "they ask"));
  }
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
    PlacePods(placer, step, report);
    report.claims_unused = CountUnused(waiting, report.decisions, cluster);
  } else {
    PlaceClaims(placer, waiting, together, step, report);
  }
  report.remarks.insert(placer.remarks().begin(), placer.remarks().end());
  RemarkOnSchedulers(placer.queue().waiting, report);
  return report;
}

}  // namespace quadra::diagnosis
