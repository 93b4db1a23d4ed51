#include "offline/place.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "api/node_match.h"
#include "api/object.h"
#include "base/go_text.h"
#include "offline/claim_checks.h"
#include "offline/node_filter.h"

namespace quadra::offline {
namespace {

using reasons::Code;

constexpr std::string_view kFinalizer = "resource.kubernetes.io/delete-protection";
constexpr std::int64_t kBestAlternative = 8;  // what a first alternative scores

api::Node NodeNamed(const std::string& name) {
  api::Node node;
  node.type = {.kind = "Node", .api_version = "v1"};
  node.metadata.name = name;
  return node;
}

inventory::Inventory WithNodes(Dump& dump, const std::optional<std::string>& wanted) {
  const inventory::Snapshot published = dump.inventory().Take();
  inventory::Inventory world = published.Fork();
  if (!published.nodes().empty()) {
    return world;
  }
  std::set<std::string> names = dump.nodes_of_slices();
  if (wanted) {
    names.insert(*wanted);
  }
  if (names.empty()) {
    names.insert("any");
  }
  for (const std::string& name : names) {
    world.SetNode(NodeNamed(name));
  }
  return world;
}

bool IsPending(const api::ResourceClaim& claim) { return !claim.status.allocation.has_value(); }

std::string TitleOf(const api::ResourceClaim& claim) {
  return KeyOf(claim.metadata.ns, claim.metadata.name);
}

std::int64_t BestScoreOf(const std::vector<api::ResourceClaim>& claims) {
  std::int64_t score = 0;
  for (const api::ResourceClaim& claim : claims) {
    for (const api::DeviceRequest& request : claim.spec.devices.requests) {
      score += IsPending(claim) && !request.first_available.empty() ? kBestAlternative : 0;
    }
  }
  return score;
}

bool IsReservedFor(const api::ResourceClaim& claim, const api::Pod& pod) {
  return std::ranges::any_of(claim.status.reserved_for, [&](const auto& consumer) {
    return consumer.resource == "pods" && consumer.name == pod.metadata.name &&
           consumer.uid == pod.metadata.uid;
  });
}

// Whether that was new.
bool Reserve(api::ResourceClaim& claim, const api::Pod& pod) {
  if (IsReservedFor(claim, pod)) {
    return false;
  }
  claim.status.reserved_for.push_back(
      {.api_group = "", .resource = "pods", .name = pod.metadata.name, .uid = pod.metadata.uid});
  return true;
}

void AddFinalizer(api::ResourceClaim& claim) {
  auto& finalizers = claim.metadata.finalizers;
  if (std::ranges::find(finalizers, kFinalizer) == finalizers.end()) {
    finalizers.push_back(std::string(kFinalizer));
  }
}

// What is not allocated is available anywhere.
bool IsAvailable(const std::optional<api::AllocationResult>& allocation, const api::Node& node) {
  if (!allocation || !allocation->node_selector) {
    return true;
  }
  return api::Matches(*allocation->node_selector, node.metadata.name, node.metadata.labels);
}

Verdict Rejection(std::string_view message) {
  Verdict verdict;
  verdict.code = Code::kNodeRejects;
  verdict.message = message;
  return verdict;
}

// All that decides, besides devices, on which nodes a pod may run.
std::string LimitsOf(const api::Pod& pod) {
  std::string limits = GoQuote(pod.spec.node_name);
  for (const auto& [label, value] : pod.spec.node_selector) {
    limits += GoQuote(label) + GoQuote(value);
  }
  if (pod.spec.affinity && pod.spec.affinity->node_affinity) {
    limits += api::EncodeJson(*pod.spec.affinity->node_affinity);
  }
  for (const api::Toleration& toleration : pod.spec.tolerations) {
    limits += api::EncodeJson(toleration);
  }
  return limits + "\n";
}

// "request gpu: …", with the claim in front where the pod has several. Of an error that shows its
// place in an expression only the first line.
std::string Sentence(const Verdict& verdict, const std::vector<std::string>& titles) {
  std::string text;
  if (titles.size() > 1 && verdict.claim < titles.size()) {
    text = fmt::format("claim {}, ", titles[verdict.claim]);
  }
  if (!verdict.request.empty()) {
    text += fmt::format("request {}: ", verdict.request);
  }
  return text + verdict.message.substr(0, verdict.message.find('\n'));
}

std::string CountsOf(const std::vector<std::pair<Code, std::size_t>>& nodes, std::size_t total) {
  std::string text;
  for (const auto& [code, count] : nodes) {
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", reasons::NameOf(code), count);
  }
  return total < 2 || text.empty() ? "" : fmt::format(" ({} nodes: {})", total, text);
}

// In the order in which the allocator is to serve them.
std::vector<const api::ResourceClaim*> PendingOf(
    const std::vector<api::ResourceClaim>& claims,
    const std::optional<api::ResourceClaim>& extended) {
  std::vector<const api::ResourceClaim*> pending;
  for (const api::ResourceClaim& claim : claims) {
    if (IsPending(claim)) {
      pending.push_back(&claim);
    }
  }
  if (extended) {
    pending.push_back(&*extended);
  }
  return pending;
}

std::vector<std::string> TitlesOf(std::span<const api::ResourceClaim* const> claims) {
  std::vector<std::string> titles;
  for (const api::ResourceClaim* claim : claims) {
    titles.push_back(TitleOf(*claim));
  }
  return titles;
}

Outcome Refused(const api::Pod* pod, std::vector<api::ResourceClaim> claims,
                std::optional<Code> code, std::string reason) {
  Outcome outcome;
  outcome.pod = pod;
  for (api::ResourceClaim& claim : claims) {
    outcome.claims.push_back({.claim = std::move(claim)});
  }
  outcome.code = code;
  outcome.reason = std::move(reason);
  return outcome;
}

std::vector<api::ResourceClaim> CopiesOf(std::span<const api::ResourceClaim* const> claims) {
  std::vector<api::ResourceClaim> copies;
  copies.reserve(claims.size());
  for (const api::ResourceClaim* claim : claims) {
    copies.push_back(*claim);
  }
  return copies;
}

allocator::NoFit ReasonOf(const Outcome& refused) {
  return {.code = refused.code.value_or(Code::kNotModelled),
          .claim = "",
          .request = "",
          .message = refused.reason};
}

}  // namespace

Placer::Placer(Dump& dump, const PlaceOptions& options, selector::ExpressionCache& expressions)
    : dump_(dump),
      options_(options),
      verdicts_(expressions),
      world_(WithNodes(dump, options.node)),
      cluster_(std::make_unique<inventory::Snapshot>(world_.Take())),
      nodes_are_derived_(dump.inventory().Take().nodes().empty()),
      book_(dump),
      extended_(cluster_->classes()),
      queue_(QueueOf(dump, book_, extended_)),
      memo_(cluster_->nodes().size()),
      random_(options.seed) {
  CollectNodes();
}

void Placer::CollectNodes() {
  for (const auto& [name, node] : cluster_->nodes()) {
    if (!options_.node || name == *options_.node) {
      nodes_.push_back(node);
    }
  }
}

// What keeps a pod from being asked for at all.
std::optional<Outcome> Placer::RefusePod(const api::Pod& pod) const {
  if (pod.spec.scheduling_group && pod.spec.scheduling_group->pod_group_name) {
    return Refused(&pod, {}, Code::kNotModelled,
                   fmt::format("the pod belongs to PodGroup {}; groups and their claims are not "
                               "modelled",
                               *pod.spec.scheduling_group->pod_group_name));
  }
  const Result<std::vector<api::ResourceClaim>> claims = book_.ClaimsOf(pod);
  return claims ? std::nullopt
                : std::optional(Refused(&pod, {}, Code::kNotModelled, claims.error().message));
}

Outcome Placer::Place(const api::Pod& pod) {
  if (std::optional<Outcome> refused = RefusePod(pod)) {
    return *std::move(refused);
  }
  return PlaceCase(CaseOf(&pod, *book_.ClaimsOf(pod)));
}

Outcome Placer::Place(std::span<const api::ResourceClaim* const> claims) {
  return PlaceCase(CaseOf(nullptr, CopiesOf(claims)));
}

// --- Examining.

Examination Placer::Examine(const api::Pod& pod) {
  if (std::optional<Outcome> refused = RefusePod(pod)) {
    Examination examined;
    examined.pod = &pod;
    examined.refusal = ReasonOf(*refused);
    return examined;
  }
  return ExamineCase(CaseOf(&pod, *book_.ClaimsOf(pod)));
}

Examination Placer::Examine(std::span<const api::ResourceClaim* const> claims) {
  return ExamineCase(CaseOf(nullptr, CopiesOf(claims)));
}

Examination Placer::ExamineCase(Case asked) {
  Examination examined;
  examined.pod = asked.pod;
  if (const std::optional<Outcome> refused = Refuse(asked)) {
    examined.refusal = ReasonOf(*refused);
  } else {
    Variants variants;
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      examined.nodes.push_back(AskNode(asked, i, variants));
    }
    examined.steps = StepsOf(variants);
  }
  examined.claims = std::move(asked.claims);
  return examined;
}

