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
    : problem_(problem), marks_(problem.cluster().marks()), budget_(budget), counters_(problem) {
  picks_.resize(problem.claims().size());
  last_portions_.resize(problem.kinds());
  for (const ClaimPlan& claim : problem.claims()) {
    chosen_.emplace_back(claim.requests.size());
    std::vector<std::unique_ptr<Constraint>>& constraints = constraints_.emplace_back();
    for (const ConstraintPlan& constraint : claim.constraints) {
      constraints.push_back(constraint.kind->Make(problem.cluster().features().list_attributes));
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
  for (const auto& constraints : constraints_) {
    for (const std::unique_ptr<Constraint>& constraint : constraints) {
      constraint->Clear();
    }
  }
  for (std::vector<std::size_t>& chosen : chosen_) {
    std::ranges::fill(chosen, 0);
  }
  counters_.Reset();
  may_meet_errors_ = problem_.rules().device_fails_pod ? std::nullopt : std::optional(false);
  work_ = 0;
  met_dead_end_ = false;
}

void Search::MakeRoom() {
  const std::size_t devices = problem_.candidates().size();
  if (takers_.size() < devices) {
    takers_.resize(devices);
    shares_.resize(devices);
  }
}

Search::End Search::Run() {
  MakeRoom();
  switch (Next({}, false, 0)) {
    case Step::kFound:
      return End::kFound;
    case Step::kNone:
      return End::kNone;
    case Step::kTooMany:  // only where negative counts passed the check of the claim
      Fail(Code::kTooManyDevices, "allocation max size exceeded");
      return problem_.rules().node_fails_pod ? End::kError : End::kNone;
    case Step::kStop:
      return stopped_;
  }
  return End::kNone;
}

Search::Step Search::Fail(Code code, std::string message) {
  error_ = {.code = code, .message = std::move(message)};
  stopped_ = End::kError;
  return Step::kStop;
}

// --- The state of a device.

bool Search::IsTakenFor(Place place, std::size_t claim) const {
  return std::ranges::find(takers_[place], claim) != takers_[place].end();
}

bool Search::IsShared(Place place) const {
  if (shares_[place].count > 0) {
    return true;
  }
  const inventory::HeldDevice* held = HeldAt(place);
  return held != nullptr && held->shares > 0;
}

bool Search::ToleratesTaints(const Demand& demand, Place place) const {
  const Candidate& candidate = CandidateAt(place);
  return ToleratesAll(*demand.tolerations, inventory::TaintsOf(*candidate.slice, candidate.index,
                                                               problem_.cluster().taint_rules()));
}

bool Search::IsBlocked(const At& at, const Demand& demand, Place place) const {
  return demand.admin_access ? IsTakenFor(place, at.claim) : IsInUse(place);
}

const Result<Portion>& Search::PortionOf(const Demand& demand,
                                         const inventory::DeviceShape& shape) {
  // Mostly the device is like the one before.
  LastPortion& last = last_portions_[demand.kind];
  if (last.shape != &shape) {
    std::unique_ptr<const Result<Portion>>& portion = portions_[{demand.kind, &shape}];
    if (portion == nullptr) {
      portion = std::make_unique<const Result<Portion>>(
          Portion::Of(demand.capacity, shape.capacity, shape.counts_in_thousandths));
    }
    last = {.shape = &shape, .portion = portion.get()};
  }
  return *last.portion;
}

const Amounts& Search::HeldOf(Place place) const {
  static const Amounts nothing;
  const inventory::HeldDevice* held = HeldAt(place);
  return held != nullptr ? held->consumed : nothing;
}

Result<bool> Search::HasCapacity(const Demand& demand, Place place) {
  const inventory::DeviceShape& shape = *CandidateAt(place).shape;
  if (!shape.checks_capacity || (demand.capacity == nullptr && shape.capacity.empty())) {
    return true;
  }
  const Result<Portion>& portion = PortionOf(demand, shape);
  if (!portion) {
    return tl::unexpected(portion.error());
  }
  const Amounts& held = HeldOf(place);
  return held.empty() && shares_[place].taken.empty()
             ? portion->FitsAlone()
             : portion->FitsBeside(held, shares_[place].taken);
}

// --- The walk.

Search::Step Search::Next(const At& at, bool within_alternative, Place start) {
  if (++work_ > budget_) {
    stopped_ = End::kUndecided;
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
  Prospect prospect;
  if (!HasHope(at, start, prospect)) {
    return Step::kNone;
  }
  const Place end = static_cast<Place>(problem_.candidates().size());
  for (Place place = start; place < end; ++place) {
    if (IsBlocked(at, demand, place) || !prospect.Includes(place)) {
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
    if (!HasHope(at, place + 1, prospect)) {
      return Step::kNone;
    }
  }
  met_dead_end_ = true;
  return Step::kNone;
}

std::optional<bool> Search::Suits(const At& at, const Demand& demand, Place place) {
  switch (problem_.Ask(demand, place)) {
    case Answer::kNo:
      return false;
    case Answer::kError:
      return Failed(Code::kSelectorError,
                    [&] { return problem_.ErrorOf(at.claim, demand, place); });
    case Answer::kYes:
      break;
  }
  return HasCapacityFor(at, demand, place, "checking");
}

std::optional<bool> Search::HasCapacityFor(const At& at, const Demand& demand, Place place,
                                           std::string_view doing) {
  const Result<bool> fits = HasCapacity(demand, place);
  return fits ? std::optional(*fits) : Failed(Code::kInvalid, [&] {
    return fmt::format("{}: {} capacity for device {}: {}",
                       Where(problem_.claims()[at.claim], demand), doing,
                       problem_.IdOf(place).ToString(), fits.error().message);
  });
}

std::optional<bool> Search::Failed(Code code, absl::FunctionRef<std::string()> message) {
  if (!problem_.rules().device_fails_pod) {
    return false;
  }
  Fail(code, message());
  return std::nullopt;
}

// --- Taking a device, and putting it back.

std::optional<bool> Search::Take(const At& at, const Demand& demand, Place place, bool must,
                                 Taken& taken) {
  const Candidate& candidate = CandidateAt(place);
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
  // A single device was checked before; of all devices only what they are was.
  if (took && *took && must) {
    took = HasCapacityFor(at, demand, place, "rechecking");
  }
  if (took && *took) {
    Record(at, demand, place, taken);
  } else {
    PutBack(at, demand, place, taken);
  }
  return took;
}

std::optional<bool> Search::Join(const At& at, const Demand& demand, Place place, bool must,
                                 Taken& taken) {
  const ClaimPlan& claim = problem_.claims()[at.claim];
  for (const std::size_t i : demand.constraints) {
    const Result<const AttributeValues*> values = problem_.AttributeOf(demand, place, i);
    if (!values) {
      return Failed(Code::kSelectorError, [&] { return values.error().message; });
    }
    if (!constraints_[at.claim][i]->Add(*values)) {
      return !must ? false : Failed(Code::kConstraintUnmet, [&] {
        return fmt::format(
            "{}: cannot add device {} because a claim constraint would not be satisfied",
            Where(claim, demand), problem_.IdOf(place).ToString());
      });
    }
    ++taken.constraints;
  }
  return true;
}

void Search::Record(const At& at, const Demand& demand, Place place, Taken& taken) {
  Pick pick{.place = place, .demand = &demand, .portion = nullptr};
  if (AllowsMany(place)) {
    pick.portion = &*PortionOf(demand, *CandidateAt(place).shape);
    shares_[place].Add(*pick.portion);
    taken.shared = true;
  } else {
    takers_[place].push_back(at.claim);
    taken.marked = true;
  }
  picks_[at.claim].push_back(pick);
  taken.recorded = true;
}

void Search::Share::Add(const Portion& portion) {
  ++count;
  taken.resize(portion.amounts().size());
  for (std::size_t i = 0; i < taken.size(); ++i) {
    taken[i].Add(portion.amounts()[i].consumed);
  }
}

void Search::Share::Remove(const Portion& portion) {
  --count;
  for (std::size_t i = 0; i < taken.size(); ++i) {
    taken[i].Sub(portion.amounts()[i].consumed);
  }
}

void Search::PutBack(const At& at, const Demand& demand, Place place, const Taken& taken) {
  if (taken.shared) {
    shares_[place].Remove(*picks_[at.claim].back().portion);
  }
  if (taken.recorded) {
    picks_[at.claim].pop_back();
  }
  if (taken.marked) {
    takers_[place].pop_back();
  }
  for (std::size_t i = taken.constraints; i > 0; --i) {
    constraints_[at.claim][demand.constraints[i - 1]]->Remove();
  }
  if (taken.counters) {
    counters_.Refund(CandidateAt(place));
  }
}

}  // namespace quadra::allocator
