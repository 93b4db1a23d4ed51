#include "placement/inquiry.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include <fmt/format.h>

#include "api/object.h"
#include "api/vocabulary.h"
#include "placement/binding_conditions.h"
#include "placement/pod_claims.h"
#include "placement/refusals.h"

namespace quadra::placement {
namespace {

using reasons::Code;
using reasons::Refusal;

std::string WhyNotUsable(const api::ResourceClaim& claim) {
  if (const std::string failure = WhyBindingFailed(claim); !failure.empty()) {
    return fmt::format("claim {}: {}", api::FullNameOf(claim), failure);
  }
  const std::string node = PinnedNode(claim);
  return fmt::format("claim {} is allocated {}{}", api::FullNameOf(claim),
                     node.empty() ? "for other nodes" : "on node ", node);
}

bool Fits(const allocator::Allocation& allocation) {
  return allocation.result == allocator::Allocation::Result::kAllocated;
}

// Nobody wrote the requests of that claim, so the message names the resource.
Refusal WithResource(const Case& asked, Refusal refusal) {
  if (asked.wants_extended && !refusal.request.empty() &&
      refusal.claim.ends_with(kExtendedClaimName)) {
    refusal.message =
        fmt::format("resource {}: {}", ResourceOf(*asked.pod, refusal.request), refusal.message);
  }
  return refusal;
}

std::vector<Refusal> WithResources(const Case& asked, std::vector<Refusal> refusals) {
  for (Refusal& refusal : refusals) {
    refusal = WithResource(asked, std::move(refusal));
  }
  return refusals;
}

}  // namespace

const Refusal& KeyReason(const NodeAnswer& answer) {
  if (!answer.rejection) {
    return KeyReason(answer.refusals);
  }
  const bool counts =
      answer.lacks_room && !answer.refusals.empty() && !KeyReason(answer.refusals).request.empty();
  return counts ? KeyReason(answer.refusals) : *answer.rejection;
}

Nearness NearnessOf(const NodeAnswer& answer) {
  const Refusal& key = KeyReason(answer);
  return NearnessOf(key, answer.refusals.empty() ? key : KeyReason(answer.refusals),
                    answer.fits_otherwise);
}

Inquiry::Inquiry(const Case& asked, const inventory::Snapshot& devices, Room& room)
    : asked_(asked), devices_(devices), room_(room) {
  const bool looks = asked.pod != nullptr && asked.pod->spec.node_name.empty() &&
                     inventory::FeaturesOf(room.cluster.gates()).binding_conditions;
  for (std::size_t i = 0; looks && i < asked.claims.size(); ++i) {
    failed_ = WhyBindingFailed(asked.claims[i]).empty() ? failed_ : &asked.claims[i];
  }
}

NodeMemo::Answer Inquiry::Try(std::size_t node) {
  const reasons::OrRefusal<Variant*> entered = Enter(node);
  if (entered) {
    return TryVariant(node, **entered);
  }
  return {.fails_pod = FailsAnyway(entered.error(), node)};
}

bool Inquiry::FailsAnyway(const Refusal& rejection, std::size_t node) {
  if (!room_.strict || rejection.message != kNotAvailable) {
    return false;
  }
  const reasons::OrRefusal<Variant*> entered = EnterAnyway(*room_.nodes[node]);
  return entered && TryVariant(node, **entered).fails_pod;
}

NodeMemo::Answer Inquiry::TryVariant(std::size_t node, Variant& variant) {
  using Tried = allocator::Allocator::Fit;
  if (variant.allocator == nullptr) {
    return {.fits = true};
  }
  if (const NodeMemo::Answer* known = variant.page->Find(node)) {
    return *known;
  }
  if (!MayGoOn()) {
    return {.certain = false, .undecided = true};
  }
  const Tried tried = variant.allocator->Try(ViewOf(node));
  room_.on_search();
  const NodeMemo::Answer answer{
      .fits = tried == Tried::kFits,
      .score = tried == Tried::kFits ? variant.allocator->score() : 0,
      .certain = tried == Tried::kDoesNotFit,
      .undecided = tried == Tried::kUndecided,
      .fails_pod = room_.strict && tried == Tried::kRefused && variant.allocator->fails_pod()};
  variant.page->Keep(node, answer);
  return answer;
}

Obstacles Inquiry::ObstaclesOn(const api::Node& node) const {
  if (!IsFiltered() || UnavailableOn(node) != nullptr) {
    return {};
  }
  Obstacles obstacles = ObstaclesTo(*asked_.pod, node, room_.cluster.gates());
  obstacles.lack = LackOf(node);
  return obstacles;
}

bool Inquiry::IsFiltered() const {
  return asked_.pod != nullptr && asked_.pod->spec.node_name.empty() && !room_.nodes_are_derived;
}

Lack Inquiry::LackOf(const api::Node& node) const {
  return IsFiltered() ? room_.loads.LackFor(*asked_.pod, asked_.priority, asked_.requests, node,
                                            room_.extended)
                      : Lack();
}

bool Inquiry::FitsOtherwise(std::size_t index) {
  const api::Node& node = *room_.nodes[index];
  if (ObstaclesOn(node).empty()) {
    return false;
  }
  const reasons::OrRefusal<Variant*> entered = EnterAnyway(node);
  return entered && TryVariant(index, **entered).fits;
}

NodeAnswer Inquiry::Rejected(Refusal refusal, std::size_t index) {
  const api::Node& node = *room_.nodes[index];
  const Obstacles obstacles = ObstaclesOn(node);
  NodeAnswer answer{.view = &ViewOf(index),
                    .refusals = {},
                    .fits_otherwise = FitsOtherwise(index),
                    .lacks_room = obstacles.IsLackOnly()};
  if (refusal.message == kNotAvailable) {
    refusal.message += ": " + WhyNotUsable(*UnavailableOn(node));
  } else if (!obstacles.empty()) {
    refusal.message += fmt::format(": {}{}", TextOf(obstacles, *asked_.pod),
                                   answer.fits_otherwise ? "; it would fit otherwise" : "");
  }
  answer.rejection = std::move(refusal);
  return answer;
}

Inquiry::Variant* Inquiry::BesidesRejection(const NodeAnswer& answer, std::size_t index) {
  const api::Node& node = *room_.nodes[index];
  if (answer.fits_otherwise || ObstaclesOn(node).empty() || !MayGoOn()) {
    return nullptr;
  }
  const reasons::OrRefusal<Variant*> entered = EnterAnyway(node);
  return entered ? *entered : nullptr;
}

Refusal Inquiry::WhyNotDevices(std::size_t node, Variant& variant) {
  if (std::optional<Refusal> known = variant.page->FindWhy(node, variant.names)) {
    return WithResource(asked_, *std::move(known));
  }
  const std::vector<Refusal> reasons = ReasonsOf(Ask(node, variant), node, variant);
  const Refusal& key = KeyReason(reasons);
  if (!key.verbatim) {
    variant.page->KeepWhy(node, key, variant.names);
  }
  return WithResource(asked_, key);
}

NodeAnswer Inquiry::Why(std::size_t node) {
  const reasons::OrRefusal<Variant*> entered = Enter(node);
  NodeAnswer answer =
      entered ? NodeAnswer{.view = &ViewOf(node), .refusals = {}} : Rejected(entered.error(), node);
  if (Variant* const asked = entered ? *entered : BesidesRejection(answer, node)) {
    answer.refusals.push_back(WhyNotDevices(node, *asked));
  }
  return answer;
}

NodeAnswer Inquiry::Examine(std::size_t node) {
  NodeAnswer answer{.view = &ViewOf(node), .refusals = {}};
  const reasons::OrRefusal<Variant*> entered = Enter(node);
  if (!entered) {
    answer = Rejected(entered.error(), node);
    if (Variant* const besides = BesidesRejection(answer, node)) {
      answer.refusals = WithResources(asked_, ReasonsOf(Ask(node, *besides), node, *besides));
    }
    if (FailsAnyway(entered.error(), node)) {
      answer.failure = WhyItFails(node);
    }
    return answer;
  }
  if ((*entered)->allocator == nullptr) {
    answer.fits = true;
    return answer;
  }
  if (!MayGoOn()) {
    answer.refusals.push_back(
        {.code = Code::kUndecided,
         .message = fmt::format("not asked: the budget of {} steps for all nodes was used up",
                                most_steps_)});
    return answer;
  }
  allocator::Allocation allocation = Ask(node, **entered);
  answer.fits = Fits(allocation);
  answer.score = allocation.score;
  if (room_.strict && allocation.fatal) {
    answer.failure = allocation.reasons.front();
  }
  answer.refusals = WithResources(asked_, ReasonsOf(std::move(allocation), node, **entered));
  return answer;
}

Refusal Inquiry::WhyItFails(std::size_t node) {
  return Ask(node, **EnterAnyway(*room_.nodes[node])).reasons.front();
}

bool Inquiry::MayFailPod() {
  if (!room_.strict || asked_.wants_extended) {
    return room_.strict;  // nodes are asked for different claims
  }
  Variant& only = VariantWith(std::nullopt);
  if (only.page == nullptr) {
    return false;
  }
  std::optional<bool>& known = only.page->may_fail_pod;
  const auto may_fail = [&](const auto& node) {
    return only.allocator->MayFailPod(*devices_.ViewOf(node->metadata.name));
  };
  known = known ? *known : std::ranges::any_of(room_.nodes, may_fail);
  return known.value_or(true);
}

std::optional<Inquiry::Results> Inquiry::Allocate(std::size_t node) {
  Variant& variant = **Enter(node);
  if (variant.allocator == nullptr) {
    return Results();
  }
  allocator::Allocation allocation = Ask(node, variant);
  if (!Fits(allocation)) {
    variant.page->Keep(node, {.fits = false});
    return std::nullopt;
  }
  return std::move(allocation.claims);
}

const std::optional<api::ResourceClaim>& Inquiry::ExtendedOn(std::size_t node) {
  return (*Enter(node))->extended;
}

std::size_t Inquiry::FirstOpen() {
  if (asked_.wants_extended || room_.nodes.empty()) {
    return 0;  // nodes are asked for different claims
  }
  const Variant& only = VariantWith(std::nullopt);
  return only.page == nullptr ? 0 : only.page->FirstOpen();
}

std::uint64_t Inquiry::steps() const {
  std::uint64_t steps = 0;
  for (const auto& [key, variant] : variants_) {
    steps += variant.allocator == nullptr ? 0 : variant.allocator->steps();
  }
  return steps;
}

bool Inquiry::MayGoOn() {
  stopped_ = stopped_ || steps() >= most_steps_;
  return !stopped_;
}

const inventory::NodeView& Inquiry::ViewOf(std::size_t node) const {
  return *devices_.ViewOf(room_.nodes[node]->metadata.name);
}

reasons::OrRefusal<Inquiry::Variant*> Inquiry::Enter(std::size_t index) {
  const api::Node& node = *room_.nodes[index];
  if (std::string why = WhyNotThere(node); !why.empty()) {
    return reasons::Refuse(Code::kNodeRejects, std::move(why));
  }
  return EnterAnyway(node);
}

reasons::OrRefusal<Inquiry::Variant*> Inquiry::EnterAnyway(const api::Node& node) {
  if (!asked_.wants_extended) {
    return &VariantWith(std::nullopt);
  }
  ExtendedDemand demand = room_.extended.DemandOn(node, *asked_.pod);
  if (!demand.fits) {
    return reasons::Refuse(Code::kNodeRejects, "cannot fit resource");
  }
  return &VariantWith(demand.requests.empty() ? std::nullopt
                                              : std::optional(ExtendedClaimOf(
                                                    *asked_.pod, std::move(demand.requests))));
}

std::string Inquiry::WhyNotThere(const api::Node& node) const {
  const std::string wanted = asked_.pod == nullptr ? "" : asked_.pod->spec.node_name;
  if (!wanted.empty() && wanted != node.metadata.name) {
    return "node(s) didn't match the requested node name";
  }
  // A pod that is on its node is there rightly.
  if (IsFiltered()) {
    if (const std::string_view why = WhyNodeRejects(*asked_.pod, node, room_.cluster.gates());
        !why.empty()) {
      return std::string(why);
    }
    if (const Lack lack = LackOf(node); !lack.empty()) {
      return WordsOf(lack);
    }
  }
  return UnavailableOn(node) == nullptr ? "" : std::string(kNotAvailable);
}

const api::ResourceClaim* Inquiry::UnavailableOn(const api::Node& node) const {
  if (failed_ != nullptr) {
    return failed_;
  }
  const auto found = std::ranges::find_if(
      asked_.claims, [&](const api::ResourceClaim& claim) { return !IsAvailableOn(claim, node); });
  return found == asked_.claims.end() ? nullptr : &*found;
}

Inquiry::Variant& Inquiry::VariantWith(std::optional<api::ResourceClaim> extended) {
  const std::string key = extended ? api::EncodeJson(extended->spec) : "";
  const auto [at, added] = variants_.try_emplace(key);
  Variant& variant = at->second;
  if (!added) {
    return variant;
  }
  variant.extended = std::move(extended);
  variant.pending = PendingOf(asked_.claims);
  if (variant.extended) {
    variant.pending.push_back(&*variant.extended);
  }
  for (const api::ResourceClaim* claim : variant.pending) {
    variant.names.push_back(api::FullNameOf(*claim));
  }
  if (!variant.pending.empty()) {
    variant.page = room_.memo.PageOf(asked_.question + key);
    variant.allocator = MakeAllocator(variant, room_.strict);
  }
  return variant;
}

std::unique_ptr<allocator::Allocator> Inquiry::MakeAllocator(const Variant& variant,
                                                             bool strict) const {
  return std::make_unique<allocator::Allocator>(
      devices_, variant.pending, room_.verdicts,
      allocator::Allocator::Options{.strict = strict, .placement = room_.placement});
}

std::vector<Refusal> Inquiry::ReasonsOf(allocator::Allocation allocation, std::size_t node,
                                        Variant& variant) {
  if (!room_.strict || allocation.result != allocator::Allocation::Result::kError) {
    return std::move(allocation.reasons);
  }
  if (variant.lenient == nullptr) {
    variant.lenient = MakeAllocator(variant, false);
  }
  allocator::Allocation ours = variant.lenient->Allocate(ViewOf(node), room_.random);
  return Fits(ours) ? std::move(allocation.reasons) : std::move(ours.reasons);
}

allocator::Allocation Inquiry::Ask(std::size_t node, Variant& variant) {
  allocator::Allocation allocation = variant.allocator->Allocate(ViewOf(node), room_.random);
  room_.on_search();
  for (const Refusal& remark : allocation.remarks) {
    room_.remarks.insert(fmt::format("{}: {}", reasons::NameOf(remark.code), remark.message));
  }
  return allocation;
}

}  // namespace quadra::placement