NodeAnswer Placer::AskNode(const Case& asked, std::size_t node, Variants& variants) {
  NodeAnswer answer{.view = &ViewOf(node), .reasons = {}};
  const auto reject = [&](std::string_view words) {
    answer.reasons.push_back(
        {.code = Code::kNodeRejects, .claim = "", .request = "", .message = std::string(words)});
    return answer;
  };
  if (const std::string_view why = WhyNotThere(asked, *nodes_[node]); !why.empty()) {
    return reject(why);
  }
  Variant* variant = VariantFor(asked, *nodes_[node], variants);
  if (variant == nullptr) {
    return reject("cannot fit resource");
  }
  if (variant->allocator == nullptr) {
    answer.fits = true;
    return answer;
  }
  allocator::Allocation allocation = variant->allocator->Allocate(*answer.view, random_);
  NoteRemarks(allocation);
  answer.fits = allocation.result == allocator::Allocation::Result::kAllocated;
  answer.score = allocation.score;
  answer.reasons = std::move(allocation.reasons);
  if (!answer.fits && answer.reasons.empty()) {
    answer.reasons.push_back({.code = Code::kNotModelled,
                              .claim = "",
                              .request = "",
                              .message = std::move(allocation.message)});
  }
  return answer;
}

Placer::Case Placer::CaseOf(const api::Pod* pod, std::vector<api::ResourceClaim> claims) const {
  Case made{.pod = pod, .claims = std::move(claims), .question = "", .limits = ""};
  made.wants_extended =
      pod != nullptr && pod->spec.node_name.empty() && extended_.AreWantedBy(*pod);
  made.limits = pod == nullptr ? "" : LimitsOf(*pod);
  for (const api::ResourceClaim& claim : made.claims) {
    const auto& allocation = claim.status.allocation;
    if (!allocation) {
      made.question += api::EncodeJson(claim.spec) + "\n";
    } else if (const auto& selector = allocation->node_selector) {
      made.limits += api::EncodeJson(*selector) + "\n";
    }
  }
  made.best_score = BestScoreOf(made.claims);
  return made;
}

