#include "allocator/search.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace quadra::allocator {
namespace {

using reasons::Code;

bool Tolerates(const api::DeviceToleration& toleration, const api::DeviceTaint& taint) {
  const bool effect = toleration.effect.empty() || toleration.effect == taint.effect;
  const bool key = toleration.key.empty() || toleration.key == taint.key;
  if (!effect || !key) {
    return false;
  }
  const bool equal = toleration.op.empty() || toleration.op == "Equal";
  return equal ? toleration.value == taint.value : toleration.op == "Exists";
}

}  // namespace

bool ToleratesAll(const api::List<api::DeviceToleration>& tolerations,
                  const std::vector<api::DeviceTaint>& taints) {
  return std::ranges::all_of(taints, [&](const api::DeviceTaint& taint) {
    return !inventory::KeepsAway(taint) ||
           std::ranges::any_of(
               tolerations, [&](const auto& toleration) { return Tolerates(toleration, taint); });
  });
}

Search::Search(Problem& problem, std::uint64_t budget)
    : problem_(problem), budget_(budget), counters_(problem) {
  picks_.resize(problem.claims().size());
  for (const ClaimPlan& claim : problem.claims()) {
    chosen_.emplace_back(claim.requests.size());
    std::vector<Constraint>& constraints = constraints_.emplace_back();
    for (const api::DeviceConstraint* constraint : claim.constraints) {
      constraints.emplace_back(
          constraint->match_attribute ? Constraint::Rule::kMatch : Constraint::Rule::kDistinct,
          problem.cluster().features().list_attributes);
    }
  }
  Reset();
}

void Search::Reset() {
  for (std::vector<Pick>& picks : picks_) {
    for (const Pick& pick : picks) {
      takers_[pick.place].clear();
      shares_[pick.place] = {};
    }
    picks.clear();
  }
  for (std::vector<Constraint>& constraints : constraints_) {
    for (Constraint& constraint : constraints) {
      constraint.Clear();
    }
  }
  for (std::vector<std::size_t>& chosen : chosen_) {
    std::ranges::fill(chosen, 0);
  }
  counters_.Reset();
  may_meet_errors_.reset();
  work_ = dead_ends_ = 0;
}

Search::Outcome Search::Run() {
  const std::size_t devices = problem_.candidates().size();
  if (takers_.size() < devices) {
    takers_.resize(devices);
    shares_.resize(devices);
  }
  switch (Next({}, false, 0)) {
    case Step::kFound:
      return Outcome::kFound;
    case Step::kNone:
      return Outcome::kNone;
    case Step::kTooMany:  // only where negative counts passed the check of the claim
      Fail(Code::kTooManyDevices, "allocation max size exceeded");
      return problem_.strict() ? Outcome::kError : Outcome::kNone;
    case Step::kStop:
      return stopped_;
  }
  return Outcome::kNone;
}

Search::Step Search::Fail(Code code, std::string message) {
  error_ = {.code = code, .message = std::move(message)};
  stopped_ = Outcome::kError;
  return Step::kStop;
}

// --- The state of a device.

bool Search::IsInUse(Place place) const {
  return problem_.cluster().marks().in_use.Test(problem_.candidates()[place].row) ||
         !takers_[place].empty();
}

bool Search::IsTakenFor(Place place, std::size_t claim) const {
  return std::ranges::find(takers_[place], claim) != takers_[place].end();
}

bool Search::IsShared(Place place) const {
  if (shares_[place].count > 0) {
    return true;
  }
  if (!problem_.cluster().marks().held.Test(problem_.candidates()[place].row)) {
    return false;
  }
  const inventory::HeldDevice* held = problem_.cluster().held().Find(problem_.IdOf(place));
  return held != nullptr && held->shares > 0;
}

bool Search::AllowsMany(Place place) const {
  return problem_.candidates()[place].shape->allow_multiple_allocations;
}

bool Search::IsTolerated(const Demand& demand, Place place) const {
  const Candidate& candidate = problem_.candidates()[place];
  return !problem_.cluster().marks().tainted.Test(candidate.row) ||
         ToleratesAll(*demand.tolerations, inventory::TaintsOf(*candidate.slice, candidate.index,
                                                               problem_.cluster().taint_rules()));
}

bool Search::IsBlocked(const At& at, const Demand& demand, Place place) const {
  return demand.admin_access ? IsTakenFor(place, at.claim) : IsInUse(place);
}

