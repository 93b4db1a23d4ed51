#include "offline/diagnose.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <tuple>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "api/object.h"
#include "offline/claim_book.h"
#include "offline/verdict.h"

namespace quadra::offline {
namespace {

using allocator::NoFit;
using reasons::Code;

std::size_t MatchingOf(const allocator::Funnel& funnel) {
  return funnel.after_selectors.empty() ? funnel.after_class : funnel.after_selectors.back();
}

std::vector<Holding> HoldingsOf(const NoFit& reason, const inventory::Held& held) {
  std::vector<Holding> holdings;
  for (const auto& [key, devices] : reason.holders) {
    if (const inventory::Holder* holder = held.HolderOf(key)) {
      holdings.push_back(
          {.claim = holder->claim, .consumers = holder->consumers, .devices = devices});
    }
  }
  return holdings;
}

NodeFinding FindingOf(const NodeAnswer& answer, const inventory::Held& held) {
  const NoFit& key = KeyReason(answer.reasons);
  return {.name = answer.view->node->metadata.name,
          .reason = key,
          .matching = MatchingOf(key.funnel),
          .free = key.funnel.sufficient,
          .holders = HoldingsOf(key, held)};
}

// Nearest first: what came furthest, then who has most free.
void SortByNearness(std::vector<NodeFinding>& findings) {
  std::ranges::stable_sort(findings, [](const NodeFinding& a, const NodeFinding& b) {
    return std::tuple(b.reason.code, b.free, b.matching) <
           std::tuple(a.reason.code, a.free, a.matching);
  });
}

std::vector<ReasonGroup> GroupsOf(const std::vector<NodeFinding>& findings) {
  std::vector<ReasonGroup> groups;
  for (const NodeFinding& finding : findings) {
    const auto same = std::ranges::find(groups, finding.reason.code, &ReasonGroup::code);
    if (same != groups.end()) {
      ++same->nodes;
    } else {
      groups.push_back({.code = finding.reason.code,
                        .nodes = 1,
                        .nearest = finding.name,
                        .message = finding.reason.message});
    }
  }
  std::ranges::stable_sort(groups, std::greater(), &ReasonGroup::nodes);
  return groups;
}

// --- The proof.

// The funnel of one request, summed over nodes.
class StageCounter {
 public:
  // `constrained`: a constraint wants devices to agree.
  StageCounter(const NoFit& key, bool constrained) : key_(key), constrained_(constrained) {}

  void Add(const NodeAnswer& answer) {
    const auto same = std::ranges::find_if(answer.reasons, [&](const NoFit& reason) {
      return !key_.request.empty() && reason.claim == key_.claim && reason.request == key_.request;
    });
    if (same == answer.reasons.end()) {
      return;
    }
    const allocator::Funnel& funnel = same->funnel;
    std::size_t at = 0;
    Count(at++, "published", funnel.seen);
    Count(at++, "accepted by the class", funnel.after_class);
    for (std::size_t i = 0; i < funnel.after_selectors.size(); ++i) {
      Count(at++, fmt::format("accepted by selector {}", i), funnel.after_selectors[i]);
    }
    Count(at++, "untainted or tolerated", funnel.untainted);
    Count(at++, "free", funnel.free);
    Count(at++, "with capacity and counters left", funnel.sufficient);
    if (constrained_) {
      Count(at++, "agreeing as constraints want", funnel.best_group);
    }
    enough_ += funnel.best_group >= same->wanted ? 1 : 0;
    most_ = std::max(most_, funnel.best_group);
  }

  std::vector<Stage> Take() && {
    if (!stages_.empty()) {
      stages_.push_back(
          {.step = fmt::format("{} on one node", key_.wanted), .devices = most_, .nodes = enough_});
    }
    return std::move(stages_);
  }

 private:
  void Count(std::size_t at, std::string step, std::size_t devices) {
    if (at == stages_.size()) {
      stages_.push_back({.step = std::move(step)});
    }
    stages_[at].devices += devices;
    stages_[at].nodes += devices > 0 ? 1 : 0;
  }

