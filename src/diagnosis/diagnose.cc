#include "diagnosis/diagnose.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <set>
#include <tuple>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "diagnosis/leak.h"
#include "placement/pod_claims.h"

namespace quadra::diagnosis {
namespace {

using placement::Cluster;
using placement::Decision;
using placement::Examination;
using placement::NodeAnswer;
using placement::Placer;
using reasons::Code;
using reasons::Refusal;

std::vector<Holding> HoldingsOf(const Refusal& refusal, const inventory::Held& held) {
  std::vector<Holding> holdings;
  for (const auto& [key, devices] : refusal.holders) {
    if (const inventory::Holder* holder = held.HolderOf(key)) {
      holdings.push_back(
          {.claim = holder->claim, .consumers = holder->consumers, .devices = devices});
    }
  }
  return holdings;
}

NodeFinding FindingOf(const NodeAnswer& answer, const inventory::Held& held) {
  const Refusal& key = placement::KeyReason(answer.refusals);
  return {.name = answer.view->node->metadata.name,
          .refusal = key,
          .fits_otherwise = answer.fits_otherwise,
          .matching = key.funnel.matching(),
          .free = key.funnel.sufficient,
          .holders = HoldingsOf(key, held)};
}

// Nearest first: what would fit otherwise, what came furthest, then who has most free.
void SortByNearness(std::vector<NodeFinding>& findings) {
  std::ranges::stable_sort(findings, [](const NodeFinding& a, const NodeFinding& b) {
    return std::tuple(b.fits_otherwise, b.refusal.code, b.free, b.matching) <
           std::tuple(a.fits_otherwise, a.refusal.code, a.free, a.matching);
  });
}

std::vector<ReasonGroup> GroupsOf(const std::vector<NodeFinding>& findings) {
  std::vector<ReasonGroup> groups;
  for (const NodeFinding& finding : findings) {
    const auto same = std::ranges::find(groups, finding.refusal.code, &ReasonGroup::code);
    if (same != groups.end()) {
      ++same->nodes;
    } else {
      groups.push_back({.code = finding.refusal.code,
                        .nodes = 1,
                        .nearest = finding.name,
                        .message = finding.refusal.message});
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
  StageCounter(const Refusal& key, bool constrained) : key_(key), constrained_(constrained) {}

  void Add(const NodeAnswer& answer) {
    const auto same = std::ranges::find_if(answer.refusals, [&](const Refusal& refusal) {
      return !key_.request.empty() && refusal.claim == key_.claim &&
             refusal.request == key_.request;
    });
    if (same == answer.refusals.end()) {
      return;
    }
    const reasons::Funnel& funnel = same->funnel;
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

  const Refusal& key_;
  bool constrained_;
  std::vector<Stage> stages_;
  std::size_t enough_ = 0;
  std::size_t most_ = 0;
};

// --- What it has.

bool IsAllocated(const api::ResourceClaim& claim) { return claim.status.allocation.has_value(); }

// What a pod that is on its node has for its extended resources; null if nothing.
const api::ResourceClaim* SettledClaim(const Placer& placer, const Examination& examined) {
  const bool settled = examined.pod != nullptr && !examined.pod->spec.node_name.empty();
  return settled ? placer.claims().FindExtendedClaim(*examined.pod) : nullptr;
}

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

void DescribeHolding(const Placer& placer, const Examination& examined, Diagnosis& diagnosis) {
  diagnosis.claims = examined.claims;
  if (const api::ResourceClaim* extended = SettledClaim(placer, examined)) {
    diagnosis.claims.push_back(*extended);
  }
  for (const api::ResourceClaim& claim : diagnosis.claims) {
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

std::string WhyThatNode(const Examination& examined) {
  const auto fitting = std::ranges::count_if(examined.nodes, &NodeAnswer::fits);
  const auto best = std::ranges::max_element(
      examined.nodes, {}, [](const NodeAnswer& answer) { return answer.fits ? answer.score : -1; });
  if (fitting == 1) {
    return "it is the only node that fits";
  }
  return best->score > 0 ? fmt::format(
                               "of {} nodes that fit it has the best alternatives (score "
                               "{}), or the first name among equals",
                               fitting, best->score)
                         : fmt::format("of {} nodes that fit it has the first name", fitting);
}

void DescribePlace(Placer& placer, const Examination& examined,
                   const std::function<Decision()>& place, Diagnosis& diagnosis) {
  if (!placer.strict()) {
    const placement::Prospect upstream = placer.ProspectOf(examined, true);
    diagnosis.upstream_failure = upstream.failure ? upstream.failure->message : "";
  }
  Decision decision = place();
  diagnosis.node = decision.node;
  diagnosis.why_node = WhyThatNode(examined);
  for (placement::ServedClaim& served : decision.claims) {
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
  return std::ranges::any_of(answer.refusals, [](const Refusal& refusal) {
    return refusal.code == Code::kNodeRejects && refusal.request.empty();
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
      failures.push_back({.node = answer->view, .reasons = answer->refusals});
    }
  }
  return failures;
}

std::string NearestSentence(const Refusal& refusal) {
  return refusal.request.empty() ? refusal.message
                                 : fmt::format("request \"{}\" of claim {}: {}", refusal.request,
                                               refusal.claim, refusal.message);
}

// One node fails the pod, whatever the others have. False where the nearest node is that one and
// says so itself. The proof is that of the node's own reason.
bool DescribeFailure(Placer& placer, const Examination& examined, const NodeAnswer& failing,
                     Diagnosis& diagnosis) {
  const api::Node& node = *failing.view->node;
  const Refusal failure = placement::FailureOn(node, failing.failure.value_or(Refusal()));
  const NodeFinding& nearest = diagnosis.nodes.front();
  diagnosis.elsewhere = placer.ProspectOf(examined, false).node;
  if (diagnosis.elsewhere.empty() && nearest.name == node.metadata.name &&
      placement::SaysTheSame(nearest.refusal, failure)) {
    return false;
  }
  diagnosis.key = placement::KeyReason(failing.refusals);
  diagnosis.key.code = failure.code;
  diagnosis.key.message = failure.message;
  return true;
}

// Where each of several claims would go by itself; empty where one of them fits nowhere, which is
// then to blame.
std::string FitsOfEach(Placer& placer, const Examination& examined) {
  std::string text;
  for (std::size_t i = 0; i < examined.claims.size(); ++i) {
    Examination alone{.pod = examined.pod, .wants_extended = examined.wants_extended};
    std::ranges::copy_if(examined.claims, std::back_inserter(alone.claims), IsAllocated);
    if (IsAllocated(examined.claims[i])) {
      continue;
    }
    alone.claims.push_back(examined.claims[i]);
    const std::string node = placer.ProspectOf(alone, placer.strict()).node;
    if (node.empty()) {
      return "";
    }
    text += fmt::format("claim {} fits on {}, ", api::FullNameOf(examined.claims[i]), node);
  }
  return text;
}

std::string RefusalSentence(Placer& placer, const Examination& examined, const Refusal& nearest) {
  const std::string each = PendingOf(examined).size() < 2 ? "" : FitsOfEach(placer, examined);
  return each.empty()
             ? NearestSentence(nearest)
             : fmt::format("{}and no node fits all of them: {}", each, NearestSentence(nearest));
}

void DescribeRefusal(Placer& placer, const Examination& examined, Diagnosis& diagnosis) {
  for (const NodeAnswer& answer : examined.nodes) {
    if (!answer.fits) {
      diagnosis.nodes.push_back(FindingOf(answer, placer.devices().held()));
    }
  }
  SortByNearness(diagnosis.nodes);
  diagnosis.groups = GroupsOf(diagnosis.nodes);
  if (examined.refusal) {
    diagnosis.key = *examined.refusal;
    diagnosis.sentence = placement::SentenceOf(diagnosis.key, examined.claims.size());
  } else if (examined.failing &&
             DescribeFailure(placer, examined, examined.nodes[*examined.failing], diagnosis)) {
    diagnosis.sentence = diagnosis.key.message;
  } else if (!diagnosis.nodes.empty()) {
    diagnosis.key = diagnosis.nodes.front().refusal;
    diagnosis.key_node = diagnosis.nodes.front().name;
    diagnosis.sentence = RefusalSentence(placer, examined, diagnosis.key);
  } else {
    diagnosis.key = {.code = Code::kNoSlices, .message = "there are no nodes"};
    diagnosis.sentence = diagnosis.key.message;
  }
  const bool constrained = std::ranges::any_of(
      examined.claims, [](const auto& claim) { return !claim.spec.devices.constraints.empty(); });
  StageCounter counter(diagnosis.key, constrained);
  for (const NodeAnswer& answer : examined.nodes) {
    counter.Add(answer);
  }
  diagnosis.stages = std::move(counter).Take();
}

// The template that the claim was made from, or is to be; empty where it was not.
std::string TemplateOf(const api::ResourceClaim& claim, const api::Pod* pod) {
  const api::PodResourceClaim* entry = pod != nullptr ? placement::EntryFor(claim, *pod) : nullptr;
  return entry != nullptr ? entry->resource_claim_template_name.value_or("") : "";
}

// What a changed claim changes: those too that are still to be made from the same template.
placement::Change ChangeBy(const allocator::Fix& fix, const Placer& placer,
                           const Examination& examined) {
  placement::Change change{
      .claims = {}, .released = fix.released, .pod = fix.pod, .node = fix.admitting};
  if (!fix.changed) {
    return change;
  }
  change.claims.push_back(*fix.changed);
  const std::string from = TemplateOf(*fix.changed, examined.pod);
  for (const api::ResourceClaim& claim : examined.claims) {
    const bool is_made = placer.claims().Find(claim.metadata.ns, claim.metadata.name) != nullptr;
    if (!from.empty() && !is_made && TemplateOf(claim, examined.pod) == from) {
      change.claims.push_back(claim);
      change.claims.back().spec = fix.changed->spec;
    }
  }
  return change;
}

// Of the nodes that reject the pod and have its devices the first few, each with all that has to be
// done there.
void TryAdmissions(Placer& placer, const Examination& examined, const allocator::Judge& judge,
                   Diagnosis& diagnosis) {
  constexpr std::size_t kMost = 3;
  std::set<std::string> tried;
  for (const NodeFinding& finding : diagnosis.nodes) {
    if (!finding.fits_otherwise || tried.size() == kMost) {
      break;
    }
    placement::Admission admission =
        placer.AdmissionTo(*placer.devices().nodes().find(finding.name)->second, *examined.pod);
    allocator::Fix fix{.kind = allocator::Fix::Kind::kAdmitNode,
                       .text = admission.text,
                       .node = "",
                       .claim = std::nullopt,
                       .changed = std::nullopt,
                       .released = {},
                       .pod = std::move(admission.pod),
                       .admitting = std::move(admission.node)};
    if (!tried.insert(fix.text).second) {
      continue;
    }
    std::optional<std::string> node = judge(fix);
    diagnosis.fixes.untried += node ? 0 : 1;
    if (node && !node->empty()) {
      fix.node = *std::move(node);
      diagnosis.fixes.found.push_back(std::move(fix));
    }
  }
}

// How many fixes may be tried. Each asks the nodes once more, and so takes about as many steps as
// the question did; all together no more than people wait for.
std::uint64_t TrialsWorth(std::uint64_t steps) {
  constexpr std::uint64_t kMostSteps = 1'000'000;
  constexpr std::uint64_t kLeast = 4;
  return std::max(kMostSteps / (steps + 1), kLeast);
}

void FindRepairs(Placer& placer, const Examination& examined, Diagnosis& diagnosis) {
  const std::vector<const api::ResourceClaim*> pending = PendingOf(examined);
  std::vector<allocator::Failure> failures = FailuresOf(examined, diagnosis.nodes);
  if (examined.refusal) {
    for (const auto& view : placer.devices().views()) {
      failures.push_back({.node = view.get(), .reasons = {}});
    }
  }
  PutLeakedFirst(placer.cluster(), failures);
  std::uint64_t left = TrialsWorth(examined.steps);
  const allocator::Judge judge = [&](const allocator::Fix& fix) -> std::optional<std::string> {
    if (left == 0) {
      return std::nullopt;
    }
    --left;
    return placer.NodeAfter(ChangeBy(fix, placer, examined), examined);
  };
  TryAdmissions(placer, examined, judge, diagnosis);
  if (!failures.empty()) {
    allocator::Fixes fixes =
        allocator::FindFixes(placer.devices(), pending, failures, placer.verdicts(), judge);
    JudgeReleases(placer.cluster(), fixes);
    std::ranges::move(fixes.found, std::back_inserter(diagnosis.fixes.found));
    diagnosis.fixes.futile = std::move(fixes.futile);
    diagnosis.fixes.untried += fixes.untried;
  }
}

Diagnosis::Effort EffortOf(const Examination& examined, Placer& placer) {
  Diagnosis::Effort effort{.nodes = examined.nodes.size(),
                           .evaluations = placer.verdicts().evaluations(),
                           .steps = examined.steps};
  for (const NodeAnswer& answer : examined.nodes) {
    effort.devices += answer.view->candidates.size();
  }
  return effort;
}

bool IsOver(const api::Pod& pod) {
  return placement::IsFinished(pod) || pod.metadata.deletion_timestamp.has_value();
}

std::string StandingOf(const api::Pod& pod) {
  if (placement::IsFinished(pod)) {
    return fmt::format("it is finished ({})", pod.status.phase);
  }
  if (pod.metadata.deletion_timestamp) {
    return "it is being deleted";
  }
  std::vector<std::string> gates;
  for (const api::PodSchedulingGate& gate : pod.spec.scheduling_gates) {
    gates.push_back(gate.name);
  }
  return gates.empty() ? "" : fmt::format("it has scheduling gates: {}", fmt::join(gates, ", "));
}

// --- What is not modelled.

// Of all containers, what nodes have by themselves: cpu, memory and the like.
placement::NodeAllocatableAmounts RequestsOf(const api::Pod& pod) {
  placement::NodeAllocatableAmounts total;
  for (const api::Container& container : pod.spec.containers) {
    for (const auto& [resource, amount] : container.resources.requests) {
      if (resource.find('/') == std::string::npos) {
        total[resource].Add(amount);
      }
    }
  }
  return total;
}

// Whether no node has so much, even if it were empty. Nodes that do not say may have it.
bool IsTooMuch(const std::string& resource, const api::Quantity& amount,
               const inventory::NodesByName& nodes) {
  bool any = false;
  for (const auto& [name, node] : nodes) {
    const api::Quantity* has = node->status.allocatable.Find(resource);
    if (has == nullptr || *has >= amount) {
      return false;
    }
    any = true;
  }
  return any;
}

std::string UncheckedOf(const api::Pod& pod, const inventory::NodesByName& nodes) {
  std::vector<std::string> asked;
  std::vector<std::string> too_much;
  for (const auto& [resource, amount] : RequestsOf(pod)) {
    asked.push_back(fmt::format("{}={}", resource, amount.ToString()));
    if (IsTooMuch(resource, amount, nodes)) {
      too_much.push_back(asked.back());
    }
  }
  std::string text = fmt::format("{}", fmt::join(asked, ", "));
  if (!too_much.empty()) {
    text += fmt::format("; no node has {}, so the scheduler will not place it",
                        fmt::join(too_much, " or "));
  }
  return text;
}

// Claims may be none at all, e.g. those of a pod that wants extended resources only: what holds of
// all of them says nothing then.
Diagnosis::State StateOf(const Placer& placer, const Examination& examined) {
  using State = Diagnosis::State;
  if (examined.refusal) {
    const bool over = examined.pod != nullptr && IsOver(*examined.pod);
    return over ? State::kPassedOver : State::kWouldNot;
  }
  if (!examined.wants_extended && examined.claims.empty()) {
    return SettledClaim(placer, examined) != nullptr ? State::kHas : State::kWantsNone;
  }
  if (!examined.wants_extended && std::ranges::all_of(examined.claims, IsAllocated)) {
    return State::kHas;
  }
  if (examined.pod != nullptr && IsOver(*examined.pod)) {
    return State::kPassedOver;
  }
  const bool fits = std::ranges::any_of(examined.nodes, &NodeAnswer::fits);
  return fits && !examined.failing ? State::kWouldGet : State::kWouldNot;
}

Diagnosis DiagnoseCase(Placer& placer, const Examination& examined, std::string subject,
                       std::string ns, const std::function<Decision()>& place) {
  Diagnosis diagnosis;
  diagnosis.subject = std::move(subject);
  diagnosis.ns = std::move(ns);
  diagnosis.effort = EffortOf(examined, placer);
  diagnosis.state = StateOf(placer, examined);
  switch (diagnosis.state) {
    case Diagnosis::State::kWantsNone:
    case Diagnosis::State::kPassedOver:
      break;
    case Diagnosis::State::kHas:
      DescribeHolding(placer, examined, diagnosis);
      break;
    case Diagnosis::State::kWouldGet:
      DescribePlace(placer, examined, place, diagnosis);
      break;
    case Diagnosis::State::kWouldNot:
      DescribeRefusal(placer, examined, diagnosis);
      FindRepairs(placer, examined, diagnosis);
      break;
  }
  return diagnosis;
}

// --- What the scheduler said.

// Whether the condition says something else than kube-scheduler would by our account.
bool Contradicts(const api::PodCondition& condition, const Diagnosis& diagnosis) {
  switch (diagnosis.state) {
    case Diagnosis::State::kWouldGet:
      return condition.status == "False" && diagnosis.upstream_failure.empty();
    case Diagnosis::State::kWouldNot:
      return condition.status == "True";
    case Diagnosis::State::kWantsNone:
    case Diagnosis::State::kPassedOver:
    case Diagnosis::State::kHas:
      break;
  }
  return false;
}

void DescribeCondition(const api::Pod& pod, Diagnosis& diagnosis) {
  const auto& conditions = pod.status.conditions;
  const auto* found = std::ranges::find(conditions, "PodScheduled", &api::PodCondition::type);
  if (found != conditions.end()) {
    diagnosis.scheduled = *found;
    diagnosis.contradicted = Contradicts(*found, diagnosis);
  }
}

// --- Repairs.

void Release(const Cluster& cluster, const std::string& key, Repair& repair) {
  const auto& claims = cluster.claims().all();
  const auto claim = std::ranges::find_if(
      claims, [&](const api::ResourceClaim& each) { return inventory::ClaimKey(each) == key; });
  if (claim == claims.end()) {
    return;
  }
  api::ResourceClaim released = *claim;
  for (const api::ResourceClaimConsumerReference& consumer : claim->status.reserved_for) {
    const api::Pod* pod = cluster.pods().Find(claim->metadata.ns, consumer.name);
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
  Diagnosis diagnosis = DiagnoseCase(placer, examined, "pod/" + pod.metadata.name, pod.metadata.ns,
                                     [&] { return placer.Place(pod); });
  diagnosis.standing = StandingOf(pod);
  if (pod.spec.node_name.empty()) {
    diagnosis.unchecked = UncheckedOf(pod, placer.devices().nodes());
  }
  DescribeCondition(pod, diagnosis);
  return diagnosis;
}

Diagnosis DiagnoseClaim(Placer& placer, const api::ResourceClaim& claim) {
  const api::ResourceClaim* const one = &claim;
  const Examination examined = placer.Examine({&one, 1});
  return DiagnoseCase(placer, examined, "claim/" + claim.metadata.name, claim.metadata.ns,
                      [&] { return placer.Place({&one, 1}); });
}

Repair RepairOf(const Cluster& cluster, const allocator::Fix& fix, const api::Pod* pod) {
  Repair repair;
  for (const std::string& key : fix.released) {
    Release(cluster, key, repair);
  }
  if (fix.pod) {
    repair.pods.push_back(*fix.pod);
  }
  if (fix.admitting) {
    repair.nodes.push_back(*fix.admitting);
  }
  if (!fix.changed) {
    return repair;
  }
  const api::ResourceClaim& claim = *fix.changed;
  const api::PodResourceClaim* entry = pod != nullptr ? placement::EntryFor(claim, *pod) : nullptr;
  const api::ResourceClaimTemplate* from =
      entry != nullptr ? cluster.templates().Find(pod->metadata.ns,
                                                  entry->resource_claim_template_name.value_or(""))
                       : nullptr;
  if (from != nullptr) {
    repair.templates.push_back(*from);
    repair.templates.back().spec.spec = claim.spec;
  }
  if (from == nullptr || cluster.claims().Find(claim.metadata.ns, claim.metadata.name) != nullptr) {
    repair.claims.push_back(claim);
  }
  return repair;
}

}  // namespace quadra::diagnosis