// What no node could change.
std::optional<Outcome> Placer::Refuse(const Case& asked) const {
  if (asked.wants_extended && book_.FindExtendedClaim(*asked.pod) != nullptr) {
    return Refused(asked.pod, asked.claims, Code::kNotModelled,
                   "cannot schedule extended resource claim: one of an earlier attempt is to be "
                   "deleted first");
  }
  for (const api::ResourceClaim& claim : asked.claims) {
    if (!IsPending(claim)) {
      continue;
    }
    if (const std::optional<Hopeless> hopeless = WhyHopeless(claim, *cluster_, dump_)) {
      const std::string of_claim =
          asked.claims.size() > 1 ? fmt::format("claim {}, ", TitleOf(claim)) : "";
      return Refused(
          asked.pod, asked.claims, hopeless->code,
          fmt::format("{}request {}: {}", of_claim, hopeless->request, hopeless->message));
    }
  }
  return std::nullopt;
}

Outcome Placer::PlaceCase(Case asked) {
  if (std::optional<Outcome> refused = Refuse(asked)) {
    return *std::move(refused);
  }
  if (const auto known = refusals_.find(asked.question + asked.limits);
      known != refusals_.end() && !asked.wants_extended) {
    return OutcomeOf(asked, known->second);
  }
  Variants variants;
  while (const std::optional<std::size_t> node = ChooseNode(asked, variants)) {
    Variant& variant = *VariantFor(asked, *nodes_[*node], variants);
    if (std::optional<Results> results = Allocate(*node, variant)) {
      return Commit(asked, *node, variants, variant, *std::move(results));
    }
  }
  return Refusal(asked, variants);
}