Result<bool> Search::SufficesWhole(const inventory::DeviceShape& shape) {
  const auto known = suffices_whole_.find(&shape);
  Result<bool> suffices = known != suffices_whole_.end() ? Result<bool>(known->second)
                                                         : Suffices(nullptr, shape.capacity, {}, {},
                                                                    shape.counts_in_thousandths);
  if (suffices) {
    suffices_whole_.emplace(&shape, *suffices);
    last_shape_ = *suffices ? &shape : last_shape_;
  }
  return suffices;
}

Result<bool> Search::HasCapacity(const At& at, const Demand& demand, Place place,
                                 std::string_view doing) {
  const Candidate& candidate = problem_.candidates()[place];
  const inventory::DeviceShape& shape = *candidate.shape;
  if (!shape.checks_capacity || (demand.capacity == nullptr && shape.capacity.empty())) {
    return true;
  }
  static const Amounts nothing;
  const inventory::HeldDevice* held = problem_.cluster().marks().held.Test(candidate.row)
                                          ? problem_.cluster().held().Find(problem_.IdOf(place))
                                          : nullptr;
  const bool whole = demand.capacity == nullptr && shares_[place].amounts.empty() &&
                     (held == nullptr || held->consumed.empty());
  Result<bool> suffices =
      whole ? SufficesWhole(shape)
            : Suffices(demand.capacity, shape.capacity, held != nullptr ? held->consumed : nothing,
                       shares_[place].amounts, shape.counts_in_thousandths);
  if (!suffices && !problem_.strict()) {
    return false;
  }
  if (!suffices) {
    return quadra::Fail(
        Reason::kInvalid,
        fmt::format("{}: {} capacity for device {}: {}", Where(problem_.claims()[at.claim], demand),
                    doing, problem_.IdOf(place).ToString(), suffices.error().message));
  }
  return suffices;
}

// --- The walk.

Search::Step Search::Next(const At& at, bool within_alternative, Place start) {
  if (++work_ > budget_) {
    stopped_ = Outcome::kUndecided;
    return Step::kStop;
  }
  if (at.claim >= problem_.claims().size()) {
    return Step::kFound;
  }
  const ClaimPlan& claim = problem_.claims()[at.claim];
  if (at.request >= claim.requests.size()) {
    const Step step = Next({.claim = at.claim + 1}, false, 0);
    return step == Step::kTooMany ? Step::kNone : step;
  }
  if (claim.requests[at.request].has_alternatives && !within_alternative) {
    return NextAlternative(at);
  }
  const Demand& demand = DemandAt(at);
  if (demand.all && demand.everything.empty()) {
    return Step::kNone;
  }
  if (at.taken >= demand.count) {
    return Next({.claim = at.claim, .request = at.request + 1}, false, 0);
  }
  if (demand.count - at.taken > kMaxResults - picks_[at.claim].size()) {
    return Step::kTooMany;
  }
  return demand.all ? TakeEverything(at, within_alternative)
                    : TakeOne(at, within_alternative, start);
}

Search::Step Search::NextAlternative(At at) {
  const Request& request = problem_.claims()[at.claim].requests[at.request];
  bool too_many = true;
  for (at.alternative = 0; at.alternative < request.alternatives.size(); ++at.alternative) {
    const Step step = Next(at, true, 0);
    if (step == Step::kFound) {
      chosen_[at.claim][at.request] = at.alternative;
      return step;
    }
    if (step == Step::kStop) {
      return step;
    }
    too_many = too_many && step == Step::kTooMany;
  }
  return too_many ? Step::kTooMany : Step::kNone;
}

// The order does not matter, so one is tried.
Search::Step Search::TakeEverything(const At& at, bool within_alternative) {
  const Demand& demand = DemandAt(at);
  const Place place = demand.everything[at.taken];
  Taken taken;
  const std::optional<bool> took = Take(at, demand, place, true, taken);
  if (!took) {
    return Step::kStop;
  }
  if (!*took) {
    return Step::kNone;
  }
  At next = at;
  ++next.taken;
  const Step step = Next(next, within_alternative, 0);
  if (step != Step::kFound) {
    PutBack(at, demand, place, taken);
  }
  return step;
}

Search::Step Search::TakeOne(const At& at, bool within_alternative, Place start) {
  const Demand& demand = DemandAt(at);
  if (IsHopeless(at, start)) {
    return Step::kNone;
  }
  const Place end = static_cast<Place>(problem_.candidates().size());
  for (Place place = start; place < end; ++place) {
    if (IsBlocked(at, demand, place)) {
      continue;
    }
    Taken taken;
    std::optional<bool> took = Suits(at, demand, place);
    if (took && *took) {
      took = Take(at, demand, place, false, taken);
    }
    if (!took) {
      return Step::kStop;
    }
    if (!*took) {
      continue;
    }
    At next = at;
    ++next.taken;
    const Step step = Next(next, within_alternative, place + 1);
    if (step == Step::kFound) {
      return step;
    }
    PutBack(at, demand, place, taken);
    if (step != Step::kNone) {
      return step;
    }
    if (IsHopeless(at, place + 1)) {
      return Step::kNone;
    }
  }
  ++dead_ends_;
  return Step::kNone;
}