  const NoFit& key_;
  bool constrained_;
  std::vector<Stage> stages_;
  std::size_t enough_ = 0;
  std::size_t most_ = 0;
};

// --- What it has.

bool IsAllocated(const api::ResourceClaim& claim) { return claim.status.allocation.has_value(); }

// The one node that the allocation is good for; empty if there are several.
std::string PinnedNode(const api::ResourceClaim& claim) {
  if (!claim.status.allocation) {
    return "";
  }
  const auto& selector = claim.status.allocation->node_selector;
  if (!selector || selector->node_selector_terms.size() != 1) {
    return "";
  }
  for (const auto& field : selector->node_selector_terms[0].match_fields) {
    if (field.key == "metadata.name" && field.op == "In" && field.values.size() == 1) {
      return field.values[0];
    }
  }
  return "";
}

void DescribeHolding(const Examination& examined, Diagnosis& diagnosis) {
  diagnosis.verdict = Diagnosis::Verdict::kHas;
  diagnosis.claims = examined.claims;
  for (const api::ResourceClaim& claim : examined.claims) {
    const std::string pinned = PinnedNode(claim);
    if (!pinned.empty()) {
      diagnosis.node = pinned;
      diagnosis.why_node =
          fmt::format("the devices of claim {} belong to that node", claim.metadata.name);
    }
  }
  if (diagnosis.node.empty()) {
    diagnosis.node = examined.pod != nullptr ? examined.pod->spec.node_name : "";
    diagnosis.why_node = "its devices can be used from every node that their selectors match";
  }
}

void DescribePlace(const Examination& examined, Outcome outcome, Diagnosis& diagnosis) {
  diagnosis.verdict = Diagnosis::Verdict::kWouldGet;
  diagnosis.node = outcome.node;
  const auto fitting = std::ranges::count_if(examined.nodes, &NodeAnswer::fits);
  const auto best = std::ranges::max_element(
      examined.nodes, {}, [](const NodeAnswer& answer) { return answer.fits ? answer.score : -1; });
  diagnosis.why_node =
      fitting == 1 ? "it is the only node that fits"
      : best->score > 0
          ? fmt::format(
                "of {} nodes that fit it has the best alternatives (score {}), or the first "
                "name among equals",
                fitting, best->score)
          : fmt::format("of {} nodes that fit it has the first name", fitting);
  for (ServedClaim& served : outcome.claims) {
    diagnosis.claims.push_back(std::move(served.claim));
  }
}

// --- Why not.

std::vector<const api::ResourceClaim*> PendingOf(const Examination& examined) {
  std::vector<const api::ResourceClaim*> pending;
  for (const api::ResourceClaim& claim : examined.claims) {
    if (!IsAllocated(claim)) {
      pending.push_back(&claim);
    }
  }
  return pending;
}

bool IsRejected(const NodeAnswer& answer) {
  return std::ranges::any_of(answer.reasons, [](const NoFit& reason) {
    return reason.code == Code::kNodeRejects && reason.request.empty();
  });
}

// The nodes that the pod may use, in the order of `findings`.
std::vector<allocator::Failure> FailuresOf(const Examination& examined,
                                           const std::vector<NodeFinding>& findings) {
  std::vector<allocator::Failure> failures;
  for (const NodeFinding& finding : findings) {
    const auto answer = std::ranges::find_if(examined.nodes, [&](const NodeAnswer& each) {
      return each.view->node->metadata.name == finding.name;
    });
    if (!IsRejected(*answer)) {
      failures.push_back({.node = answer->view, .reasons = answer->reasons});
    }
  }
  return failures;
}

void DescribeRefusal(Placer& placer, const Examination& examined, Diagnosis& diagnosis) {
  for (const NodeAnswer& answer : examined.nodes) {
    diagnosis.nodes.push_back(FindingOf(answer, placer.cluster().held()));
  }
  SortByNearness(diagnosis.nodes);
  diagnosis.groups = GroupsOf(diagnosis.nodes);
  if (examined.refusal) {
    diagnosis.key = *examined.refusal;
  } else if (!diagnosis.nodes.empty()) {
    diagnosis.key = diagnosis.nodes.front().reason;
    diagnosis.key_node = diagnosis.nodes.front().name;
  } else {
    diagnosis.key = {
        .code = Code::kNoSlices, .claim = "", .request = "", .message = "there are no nodes"};
  }
  const bool constrained = std::ranges::any_of(
      examined.claims, [](const auto& claim) { return !claim.spec.devices.constraints.empty(); });
  StageCounter counter(diagnosis.key, constrained);
  for (const NodeAnswer& answer : examined.nodes) {
    counter.Add(answer);
  }
  diagnosis.stages = std::move(counter).Take();
}

void FindRepairs(Placer& placer, const Examination& examined, Diagnosis& diagnosis) {
  const std::vector<const api::ResourceClaim*> pending = PendingOf(examined);
  std::vector<allocator::Failure> failures = FailuresOf(examined, diagnosis.nodes);
  if (examined.refusal) {
    for (const auto& view : placer.cluster().views()) {
      failures.push_back({.node = view.get(), .reasons = {}});
    }
  }
  if (!pending.empty() && !failures.empty()) {
    diagnosis.fixes = allocator::FindFixes(placer.cluster(), pending, failures, placer.verdicts());
  }
}

Diagnosis DiagnoseCase(Placer& placer, const Examination& examined, std::string subject,
                       std::string ns, const std::function<Outcome()>& place) {
  Diagnosis diagnosis;
  diagnosis.subject = std::move(subject);
  diagnosis.ns = std::move(ns);
  diagnosis.effort.nodes = examined.nodes.size();
  diagnosis.effort.steps = examined.steps;
  diagnosis.effort.evaluations = placer.verdicts().evaluations();
  for (const NodeAnswer& answer : examined.nodes) {
    diagnosis.effort.devices += answer.view->candidates.size();
  }
  if (!examined.refusal && std::ranges::all_of(examined.claims, IsAllocated)) {
    DescribeHolding(examined, diagnosis);
  } else if (std::ranges::any_of(examined.nodes, &NodeAnswer::fits)) {
    DescribePlace(examined, place(), diagnosis);
  } else {
    DescribeRefusal(placer, examined, diagnosis);
    FindRepairs(placer, examined, diagnosis);
  }
  return diagnosis;
}

// --- Repairs.

// The pod's name for the claim; empty if it has none.
const api::PodResourceClaim* EntryFor(const api::Pod& pod, const api::ResourceClaim& claim) {
  const std::string* name = claim.metadata.annotations.Find(std::string(kPodClaimAnnotation));
  for (const api::PodResourceClaim& entry : pod.spec.resource_claims) {
    if (entry.resource_claim_template_name && name != nullptr && entry.name == *name) {
      return &entry;
    }
  }
  return nullptr;
}

void Release(const Dump& dump, const std::string& key, Repair& repair) {
  const auto& claims = dump.claims().all();
  const auto claim = std::ranges::find_if(
      claims, [&](const api::ResourceClaim& each) { return inventory::KeyOf(each) == key; });
  if (claim == claims.end()) {
    return;
  }
  api::ResourceClaim released = *claim;
  for (const api::ResourceClaimConsumerReference& consumer : claim->status.reserved_for) {
    const api::Pod* pod = dump.pods().Find(claim->metadata.ns, consumer.name);
    if (pod != nullptr && consumer.resource == "pods") {
      repair.pods.push_back(*pod);
      repair.pods.back().status.phase = "Succeeded";
    }
  }
  released.status = {};
  released.metadata.deletion_timestamp = Time();
  repair.claims.push_back(std::move(released));
}

}  // namespace

Diagnosis DiagnosePod(Placer& placer, const api::Pod& pod) {
  const Examination examined = placer.Examine(pod);
  return DiagnoseCase(placer, examined, "pod/" + pod.metadata.name, pod.metadata.ns,
                      [&] { return placer.Place(pod); });
}

Diagnosis DiagnoseClaim(Placer& placer, const api::ResourceClaim& claim) {
  const api::ResourceClaim* const one = &claim;
  const Examination examined = placer.Examine({&one, 1});
  return DiagnoseCase(placer, examined, "claim/" + claim.metadata.name, claim.metadata.ns,
                      [&] { return placer.Place({&one, 1}); });
}

Repair RepairOf(const Dump& dump, const allocator::Fix& fix, const api::Pod* pod) {
  Repair repair;
  for (const std::string& key : fix.released) {
    Release(dump, key, repair);
  }
  if (!fix.changed) {
    return repair;
  }
  const api::ResourceClaim& claim = *fix.changed;
  const api::PodResourceClaim* entry = pod != nullptr ? EntryFor(*pod, claim) : nullptr;
  const api::ResourceClaimTemplate* from =
      entry != nullptr ? dump.templates().Find(pod->metadata.ns,
                                               entry->resource_claim_template_name.value_or(""))
                       : nullptr;
  if (from != nullptr) {
    repair.templates.push_back(*from);
    repair.templates.back().spec.spec = claim.spec;
  }
  if (from == nullptr || dump.claims().Find(claim.metadata.ns, claim.metadata.name) != nullptr) {
    repair.claims.push_back(claim);
  }
  return repair;
}

}  // namespace quadra::offline