// Nothing where the devices that were found cannot be written as a result after all; the node is
// no choice then.
std::optional<Placer::Results> Placer::Allocate(std::size_t node, Variant& variant) {
  if (variant.allocator == nullptr) {
    return Results();
  }
  allocator::Allocation allocation = variant.allocator->Allocate(ViewOf(node), random_);
  NoteRemarks(allocation);
  if (allocation.result == allocator::Allocation::Result::kAllocated) {
    return std::move(allocation.claims);
  }
  variant.page->Keep(node, {.fits = false});
  return std::nullopt;
}

const inventory::NodeView& Placer::ViewOf(std::size_t node) const {
  return *cluster_->ViewOf(nodes_[node]->metadata.name);
}

std::string_view Placer::WhyNotThere(const Case& asked, const api::Node& node) const {
  const std::string wanted = asked.pod == nullptr ? "" : asked.pod->spec.node_name;
  if (!wanted.empty() && wanted != node.metadata.name) {
    return "node(s) didn't match the requested node name";
  }
  // A pod that is on its node is there rightly. Nodes that are derived have neither labels nor
  // taints to ask about.
  if (asked.pod != nullptr && wanted.empty() && !nodes_are_derived_) {
    if (const std::string_view why = WhyNodeRejects(*asked.pod, node, dump_.gates());
        !why.empty()) {
      return why;
    }
  }
  const bool available = std::ranges::all_of(asked.claims, [&](const api::ResourceClaim& claim) {
    return IsAvailable(claim.status.allocation, node);
  });
  return available ? "" : "resourceclaim not available on the node";
}

Placer::Variant* Placer::VariantFor(const Case& asked, const api::Node& node, Variants& variants) {
  std::optional<api::ResourceClaim> extended;
  std::string key;
  if (asked.wants_extended) {
    ExtendedDemand demand = extended_.DemandOn(node, *asked.pod);
    if (!demand.fits) {
      return nullptr;
    }
    if (!demand.requests.empty()) {
      extended = ExtendedClaimOf(*asked.pod, std::move(demand.requests));
      key = api::EncodeJson(extended->spec);
    }
  }
  const auto [at, added] = variants.try_emplace(key);
  Variant& variant = at->second;
  if (!added) {
    return &variant;
  }
  variant.extended = std::move(extended);
  variant.pending = PendingOf(asked.claims, variant.extended);
  variant.titles = TitlesOf(variant.pending);
  if (!variant.pending.empty()) {
    variant.page = memo_.PageOf(asked.question + key);
    variant.allocator = std::make_unique<allocator::Allocator>(
        *cluster_, variant.pending, verdicts_, allocator::Allocator::Options{});
  }
  return &variant;
}

std::uint64_t Placer::StepsOf(const Variants& variants) {
  std::uint64_t steps = 0;
  for (const auto& [key, variant] : variants) {
    steps += variant.allocator == nullptr ? 0 : variant.allocator->steps();
  }
  return steps;
}

VerdictMemo::Answer Placer::Try(const Case& asked, std::size_t node, Variants& variants) {
  using Tried = allocator::Allocator::Outcome;
  Variant* variant = WhyNotThere(asked, *nodes_[node]).empty()
                         ? VariantFor(asked, *nodes_[node], variants)
                         : nullptr;
  if (variant == nullptr || variant->allocator == nullptr) {
    return {.fits = variant != nullptr};
  }
  if (const VerdictMemo::Answer* known = variant->page->Find(node)) {
    return *known;
  }
  const Tried tried = variant->allocator->Try(ViewOf(node));
  const VerdictMemo::Answer answer{.fits = tried == Tried::kFits,
                                   .score = tried == Tried::kFits ? variant->allocator->score() : 0,
                                   .certain = tried == Tried::kDoesNotFit};
  variant->page->Keep(node, answer);
  return answer;
}

std::optional<std::size_t> Placer::ChooseNode(const Case& asked, Variants& variants) {
  std::size_t first = 0;
  if (!asked.wants_extended && !nodes_.empty()) {
    const Variant* only = VariantFor(asked, *nodes_[0], variants);
    first = only->page == nullptr ? 0 : only->page->FirstOpen();
  }
  std::optional<std::size_t> best;
  std::int64_t best_score = 0;
  for (std::size_t i = first; i < nodes_.size(); ++i) {
    const VerdictMemo::Answer answer = Try(asked, i, variants);
    if (answer.fits && (!best || answer.score > best_score)) {
      best = i;
      best_score = answer.score;
    }
    if (best && best_score >= asked.best_score) {
      break;
    }
  }
  return best;
}

