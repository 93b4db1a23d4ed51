#include "placement/place.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "placement/claim_checks.h"
#include "placement/derived_nodes.h"
#include "placement/node_allocatable.h"
#include "placement/reservation.h"

namespace quadra::placement {
namespace {

using reasons::Code;
using reasons::Refusal;

// Where the node is among those in order of their names; nothing where it is not.
std::optional<std::size_t> IndexOf(const std::vector<std::shared_ptr<const api::Node>>& nodes,
                                   const std::string& name) {
  const auto at = std::ranges::lower_bound(
      nodes, name, {}, [](const auto& each) -> const std::string& { return each->metadata.name; });
  return at != nodes.end() && (*at)->metadata.name == name
             ? std::optional(static_cast<std::size_t>(at - nodes.begin()))
             : std::nullopt;
}

// The node that kube-scheduler asks before all others, and the only one where that one fits.
std::optional<std::size_t> NominatedOf(const api::Pod* pod,
                                       const std::vector<std::shared_ptr<const api::Node>>& nodes) {
  return pod != nullptr && !pod->status.nominated_node_name.empty()
             ? IndexOf(nodes, pod->status.nominated_node_name)
             : std::nullopt;
}

// Of the claims that nodes are asked for.
std::vector<std::string> NamesOf(const Case& asked) {
  std::vector<std::string> names;
  for (const api::ResourceClaim* claim : PendingOf(asked.claims)) {
    names.push_back(api::FullNameOf(*claim));
  }
  if (asked.wants_extended) {
    names.push_back(api::FullName(asked.pod->metadata.ns, kExtendedClaimName));
  }
  return names;
}

std::string CountsText(const CodeCounts& nodes, std::size_t total) {
  std::string text;
  for (const auto& [code, count] : nodes) {
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", reasons::NameOf(code), count);
  }
  return total < 2 || text.empty() ? "" : fmt::format(" ({} nodes: {})", total, text);
}

Decision Refused(const Case& asked, Refusal refusal) {
  Decision decision;
  decision.pod = asked.pod;
  for (std::size_t i = 0; i < asked.claims.size(); ++i) {
    if (!IsRepeated(asked.claims, i)) {
      decision.claims.push_back({.claim = asked.claims[i]});
    }
  }
  decision.sentence = SentenceOf(refusal, asked.claims.size());
  decision.refusal = std::move(refusal);
  return decision;
}

Decision RefusedByNodes(const Case& asked, const Refusals& refusals, Refusal nearest) {
  const std::string sentence = SentenceOf(nearest, NamesOf(asked).size());
  Decision decision = Refused(asked, std::move(nearest));
  if (asked.wants_extended) {
    decision.claims.push_back({.claim = ExtendedClaimOf(*asked.pod, {})});
  }
  decision.nodes = refusals.CodesByNodes();
  decision.sentence = sentence + CountsText(decision.nodes, refusals.total());
  return decision;
}

// kube-scheduler looks for so many nodes that fit, and not beyond them: of 100 and more nodes those
// that would fail the pod may never be met.
std::size_t NodesLookedFor(std::size_t nodes) {
  constexpr std::size_t kLeast = 100;
  constexpr std::size_t kLeastPercent = 5;
  const std::size_t less = nodes / 125;
  const std::size_t percent = less + kLeastPercent > 50 ? kLeastPercent : 50 - less;
  return nodes < kLeast ? std::max<std::size_t>(nodes, 1) : std::max(nodes * percent / 100, kLeast);
}

std::optional<std::size_t> FailingOf(const std::vector<NodeAnswer>& nodes) {
  const auto fitting = static_cast<std::size_t>(std::ranges::count_if(nodes, &NodeAnswer::fits));
  const auto failing = std::ranges::find_if(
      nodes, [](const NodeAnswer& answer) { return answer.failure.has_value(); });
  const bool met = failing != nodes.end() && fitting < NodesLookedFor(nodes.size());
  return met ? std::optional(static_cast<std::size_t>(failing - nodes.begin())) : std::nullopt;
}

// Whether only that node can use what was taken, as all slices of its pools say.
bool IsLocal(const api::AllocationResult& allocation, const inventory::SliceIndex& slices,
             const std::string& node) {
  return std::ranges::all_of(allocation.devices.results, [&](const auto& result) {
    const inventory::SliceList& pool =
        slices.OfPool(inventory::PoolKey(result.driver, result.pool));
    return !pool.empty() && std::ranges::all_of(pool, [&](const auto& slice) {
      return slice->placement.node == node;
    });
  });
}

// By name of claim, as the scheduler would write it into the pod's status.
std::vector<api::NodeAllocatableResourceClaimStatus> NodeAllocatableStatuses(
    const Decision& decision, const inventory::Snapshot& devices) {
  using Status = api::NodeAllocatableResourceClaimStatus;
  std::vector<Status> statuses;
  for (const ServedClaim& served : decision.claims) {
    if (std::optional<Status> status = NodeAllocatableOf(served.claim, decision.pod, devices)) {
      statuses.push_back(*std::move(status));
    }
  }
  std::ranges::sort(statuses, {}, &Status::resource_claim_name);
  return statuses;
}

}  // namespace

Placer::Placer(Cluster& cluster, const PlaceOptions& options,
               selector::ExpressionCache& expressions)
    : cluster_(cluster),
      options_(options),
      verdicts_(expressions),
      world_(WithNodes(cluster.Take(), options.node)),
      devices_(std::make_unique<inventory::Snapshot>(world_.Take())),
      book_(cluster),
      extended_(devices_->classes()),
      loads_(cluster),
      queue_(QueueOf(cluster, cluster.Take().nodes(), book_, extended_)),
      memo_(devices_->nodes().size()),
      random_(options.seed),
      room_{.cluster = cluster,
            .extended = extended_,
            .loads = loads_,
            .verdicts = verdicts_,
            .memo = memo_,
            .random = random_,
            .nodes = NodesOf(*devices_, options.node),
            .placement = options.placement,
            .strict = options.strict,
            .nodes_are_derived = cluster.Take().nodes().empty(),
            .on_search = options.on_search} {
  if (std::string missing = TextOfMissingClaims(cluster); !missing.empty()) {
    lacks_claims_ = true;
    room_.remarks.insert(std::move(missing));
  }
}

Decision Placer::Place(const api::Pod& pod) {
  Decision decision = Decide(pod);
  Take(decision);
  return decision;
}

Decision Placer::Place(std::span<const api::ResourceClaim* const> claims) {
  Decision decision = DecideCase(CaseOf(claims));
  Take(decision);
  return decision;
}

Decision Placer::Foresee(const api::Pod& pod) {
  const SeededRandom before = random_;
  Decision decision = Decide(pod);
  random_ = before;
  return decision;
}

Decision Placer::Foresee(std::span<const api::ResourceClaim* const> claims) {
  const SeededRandom before = random_;
  Decision decision = DecideCase(CaseOf(claims));
  random_ = before;
  return decision;
}

Examination Placer::Examine(const api::Pod& pod) {
  reasons::OrRefusal<Case> asked = CaseOf(pod);
  return asked ? ExamineCase(*std::move(asked))
               : Examination{.pod = &pod, .refusal = std::move(asked).error()};
}

Examination Placer::Examine(std::span<const api::ResourceClaim* const> claims) {
  return ExamineCase(CaseOf(claims));
}

// --- What is asked.

reasons::OrRefusal<Case> Placer::CaseOf(const api::Pod& pod) const {
  const auto& group = pod.spec.scheduling_group;
  if (group && group->pod_group_name) {
    return reasons::Refuse(
        Code::kNotModelled,
        fmt::format("the pod belongs to PodGroup {}; groups and their claims are not modelled",
                    *group->pod_group_name));
  }
  return book_.ClaimsOf(pod).map([&](std::vector<api::ResourceClaim> claims) {
    return MakeCase(&pod, std::move(claims), extended_, cluster_);
  });
}

Case Placer::CaseOf(std::span<const api::ResourceClaim* const> claims) const {
  std::vector<api::ResourceClaim> copies;
  for (const api::ResourceClaim* claim : claims) {
    copies.push_back(*claim);
  }
  return MakeCase(nullptr, std::move(copies), extended_, cluster_);
}

std::optional<Refusal> Placer::Refuse(const Case& asked) const {
  if (asked.wants_extended && book_.FindExtendedClaim(*asked.pod) != nullptr) {
    return Refusal{.code = Code::kNotModelled,
                   .message =
                       "cannot schedule extended resource claim: one of an earlier attempt "
                       "is to be deleted first"};
  }
  if (asked.pod != nullptr) {
    if (std::optional<Refusal> refusal = WhyNotScheduled(asked.claims, *asked.pod, *devices_)) {
      return refusal;
    }
  }
  for (const api::ResourceClaim& claim : asked.claims) {
    std::optional<Refusal> refusal =
        IsPending(claim) ? WhyHopeless(claim, *devices_, cluster_) : std::nullopt;
    if (!IsPending(claim) && asked.pod != nullptr) {
      refusal = WhyInUse(claim, *asked.pod);
    }
    if (refusal) {
      return refusal;
    }
  }
  return std::nullopt;
}

void Placer::RemarkOnMissing(const Case& asked) {
  if (options_.whole) {
    return;
  }
  const bool pends = !PendingOf(asked.claims).empty();
  const auto remark = [&](std::string_view kind, std::string_view plural) {
    room_.remarks.insert(
        fmt::format("the dump has no {} at all; kubectl get {} -o yaml would tell", kind, plural));
  };
  if (pends && devices_->classes().empty()) {
    remark("DeviceClass", "deviceclasses");
  }
  if ((pends || asked.wants_extended) && devices_->slices().empty()) {
    remark("ResourceSlice", "resourceslices");
  }
}

Decision Placer::Decide(const api::Pod& pod) {
  reasons::OrRefusal<Case> asked = CaseOf(pod);
  return asked ? DecideCase(*std::move(asked)) : Refused({.pod = &pod}, std::move(asked).error());
}

Decision Placer::DecideCase(Case asked) {
  RemarkOnMissing(asked);
  if (std::optional<Refusal> refusal = Refuse(asked)) {
    return Refused(asked, *std::move(refusal));
  }
  const auto known = refused_.find(asked.question + asked.limits);
  if (known != refused_.end() && !asked.wants_extended) {
    return RefusedByNodes(asked, known->second.refusals, known->second.nearest.For(NamesOf(asked)));
  }
  Asked nodes = AskNodes(asked);
  if (nodes.failure) {
    return Failed(asked, nodes);
  }
  Decision decision = nodes.found ? Granted(std::move(asked), *std::move(nodes.found))
                                  : RefusedByNodes(asked, nodes.refusals, nodes.refusals.nearest());
  decision.work = nodes.work;
  return decision;
}

Examination Placer::ExamineCase(Case asked) {
  Examination examined{.pod = asked.pod, .wants_extended = asked.wants_extended};
  RemarkOnMissing(asked);
  examined.refusal = Refuse(asked);
  const SeededRandom before = random_;
  const std::uint64_t evaluated = verdicts_.evaluations();
  if (!examined.refusal) {
    Inquiry inquiry(asked, *devices_, room_);
    inquiry.StopAfter(kMostStepsToExamine);
    for (std::size_t i = 0; i < room_.nodes.size(); ++i) {
      examined.nodes.push_back(inquiry.Examine(i));
    }
    const std::optional<std::size_t> nominated = NominatedOf(asked.pod, room_.nodes);
    examined.nominated = nominated && examined.nodes[*nominated].fits;
    examined.failing = examined.nominated ? std::nullopt : FailingOf(examined.nodes);
    examined.steps = inquiry.steps();
  }
  random_ = before;
  examined.evaluations = verdicts_.evaluations() - evaluated;
  examined.claims = std::move(asked.claims);
  return examined;
}

std::size_t Placer::CountFitting(const api::Pod& pod, std::size_t most) {
  const reasons::OrRefusal<Case> asked = CaseOf(pod);
  if (!asked || Refuse(*asked)) {
    return 0;
  }
  Inquiry inquiry(*asked, *devices_, room_);
  std::size_t fitting = 0;
  for (std::size_t i = 0; i < room_.nodes.size() && fitting < most; ++i) {
    fitting += inquiry.Try(i).fits ? 1 : 0;
  }
  return fitting;
}

Decision Placer::Failed(const Case& asked, const Asked& nodes) {
  const auto [known, added] = elsewhere_.try_emplace(asked.question + asked.limits);
  if (added || asked.wants_extended) {
    known->second = AskAside(asked, *devices_, loads_, false).node;
  }
  const Refusal& nearest = nodes.refusals.nearest();
  const Refusal failure = nodes.failure.value_or(Refusal());
  Decision decision = known->second.empty() && SaysTheSame(nearest, failure)
                          ? RefusedByNodes(asked, nodes.refusals, nearest)
                          : Refused(asked, failure);
  decision.work = nodes.work;
  decision.elsewhere = known->second;
  if (!decision.elsewhere.empty()) {
    decision.sentence +=
        fmt::format("; Quadra's own scheduler would pass over what fails and place it on {}",
                    decision.elsewhere);
  }
  return decision;
}

// --- Which node.

Placer::Asked Placer::AskNodes(const Case& asked) {
  Inquiry inquiry(asked, *devices_, room_);
  Asked nodes = FindNode(asked, inquiry, room_);
  for (std::size_t i = 0; !nodes.found && i < room_.nodes.size(); ++i) {
    if (!nodes.failure || !inquiry.Try(i).fits) {
      const NodeAnswer why = inquiry.Why(i);
      nodes.refusals.Add(KeyReason(why), NearnessOf(why));
    }
  }
  nodes.work = inquiry.steps();
  if (nodes.found || nodes.failure) {
    return nodes;
  }
  const Refusal& nearest = nodes.refusals.nearest();
  if (!nearest.verbatim && !asked.wants_extended) {
    refused_.insert_or_assign(asked.question + asked.limits,
                              Known{nodes.refusals, SharedRefusal(nearest, NamesOf(asked))});
  }
  return nodes;
}

std::optional<Placer::Found> Placer::AllocateOn(std::size_t node, Inquiry& inquiry) {
  std::optional<Inquiry::Results> results = inquiry.Allocate(node);
  return results ? std::optional(Found{.node = node,
                                       .results = *std::move(results),
                                       .extended = inquiry.ExtendedOn(node)})
                 : std::nullopt;
}

Placer::Asked Placer::FindNode(const Case& asked, Inquiry& inquiry, const Room& room) {
  Asked nodes;
  const std::optional<std::size_t> nominated = NominatedOf(asked.pod, room.nodes);
  if (nominated && inquiry.Try(*nominated).fits) {
    nodes.found = AllocateOn(*nominated, inquiry);
  }
  if (nodes.found) {
    return nodes;
  }
  Choice choice = ChooseNode(asked, inquiry, room.nodes.size());
  for (; choice.best || choice.failing; choice = ChooseNode(asked, inquiry, room.nodes.size())) {
    if (choice.failing) {
      nodes.failure = FailureOn(*room.nodes[*choice.failing], inquiry.WhyItFails(*choice.failing));
      return nodes;
    }
    nodes.found = AllocateOn(*choice.best, inquiry);
    if (nodes.found) {
      return nodes;
    }
  }
  nodes.undecided = choice.undecided;
  return nodes;
}

Placer::Choice Placer::ChooseNode(const Case& asked, Inquiry& inquiry, std::size_t nodes) {
  Choice choice;
  const bool may_fail = inquiry.MayFailPod();
  std::int64_t best_score = 0;
  std::size_t fitting = 0;
  for (std::size_t i = inquiry.FirstOpen(); i < nodes; ++i) {
    const NodeMemo::Answer answer = inquiry.Try(i);
    if (answer.fits && (!choice.best || answer.score > best_score)) {
      choice.best = i;
      best_score = answer.score;
    }
    fitting += answer.fits ? 1 : 0;
    choice.undecided = choice.undecided || answer.undecided;
    if (answer.fails_pod && !choice.failing) {
      choice.failing = i;
    }
    if (!may_fail && choice.best && best_score >= asked.best_score) {
      break;
    }
  }
  if (fitting >= NodesLookedFor(nodes)) {
    choice.failing.reset();
  }
  return choice;
}

// --- What follows.

Decision Placer::Granted(Case asked, Found found) const {
  Decision decision;
  decision.pod = asked.pod;
  decision.node = room_.nodes[found.node]->metadata.name;
  if (found.extended) {
    asked.claims.push_back(*std::move(found.extended));
    asked.claims.back().metadata.name =
        book_.FreeName(asked.pod->metadata.ns, asked.pod->metadata.name + "-extended-resources");
  }
  auto next = found.results.begin();
  for (std::size_t i = 0; i < asked.claims.size(); ++i) {
    const api::ResourceClaim& claim = asked.claims[i];
    std::optional<api::AllocationResult> result;
    if (IsPending(claim)) {
      result = std::move(*next++);
    }
    if (!IsRepeated(asked.claims, i)) {
      decision.claims.push_back(Serve(claim, asked.pod, std::move(result)));
    }
  }
  if (cluster_.gates().Enabled(api::Gate::kDRANodeAllocatableResources)) {
    decision.node_allocatable = NodeAllocatableStatuses(decision, *devices_);
  }
  return decision;
}

ServedClaim Placer::Serve(api::ResourceClaim claim, const api::Pod* pod,
                          std::optional<api::AllocationResult> allocation) const {
  const bool fresh = allocation.has_value();
  if (fresh) {
    allocation->allocation_timestamp = options_.now;
    AddFinalizer(claim);
    claim.status.allocation = std::move(allocation);
  }
  const bool reserved = pod != nullptr && Reserve(claim, *pod);
  return {.claim = std::move(claim), .written = fresh || reserved, .fresh = fresh};
}

void Placer::Take(const Decision& decision) {
  if (!decision.allocated()) {
    return;
  }
  refused_.clear();
  elsewhere_.clear();
  NoteChange(decision);
  if (decision.pod != nullptr && decision.pod->spec.node_name.empty()) {
    loads_.Add(decision.node, RequestsOf(*decision.pod));
    loads_.ForgetNomination(*decision.pod);
  }
  devices_.reset();
  for (const ServedClaim& served : decision.claims) {
    if (served.fresh) {
      world_.SetClaim(served.claim);
    }
    if (served.written) {
      book_.Put(served.claim);
    }
  }
  devices_ = std::make_unique<inventory::Snapshot>(world_.Take());
}

void Placer::NoteChange(const Decision& decision) {
  const std::optional<std::size_t> node = IndexOf(room_.nodes, decision.node);
  for (const ServedClaim& served : decision.claims) {
    const std::optional<api::AllocationResult>& allocation = served.claim.status.allocation;
    if (!served.fresh || !allocation) {
      continue;
    }
    if (node && IsLocal(*allocation, devices_->slices(), decision.node)) {
      memo_.Touch(*node);
    } else {
      memo_.TouchAll();
    }
  }
}

}  // namespace quadra::placement
