// What is short on a device: the questions that only explanations ask of a search and its counters.
#include "allocator/shortage.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "allocator/counters.h"
#include "allocator/largest_request.h"
#include "allocator/search.h"
#include "base/nearest.h"

namespace quadra::allocator {
namespace {

using quantity::Quantity;

double PartOf(const Quantity& wanted, const Quantity& left) {
  const double whole = wanted.AsApproximateDouble();
  return whole > 0 ? left.AsApproximateDouble() / whole : 0;
}

// Below zero there is nothing left either.
Quantity AtLeastNothing(const Quantity& left) { return left.Sign() < 0 ? Quantity::Of(0) : left; }

// "40Gi of 80Gi left", or what there is where nobody uses any.
std::string Remainder(const Quantity& left, const Quantity& whole) {
  return left == whole
             ? fmt::format("{} in all", whole.ToString())
             : fmt::format("{} of {} left", AtLeastNothing(left).ToString(), whole.ToString());
}

// --- Capacity.

// What the request says, where it differs from what it consumes.
std::string AskedFor(Wanted wanted, const Portion::Amount& amount) {
  const Quantity* asked = wanted != nullptr ? wanted->Find(*amount.capacity) : nullptr;
  if (asked == nullptr) {
    return " by default";
  }
  return *asked == amount.consumed ? "" : fmt::format(" ({} asked for)", asked->ToString());
}

Quantity LeftOf(const Portion::Amount& amount, const Amounts& held) {
  Quantity left = *amount.whole;
  if (const auto others = held.find(*amount.capacity); others != held.end()) {
    left.Sub(others->second);
  }
  return left;
}

Shortage ShortCapacity(Wanted wanted, const Portion::Amount& amount, const Quantity& left) {
  return {.nearness = PartOf(amount.consumed, left),
          .text = fmt::format("{} {} wanted{}, {}", *amount.capacity, amount.consumed.ToString(),
                              AskedFor(wanted, amount), Remainder(left, *amount.whole))};
}

std::vector<std::string_view> NamesOf(const api::Map<api::DeviceCapacity>& capacity) {
  std::vector<std::string_view> names;
  for (const auto& [name, amount] : capacity) {
    names.push_back(name);
  }
  return names;
}

Shortage OutOfPolicy(Wanted wanted, const api::Map<api::DeviceCapacity>& capacity) {
  for (const auto& [name, asked] : *wanted) {
    const api::DeviceCapacity* published = capacity.Find(name);
    if (published == nullptr) {
      return {.nearness = -1,
              .text = fmt::format("it has no capacity {}{}", name,
                                  DidYouMean(name, NamesOf(capacity)))};
    }
    const std::optional<Quantity> most = LargestRequest(*published, published->value);
    if (most && asked > *most) {
      return {.nearness = PartOf(asked, *most),
              .text = fmt::format("{} {} wanted, at most {} may be asked for", name,
                                  asked.ToString(), most->ToString())};
    }
  }
  return {.nearness = -1, .text = "its policy does not allow what is asked for"};
}

// Of the capacities the one of which the least part is there.
Shortage CapacityShortage(Wanted wanted, const inventory::DeviceShape& shape,
                          const Result<Portion>& portion, const Amounts& held) {
  if (!portion) {
    return {.nearness = -1, .text = portion.error().message};
  }
  std::optional<Shortage> worst;
  for (const Portion::Amount& amount : portion->amounts()) {
    const Quantity left = LeftOf(amount, held);
    if (amount.consumed > left && (!worst || PartOf(amount.consumed, left) < worst->nearness)) {
      worst = ShortCapacity(wanted, amount, left);
    }
  }
  const bool asks = wanted != nullptr && !wanted->empty();
  return worst || !asks ? worst.value_or(Shortage()) : OutOfPolicy(wanted, shape.capacity);
}

// --- Counters.

struct NamedCounter {
  const api::CounterSet* set = nullptr;
  const std::string* name = nullptr;
  const Quantity* whole = nullptr;
};

// By number, as Counters numbers them.
std::vector<NamedCounter> CountersOf(const inventory::Pool& pool) {
  std::vector<NamedCounter> named;
  for (const api::CounterSet* set : pool.counter_sets) {
    for (const auto& [name, counter] : set->counters) {
      named.push_back({.set = set, .name = &name, .whole = &counter.value});
    }
  }
  return named;
}

Shortage ShortCounter(const NamedCounter& counter, const Quantity& wanted, const Quantity& left) {
  return {.nearness = PartOf(wanted, left),
          .of_counters = true,
          .counter_set = counter.set->name,
          .text = fmt::format("{} of counter {} in set {} wanted, {}", wanted.ToString(),
                              *counter.name, counter.set->name, Remainder(left, *counter.whole))};
}

Shortage Overdrawn(const NamedCounter& counter, Quantity left) {
  left.Neg();
  return {.of_counters = true,
          .counter_set = counter.set->name,
          .text = fmt::format("counter {} in set {} is overdrawn by {}, which blocks its pool",
                              *counter.name, counter.set->name, left.ToString())};
}

}  // namespace

bool Counters::CouldEverCharge(const Candidate& candidate) {
  const std::vector<NamedCounter> named = CountersOf(*candidate.pool);
  const Draw& draw = DrawOf(*Of(*candidate.pool).layout, *candidate.shape);
  return std::ranges::all_of(draw.amounts, [&](const Draw::Amount& amount) {
    return amount.value <= *named[amount.counter].whole;
  });
}

Shortage Counters::ShortageOf(const Candidate& candidate, bool nobody_holds) {
  const std::vector<NamedCounter> named = CountersOf(*candidate.pool);
  const PoolCounters& counters = Of(*candidate.pool);
  const Draw& draw = DrawOf(*counters.layout, *candidate.shape);
  std::optional<Shortage> worst;
  for (const Draw::Amount& amount : draw.amounts) {
    const NamedCounter& counter = named[amount.counter];
    const Quantity& left = nobody_holds ? *counter.whole : counters.left[amount.counter];
    if (amount.value > left && (!worst || PartOf(amount.value, left) < worst->nearness)) {
      worst = ShortCounter(counter, amount.value, left);
    }
  }
  for (std::size_t i = 0; i < named.size() && !worst && !nobody_holds; ++i) {
    if (counters.left[i].Sign() < 0) {
      worst = Overdrawn(named[i], counters.left[i]);
    }
  }
  return worst ? *std::move(worst) : UnfitGroups(counters, draw);
}

Shortage Counters::UnfitGroups(const PoolCounters& counters, const Draw& draw) {
  const auto unfit = std::ranges::find_if(draw.memberships, [&](const Draw::Membership& each) {
    return !counters.groups[each.set].Admits(*each.groups);
  });
  if (unfit == draw.memberships.end()) {
    return {.of_counters = true};
  }
  const std::string& set = counters.layout->sets[unfit->set]->name;
  return {.of_counters = true,
          .counter_set = set,
          .text = fmt::format(
              "what is allocated of counter set {} is in other compatibility groups", set)};
}

bool Search::HasEnoughCapacityEver(const Demand& demand, Place place) {
  const inventory::DeviceShape& shape = *problem_.candidates()[place].shape;
  if (!shape.checks_capacity || (demand.capacity == nullptr && shape.capacity.empty())) {
    return true;
  }
  const Result<Portion>& portion = PortionOf(demand, shape);
  return portion && portion->FitsAlone();
}

bool Search::IsLargeEnough(const Demand& demand, Place place) {
  return HasEnoughCapacityEver(demand, place) &&
         counters_.CouldEverCharge(problem_.candidates()[place]);
}

Shortage Search::ShortageOf(const Demand& demand, Place place, bool nobody_holds) {
  const Candidate& candidate = problem_.candidates()[place];
  const bool partition = !candidate.shape->consumes_counters.empty();
  const bool of_counters =
      partition && (nobody_holds ? !counters_.CouldEverCharge(candidate)
                                 : !IsShared(place) && !counters_.CouldCharge(candidate));
  if (of_counters) {
    return counters_.ShortageOf(candidate, nobody_holds);
  }
  static const Amounts nothing;
  return CapacityShortage(demand.capacity, *candidate.shape, PortionOf(demand, *candidate.shape),
                          nobody_holds ? nothing : HeldOf(place));
}

bool Search::TakeIfFree(std::size_t claim, const Demand& demand, Place place) {
  if (StandingOf(claim, demand, place) != Standing::kFree) {
    return false;
  }
  Taken taken;
  Record({.claim = claim}, demand, place, taken);
  return true;
}

std::optional<Shortage> Search::ShortageTogether(const Demand& demand, Place place) {
  const Result<Portion>& portion = PortionOf(demand, *CandidateAt(place).shape);
  const Share& share = shares_[place];
  std::optional<Shortage> worst;
  const std::size_t amounts = portion ? portion->amounts().size() : 0;
  for (std::size_t i = 0; i < std::min(amounts, share.taken.size()); ++i) {
    Portion::Amount together = portion->amounts()[i];
    together.consumed.Add(share.taken[i]);
    const Quantity left = LeftOf(together, HeldOf(place));
    if (together.consumed > left && (!worst || PartOf(together.consumed, left) < worst->nearness)) {
      worst = {.nearness = PartOf(together.consumed, left),
               .text = fmt::format("{} {} wanted together, {}", *together.capacity,
                                   together.consumed.ToString(), Remainder(left, *together.whole))};
    }
  }
  return worst;
}

}  // namespace quadra::allocator
