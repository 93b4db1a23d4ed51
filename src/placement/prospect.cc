// What would become of cases: the questions to a Placer that take nothing and imagine something.
#include <algorithm>
#include <set>
#include <utility>

#include "placement/derived_nodes.h"
#include "placement/place.h"

namespace quadra::placement {
namespace {

// Whether one of the claims has devices that are to be released.
bool HasOneOf(const std::vector<api::ResourceClaim>& claims, const std::vector<std::string>& keys) {
  return std::ranges::any_of(claims, [&](const api::ResourceClaim& claim) {
    return !IsPending(claim) && std::ranges::find(keys, inventory::ClaimKey(claim)) != keys.end();
  });
}

// The claims, with those that are different put over them.
std::vector<api::ResourceClaim> With(const std::vector<api::ResourceClaim>& different,
                                     std::vector<api::ResourceClaim> claims) {
  for (api::ResourceClaim& claim : claims) {
    const auto changed = std::ranges::find(different, api::FullNameOf(claim),
                                           [](const auto& each) { return api::FullNameOf(each); });
    if (changed != different.end()) {
      claim = *changed;
    }
  }
  return claims;
}

}  // namespace

Admission Placer::AdmissionTo(const api::Node& node, const api::Pod& pod) const {
  Obstacles obstacles = ObstaclesTo(pod, node, cluster_.gates());
  obstacles.lack = loads_.LackFor(pod, cluster_.PriorityOf(pod), RequestsOf(pod), node, extended_);
  return AdmissionOver(obstacles, pod, node);
}

Prospect Placer::ProspectAfter(const Change& change, const Examination& of,
                               std::uint64_t most_steps) {
  const api::Pod* pod = change.pod ? &*change.pod : of.pod;
  const Case asked = MakeCase(pod, With(change.claims, of.claims), extended_, cluster_);
  if (HasOneOf(asked.claims, change.released)) {
    return {};  // it would wait for what it has itself
  }
  if (Refuse(asked)) {
    return {};
  }
  inventory::Inventory fork = devices_->Fork();
  for (const std::string& key : change.released) {
    fork.Release(key);
  }
  if (change.node) {
    fork.SetNode(*change.node);
  }
  return AskAside(asked, fork.Take(), LoadsWithout(change.released), options_.strict, most_steps);
}

Prospect Placer::ProspectOf(const Examination& of, bool strict) {
  const Case asked = MakeCase(of.pod, of.claims, extended_, cluster_);
  return Refuse(asked) ? Prospect() : AskAside(asked, *devices_, loads_, strict);
}

// Who uses a claim that is released has ended.
NodeLoads Placer::LoadsWithout(const std::vector<std::string>& released) const {
  NodeLoads loads = loads_;
  std::set<std::string> gone;
  for (const api::ResourceClaim& claim : cluster_.claims().all()) {
    if (std::ranges::find(released, inventory::ClaimKey(claim)) == released.end()) {
      continue;
    }
    for (const api::ResourceClaimConsumerReference& user : claim.status.reserved_for) {
      const api::Pod* pod = cluster_.pods().Find(claim.metadata.ns, user.name);
      const bool counts = pod != nullptr && !pod->spec.node_name.empty() && !IsFinished(*pod);
      if (counts && gone.insert(api::FullNameOf(*pod)).second) {
        loads.Remove(pod->spec.node_name, RequestsOnNode(*pod));
      }
    }
  }
  return loads;
}

Prospect Placer::AskAside(const Case& asked, const inventory::Snapshot& devices,
                          const NodeLoads& loads, bool strict, std::uint64_t most_steps) {
  NodeMemo memo(room_.nodes.size());
  SeededRandom random(options_.seed);
  Room room{.cluster = cluster_,
            .extended = extended_,
            .loads = loads,
            .verdicts = verdicts_,
            .memo = memo,
            .random = random,
            .nodes = NodesOf(devices, options_.node),
            .placement = room_.placement,
            .strict = strict,
            .nodes_are_derived = room_.nodes_are_derived,
            .on_search = options_.on_search};
  Inquiry inquiry(asked, devices, room);
  inquiry.StopAfter(most_steps);
  Asked nodes = FindNode(asked, inquiry, room);
  if (inquiry.stopped()) {
    return {.undecided = true, .steps = inquiry.steps()};  // others might be better, or fail it
  }
  return {.node = nodes.found ? room.nodes[nodes.found->node]->metadata.name : "",
          .failure = std::move(nodes.failure),
          .undecided = nodes.undecided,
          .steps = inquiry.steps()};
}

}  // namespace quadra::placement