std::optional<bool> Search::Suits(const At& at, const Demand& demand, Place place) {
  const Answer answer = problem_.Ask(demand, place);
  if (answer == Answer::kError) {
    Fail(Code::kSelectorError, problem_.ErrorOf(at.claim, demand, place));
    return std::nullopt;
  }
  if (answer == Answer::kNo) {
    return false;
  }
  const Result<bool> fits = HasCapacity(at, demand, place, "checking");
  if (!fits) {
    Fail(Code::kInvalid, fits.error().message);
    return std::nullopt;
  }
  return *fits;
}

// --- Taking a device, and putting it back.

std::optional<bool> Search::Take(const At& at, const Demand& demand, Place place, bool must,
                                 Taken& taken) {
  const Candidate& candidate = problem_.candidates()[place];
  const bool many = AllowsMany(place);
  const bool blocked = demand.admin_access ? !many && IsTakenFor(place, at.claim) : IsInUse(place);
  const bool partition = !candidate.shape->consumes_counters.empty();
  if (blocked || !candidate.is_supported) {
    return false;
  }
  // A further share of a device does not charge its counters again.
  if (partition && !(many && IsShared(place))) {
    if (!counters_.Charge(candidate)) {
      return false;
    }
    taken.counters = true;
  }
  std::optional<bool> took =
      IsTolerated(demand, place) ? Join(at, demand, place, must, taken) : false;
  if (took && *took) {
    took = Record(at, demand, place, taken);
  }
  if (!took || !*took) {
    PutBack(at, demand, place, taken);
  }
  return took;
}

std::optional<bool> Search::Join(const At& at, const Demand& demand, Place place, bool must,
                                 Taken& taken) {
  const ClaimPlan& claim = problem_.claims()[at.claim];
  for (const std::size_t i : demand.constraints) {
    const Result<const AttributeValues*> values = problem_.AttributeOf(demand, place, i);
    const bool strict = problem_.strict();
    if (!values && strict) {
      Fail(Code::kSelectorError, values.error().message);
      return std::nullopt;
    }
    if (!values || !constraints_[at.claim][i].Add(*values)) {
      if (!must || !strict) {
        return false;
      }
      Fail(Code::kConstraintUnmet,
           fmt::format("{}: cannot add device {} because a claim constraint would not be satisfied",
                       Where(claim, demand), problem_.IdOf(place).ToString()));
      return std::nullopt;
    }
    ++taken.constraints;
  }
  return true;
}

std::optional<bool> Search::Record(const At& at, const Demand& demand, Place place, Taken& taken) {
  const bool many = AllowsMany(place);
  if (!many) {
    takers_[place].push_back(at.claim);
    taken.marked = true;
  }
  const Result<bool> fits = HasCapacity(at, demand, place, "rechecking");
  if (!fits) {
    Fail(Code::kInvalid, fits.error().message);
    return std::nullopt;
  }
  if (!*fits) {
    return false;
  }
  Pick pick{.place = place, .demand = &demand, .shared = many, .consumed = nullptr};
  if (many) {
    const inventory::DeviceShape& shape = *problem_.candidates()[place].shape;
    pick.consumed = std::make_shared<const Amounts>(
        *Consumption(demand.capacity, shape.capacity, shape.counts_in_thousandths));
    ++shares_[place].count;
    for (const auto& [name, amount] : *pick.consumed) {
      shares_[place].amounts[name].Add(amount);
    }
    taken.shared = true;
  }
  picks_[at.claim].push_back(std::move(pick));
  taken.recorded = true;
  return true;
}

void Search::PutBack(const At& at, const Demand& demand, Place place, const Taken& taken) {
  if (taken.shared) {
    --shares_[place].count;
    for (const auto& [name, amount] : *picks_[at.claim].back().consumed) {
      shares_[place].amounts[name].Sub(amount);
    }
  }
  if (taken.recorded) {
    picks_[at.claim].pop_back();
  }
  if (taken.marked) {
    takers_[place].pop_back();
  }
  for (std::size_t i = taken.constraints; i > 0; --i) {
    constraints_[at.claim][demand.constraints[i - 1]].Remove();
  }
  if (taken.counters) {
    counters_.Refund(problem_.candidates()[place]);
  }
}

}  // namespace quadra::allocator
