#include "allocator/problem.h"

#include <algorithm>

#include <fmt/format.h>

namespace quadra::allocator {
namespace {

using inventory::PoolState;
using reasons::Code;

// Whether two demands of a claim accept the same devices at any moment.
bool WantsTheSame(const Demand& a, const Demand& b) {
  const bool capacity = (a.capacity == nullptr) == (b.capacity == nullptr) &&
                        (a.capacity == nullptr || *a.capacity == *b.capacity);
  return capacity && !a.refusal && !b.refusal && a.verdicts == b.verdicts &&
         a.admin_access == b.admin_access && *a.tolerations == *b.tolerations &&
         *a.derived == *b.derived && a.constraints == b.constraints;
}

Refusal RefuseUnready(const std::string& where, const inventory::Pool& pool, bool only_node) {
  const bool incomplete = pool.state == PoolState::kIncomplete;
  return {.code = incomplete ? Code::kPoolIncomplete : Code::kPoolInvalid,
          .message = fmt::format("{}: asks for all devices, but resource pool {} is currently {}",
                                 where, pool.ToString(), incomplete ? "being updated" : "invalid"),
          .only_node = only_node};
}

bool HasDemandForAll(const std::vector<ClaimPlan>& claims) {
  return std::ranges::any_of(claims, [](const ClaimPlan& claim) {
    return std::ranges::any_of(claim.requests, [](const Request& request) {
      return std::ranges::any_of(request.alternatives, &Demand::all);
    });
  });
}

}  // namespace

Problem::Problem(const inventory::Snapshot& cluster, std::vector<ClaimPlan> plan,
                 Verdicts& verdicts, const Rules& rules, PlacementOrder order)
    : cluster_(&cluster),
      claims_(std::move(plan)),
      verdicts_(verdicts),
      rules_(rules),
      order_(order),
      on_failure_(rules.device_fails_pod ? Answer::kError : Answer::kNo),
      depends_on_node_(rules.node_fails_pod || HasDemandForAll(claims_)),
      attributes_(cluster, verdicts) {
  NumberAttributes();
  NumberKinds();
}

void Problem::NumberAttributes() {
  for (ClaimPlan& claim : claims_) {
    for (Request& request : claim.requests) {
      for (Demand& demand : request.alternatives) {
        for (const ConstraintPlan& constraint : claim.constraints) {
          demand.attributes.push_back(NumberOf(demand, *constraint.attribute));
        }
      }
    }
  }
}

std::size_t Problem::NumberOf(const Demand& demand, const std::string& name) {
  // Of several of one name the last counts.
  std::optional<std::string> expression;
  for (const api::DeviceDerivedAttribute& each : *demand.derived) {
    if (each.name == name) {
      expression = each.expression;
    }
  }
  return attributes_.NumberOf(name, expression);
}

void Problem::NumberKinds() {
  std::vector<std::pair<const ClaimPlan*, const Demand*>> kinds;
  for (ClaimPlan& claim : claims_) {
    for (Request& request : claim.requests) {
      for (Demand& demand : request.alternatives) {
        const auto same = std::ranges::find_if(kinds, [&](const auto& kind) {
          return kind.first == &claim && WantsTheSame(*kind.second, demand);
        });
        demand.kind = static_cast<std::size_t>(same - kinds.begin());
        if (same == kinds.end()) {
          kinds.emplace_back(&claim, &demand);
        }
      }
    }
  }
  kinds_ = kinds.size();
}

const std::optional<Refusal>& Problem::Enter(const inventory::NodeView& node) {
  node_ = &node;
  OrderCandidates();
  attributes_.Enter(candidates());
  if (depends_on_node_ || !entered_) {
    entered_ = true;
    refusal_ = Prepare();
  }
  return refusal_;
}

void Problem::OrderCandidates() {
  candidates_ = &node_->candidates;
  if (order_ == nullptr) {
    return;
  }
  indices_ = order_(*this);
  ordered_.clear();
  for (const std::uint32_t index : indices_) {
    ordered_.push_back(node_->candidates[index]);
  }
  candidates_ = &ordered_;
}

std::optional<Refusal> Problem::Prepare() {
  if (rules_.node_fails_pod && !node_->unreadable.empty()) {
    return Refusal{.message = "gather pool information: " + node_->unreadable};
  }
  for (ClaimPlan& claim : claims_) {
    if (std::optional<Refusal> refusal = PrepareClaim(claim)) {
      return refusal;
    }
  }
  return std::nullopt;
}

std::optional<Refusal> Problem::PrepareClaim(ClaimPlan& claim) {
  ResultLimit limit;
  bool all = false;
  for (Request& request : claim.requests) {
    for (Demand& demand : request.alternatives) {
      std::optional<Refusal> refusal = demand.refusal;
      if (!refusal && demand.all) {
        all = true;
        refusal = CollectEverything(claim, demand);
      }
      if (refusal) {
        return refusal;
      }
    }
    const std::int64_t count = std::ranges::min(request.alternatives, {}, &Demand::asked).asked;
    if (const std::optional<std::string> excess = limit.Add(count)) {
      return Refusal{.code = Code::kTooManyDevices,
                     .message = fmt::format("claim {}, request {}: {}", claim.full_name,
                                            request.name, *excess),
                     .only_node = all && !rules_.node_fails_pod};
    }
  }
  return claim.refusal;
}

std::optional<Refusal> Problem::CollectEverything(ClaimPlan& claim, Demand& demand) {
  const std::string where = Where(claim, demand);
  demand.everything.clear();
  // Upstream goes pool by pool, and reports what it meets first.
  const inventory::Pool* end = pools().data() + pools().size();
  const inventory::Pool* unready = std::find_if(
      pools().data(), end, [](const auto& pool) { return pool.state != PoolState::kReady; });
  for (Place place = 0; place < candidates().size(); ++place) {
    if (candidates()[place].pool > unready) {
      continue;
    }
    if (std::optional<Refusal> refusal = Consider(claim, demand, place)) {
      return refusal;
    }
  }
  if (unready != end) {
    return RefuseUnready(where, *unready, !rules_.node_fails_pod);
  }
  demand.count = demand.everything.size();
  demand.asked = static_cast<std::int64_t>(demand.count);
  return std::nullopt;
}

std::optional<Refusal> Problem::Consider(ClaimPlan& claim, Demand& demand, Place place) {
  const Answer answer = Ask(demand, place);
  if (answer == Answer::kError) {
    const auto at = static_cast<std::size_t>(&claim - claims_.data());
    return Refusal{.code = Code::kSelectorError, .message = ErrorOf(at, demand, place)};
  }
  if (answer == Answer::kNo) {
    return std::nullopt;
  }
  const Result<bool> fits = FitsStatically(Where(claim, demand), demand, place);
  if (!fits) {
    return Refusal{.code = Code::kCapacityBusy, .message = fits.error().message};
  }
  if (*fits) {
    demand.everything.push_back(place);
  }
  return std::nullopt;
}

// What is consumed now does not count: such a device stays among all, and the demand fails.
Result<bool> Problem::FitsStatically(const std::string& where, const Demand& demand,
                                     Place place) const {
  const inventory::DeviceShape& shape = *candidates()[place].shape;
  if (!shape.checks_capacity) {
    return true;
  }
  const Result<Portion> portion =
      Portion::Of(demand.capacity, shape.capacity, shape.counts_in_thousandths);
  if (!portion && rules_.device_fails_pod) {
    return Fail(ErrorKind::kInvalid, fmt::format("{}: checking capacity for device {}: {}", where,
                                                 IdOf(place).device, portion.error().message));
  }
  return portion && portion->FitsAlone();
}

// --- Selectors.

std::string Problem::ErrorOf(std::size_t claim, const Demand& demand, Place place) {
  const std::optional<Objection> objection = ObjectionTo(claim, demand, place);
  return objection ? objection->error : "";
}

std::optional<Objection> Problem::ObjectionTo(std::size_t claim, const Demand& demand,
                                              Place place) {
  const Candidate& candidate = candidates()[place];
  if (!candidate.shape->is_selectable) {
    return Objection{.by = Objection::By::kBinding, .error = ""};
  }
  if (demand.verdicts->At(candidate.row) != selector::Verdict::kMatch) {
    std::optional<Objection> objection =
        Object(Objection::By::kClass, "class " + demand.device_class->metadata.name,
               demand.device_class->spec.selectors, place);
    return objection ? objection
                     : Object(Objection::By::kRequest, "claim " + claims_[claim].full_name,
                              *demand.selectors, place);
  }
  switch (candidate.placed) {
    case Candidate::Placed::kHere:
      return std::nullopt;
    case Candidate::Placed::kElsewhere:
      return Objection{.by = Objection::By::kPlacement, .error = ""};
    case Candidate::Placed::kUnreadable:
      break;
  }
  return Objection{.by = Objection::By::kPlacement,
                   .answer = Answer::kError,
                   .error = "failed to parse node selector"};
}

std::optional<Objection> Problem::Object(Objection::By by, const std::string& owner,
                                         const api::List<api::DeviceSelector>& selectors,
                                         Place place) {
  const Candidate& candidate = candidates()[place];
  const selector::DeviceTable& table = cluster_->table();
  for (std::size_t i = 0; i < selectors.size(); ++i) {
    const std::optional<api::CelDeviceSelector>& cel = selectors[i].cel;
    const auto expression = verdicts_.expressions().Get(
        cel ? cel->expression : "", selector::Profile::Stored(), selector::Use::kSelector);
    if (expression->error()) {
      return Objection{.by = by,
                       .selector = i,
                       .answer = Answer::kError,
                       .error = fmt::format("{}: selector #{}: CEL compile error: {}", owner, i,
                                            expression->error()->message)};
    }
    const selector::Explanation explanation = selector::Explain(
        *expression, table.PoisonOf(candidate.row), table.RowInputs(candidate.row), *scratch_);
    if (explanation.verdict == selector::Verdict::kError) {
      return Objection{
          .by = by,
          .selector = i,
          .answer = Answer::kError,
          .error = fmt::format("{}: selector #{} on device {}: CEL runtime error: {}", owner, i,
                               IdOf(place).ToString(), selector::WithAdvice(explanation.error))};
    }
    if (explanation.verdict == selector::Verdict::kNo) {
      return Objection{.by = by, .selector = i, .answer = Answer::kNo, .error = ""};
    }
  }
  return std::nullopt;
}

}  // namespace quadra::allocator