Verdict Placer::Explain(const Case& asked, std::size_t node, Variants& variants) {
  if (const std::string_view why = WhyNotThere(asked, *nodes_[node]); !why.empty()) {
    return Rejection(why);
  }
  Variant* variant = VariantFor(asked, *nodes_[node], variants);
  if (variant == nullptr) {
    return Rejection("cannot fit resource");
  }
  if (const Verdict* known = variant->page->FindWhy(node)) {
    return *known;
  }
  const allocator::Allocation allocation = variant->allocator->Allocate(ViewOf(node), random_);
  NoteRemarks(allocation);
  Verdict verdict = VerdictOf(allocation, variant->titles);
  // The words of errors name the claims, so they do not serve others.
  verdict.is_general = allocation.message.empty();
  return verdict.is_general ? variant->page->KeepWhy(node, std::move(verdict)) : verdict;
}

Outcome Placer::Refusal(const Case& asked, Variants& variants) {
  Refusals refusals;
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    refusals.Add(Explain(asked, i, variants));
  }
  Outcome outcome = OutcomeOf(asked, refusals);
  outcome.work = StepsOf(variants);
  if (refusals.nearest().is_general && !asked.wants_extended) {
    refusals_.insert_or_assign(asked.question + asked.limits, std::move(refusals));
  }
  return outcome;
}

Outcome Placer::OutcomeOf(const Case& asked, const Refusals& refusals) {
  std::vector<std::string> titles = TitlesOf(PendingOf(asked.claims, std::nullopt));
  Outcome outcome = Refused(asked.pod, asked.claims, refusals.nearest().code, "");
  if (asked.wants_extended) {
    titles.push_back(KeyOf(asked.pod->metadata.ns, kExtendedClaimName));
    outcome.claims.push_back({.claim = ExtendedClaimOf(*asked.pod, {})});
  }
  outcome.nodes = refusals.CodesByNodes();
  outcome.reason = Sentence(refusals.nearest(), titles) + CountsOf(outcome.nodes, refusals.total());
  return outcome;
}

Outcome Placer::Commit(Case& asked, std::size_t node, Variants& variants, Variant& variant,
                       Results results) {
  Outcome outcome;
  outcome.pod = asked.pod;
  outcome.node = nodes_[node]->metadata.name;
  outcome.work = StepsOf(variants);
  if (variant.extended) {
    asked.claims.push_back(*std::move(variant.extended));
    asked.claims.back().metadata.name =
        book_.FreeName(asked.pod->metadata.ns, asked.pod->metadata.name + "-extended-resources");
  }
  variants.clear();
  refusals_.clear();
  cluster_.reset();
  auto next = results.begin();
  for (api::ResourceClaim& claim : asked.claims) {
    std::optional<api::AllocationResult> result;
    if (IsPending(claim)) {
      NoteChange(*next, node);
      result = std::move(*next++);
    }
    outcome.claims.push_back(Serve(std::move(claim), asked.pod, std::move(result)));
  }
  cluster_ = std::make_unique<inventory::Snapshot>(world_.Take());
  return outcome;
}

// Finalizer, allocation and reservation, as the scheduler writes them.
ServedClaim Placer::Serve(api::ResourceClaim claim, const api::Pod* pod,
                          std::optional<api::AllocationResult> allocation) {
  const bool fresh = allocation.has_value();
  if (fresh) {
    allocation->allocation_timestamp = options_.now;
    AddFinalizer(claim);
    claim.status.allocation = std::move(allocation);
    world_.SetClaim(claim);
  }
  const bool reserved = pod != nullptr && Reserve(claim, *pod);
  if (fresh || reserved) {
    book_.Put(claim);
  }
  return {.claim = std::move(claim), .written = fresh || reserved};
}

void Placer::NoteChange(const api::AllocationResult& allocation, std::size_t node) {
  const std::string& name = nodes_[node]->metadata.name;
  const bool local = std::ranges::all_of(allocation.devices.results, [&](const auto& result) {
    return dump_.IsLocal(result.driver, result.pool, name);
  });
  if (local) {
    memo_.Touch(node);
  } else {
    memo_.TouchAll();
  }
}

void Placer::NoteRemarks(const allocator::Allocation& allocation) {
  for (const allocator::NoFit& remark : allocation.remarks) {
    remarks_.insert(fmt::format("{}: {}", reasons::NameOf(remark.code), remark.message));
  }
}

}  // namespace quadra::offline
