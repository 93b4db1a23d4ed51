#include "allocator/survey.h"

#include <algorithm>
#include <functional>

namespace quadra::allocator {
namespace {

using Standing = Search::Standing;

bool DrawsOn(const inventory::DeviceShape& shape, const std::string& counter_set) {
  return std::ranges::any_of(shape.consumes_counters, [&](const auto& consumption) {
    return consumption.counter_set == counter_set;
  });
}

// Keeps the nearer one, of equals the first.
void Keep(ShortDevice found, std::optional<ShortDevice>& best) {
  if (!best || found.shortage.nearness > best->shortage.nearness) {
    best = std::move(found);
  }
}

}  // namespace

Survey::Survey(Problem& problem, Search& search, std::size_t claim, const Demand& demand)
    : problem_(problem), search_(search), claim_(claim), demand_(demand) {
  funnel_.after_selectors.assign(demand_.selectors->size(), 0);
  for (Place place = 0; place < problem_.candidates().size(); ++place) {
    ++funnel_.seen;
    if (PassesSelectors(place)) {
      Count(place, search_.StandingOf(claim_, demand_, place));
    }
  }
  funnel_.best_group = BestGroup(left_);
}

// Also counts those that fall at a later selector.
bool Survey::PassesSelectors(Place place) {
  const std::optional<Objection> objection = problem_.ObjectionTo(claim_, demand_, place);
  if (objection && objection->answer == Answer::kError) {
    ++funnel_.errors;
    if (funnel_.first_error.empty()) {
      funnel_.first_error = objection->error;
    }
  }
  const bool by_request = objection && objection->by == Objection::By::kRequest;
  if (objection && !by_request) {
    return false;
  }
  ++funnel_.after_class;
  const std::size_t passed = by_request ? objection->selector : demand_.selectors->size();
  for (std::size_t i = 0; i < passed; ++i) {
    ++funnel_.after_selectors[i];
  }
  return !objection;
}

void Survey::Count(Place place, Standing standing) {
  funnel_.untainted += standing != Standing::kTainted ? 1 : 0;
  funnel_.free += standing > Standing::kBusy ? 1 : 0;
  funnel_.sufficient += standing == Standing::kFree ? 1 : 0;
  if (standing == Standing::kFree || search_.IsLargeEnough(demand_, place)) {
    CountLarge(place, standing);
  } else {
    Keep({problem_.IdOf(place), search_.ShortageOf(demand_, place, true)}, largest_);
  }
}

void Survey::CountLarge(Place place, Standing standing) {
  ++large_enough_;
  untainted_ += standing != Standing::kTainted ? 1 : 0;
  free_ += standing > Standing::kBusy ? 1 : 0;
  const bool tainted = standing == Standing::kTainted;
  free_but_tainted_ += tainted && !problem_.cluster().held().Find(problem_.IdOf(place)) ? 1 : 0;
  unsupported_ += standing == Standing::kUnsupported ? 1 : 0;
  if (standing == Standing::kFree) {
    left_.push_back(place);
  } else if (tainted) {
    tainted_.push_back(place);
  } else if (standing == Standing::kBusy) {
    ++held_;
    busy_.push_back(place);
    NoteHolders(problem_.IdOf(place));
  } else if (standing == Standing::kNoCapacity || standing == Standing::kNoCounters) {
    busy_.push_back(place);
    NoteShort(place);
  }
}

void Survey::NoteShort(Place place) {
  ShortDevice found{problem_.IdOf(place), search_.ShortageOf(demand_, place, false)};
  ++(found.shortage.of_counters ? short_of_counters_ : short_of_capacity_);
  if (found.shortage.of_counters) {
    NoteRivals(*problem_.candidates()[place].pool, found.shortage.counter_set);
  } else {
    NoteHolders(found.id);
  }
  Keep(std::move(found), nearest_);
}

void Survey::NoteHolders(const inventory::DeviceId& device) {
  if (const inventory::HeldDevice* held = problem_.cluster().held().Find(device)) {
    for (const std::string& holder : held->holders) {
      held_by_[holder].insert(device);
    }
  }
}

// Those who hold devices of the pool that draw on the set, published or not.
void Survey::NoteRivals(const inventory::Pool& pool, const std::string& counter_set) {
  if (!rivals_of_.emplace(&pool, counter_set).second) {
    return;
  }
  for (const inventory::SliceList* slices : {&pool.slices, &pool.elsewhere}) {
    for (const auto& slice : *slices) {
      for (std::size_t i = 0; i < slice->devices.size(); ++i) {
        if (DrawsOn(*slice->devices[i].shape, counter_set)) {
          NoteHolders(slice->IdOf(i));
        }
      }
    }
  }
  if (const inventory::Unpublished* unpublished = problem_.cluster().UnpublishedOf(pool)) {
    for (const auto& [name, shape] : *unpublished) {
      if (shape != nullptr && DrawsOn(*shape, counter_set)) {
        NoteHolders({pool.driver, pool.name, name});
      }
    }
  }
}

void Survey::NoteRivalsOfLeft() {
  for (const Place place : left_) {
    const Candidate& candidate = problem_.candidates()[place];
    if (candidate.shape->allow_multiple_allocations) {
      NoteHolders(problem_.IdOf(place));
    }
    for (const auto& consumption : candidate.shape->consumes_counters) {
      NoteRivals(*candidate.pool, consumption.counter_set);
    }
  }
}

std::vector<Place> Survey::LeftAnd(const std::vector<Place>& others) const {
  std::vector<Place> places = left_;
  places.insert(places.end(), others.begin(), others.end());
  return places;
}

std::size_t Survey::BestGroup(const std::vector<Place>& places) {
  std::size_t best = places.size();
  for (const std::size_t i : demand_.constraints) {
    std::vector<const AttributeValues*> present;
    for (const Place place : places) {
      const Result<const AttributeValues*> values = problem_.AttributeOf(demand_, place, i);
      if (values && *values != nullptr) {
        present.push_back(*values);
      }
    }
    const ConstraintKind& kind = *problem_.claims()[claim_].constraints[i].kind;
    best = std::min(best, kind.LargestGroup(present).value_or(best));
  }
  return best;
}

std::vector<std::pair<std::string, std::size_t>> MostFirst(const Survey::HeldBy& held_by) {
  std::vector<std::pair<std::string, std::size_t>> holders;
  holders.reserve(held_by.size());
  for (const auto& [holder, devices] : held_by) {
    holders.emplace_back(holder, devices.size());
  }
  std::ranges::stable_sort(holders, std::greater(), &std::pair<std::string, std::size_t>::second);
  return holders;
}

ValuesFound FindValues(Problem& problem, const Demand& demand, const std::vector<Place>& places,
                       std::size_t constraint) {
  ValuesFound found;
  for (const Place place : places) {
    const Result<const AttributeValues*> values = problem.AttributeOf(demand, place, constraint);
    if (!values || *values == nullptr) {
      ++found.lacking;
      continue;
    }
    for (const ValueId value : (*values)->ids) {
      ++found.devices[problem.TextOf(value)];
    }
  }
  return found;
}

}  // namespace quadra::allocator
