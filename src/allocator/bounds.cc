// The bounds of a search: whether what is left can still succeed.
#include <algorithm>
#include <iterator>
#include <utility>

#include "allocator/matching.h"
#include "allocator/search.h"
#include "base/check.h"

namespace quadra::allocator {

// Looked into once the walk has failed somewhere; until then it costs more than it saves.
bool Search::IsHopeless(const At& at, Place start) {
  return dead_ends_ > 0 && !(problem_.strict() && MayMeetErrors()) && !CouldSucceed(at, start);
}

// Whether upstream might report an error on the way; it must then be walked as upstream walks.
bool Search::MayMeetErrors() {
  if (!may_meet_errors_) {
    may_meet_errors_ = false;
    for (std::size_t c = 0; c < problem_.claims().size(); ++c) {
      for (const Request& request : problem_.claims()[c].requests) {
        for (const Demand& demand : request.alternatives) {
          may_meet_errors_ = *may_meet_errors_ || MayFail(c, demand);
        }
      }
    }
  }
  return *may_meet_errors_;
}

bool Search::HasAttributes(const Demand& demand, Place place) {
  return std::ranges::all_of(demand.constraints, [&](std::size_t i) {
    return problem_.AttributeOf(demand, place, i).has_value();
  });
}

bool Search::MayFail(std::size_t claim, const Demand& demand) {
  if (demand.all && !demand.constraints.empty()) {
    return true;
  }
  for (Place place = 0; place < problem_.candidates().size(); ++place) {
    const Answer answer = problem_.Ask(demand, place);
    if (answer == Answer::kError) {
      return true;
    }
    if (answer == Answer::kYes && (!HasCapacity({.claim = claim}, demand, place, "checking") ||
                                   !HasAttributes(demand, place))) {
      return true;
    }
  }
  return false;
}

Search::Standing Search::StandingOf(std::size_t claim, const Demand& demand, Place place) {
  const Candidate& candidate = problem_.candidates()[place];
  if (problem_.Ask(demand, place) != Answer::kYes) {
    return Standing::kUnwanted;
  }
  if (!IsTolerated(demand, place)) {
    return Standing::kTainted;
  }
  if (IsBlocked({.claim = claim}, demand, place)) {
    return Standing::kBusy;
  }
  if (!candidate.is_supported) {
    return Standing::kUnsupported;
  }
  const bool partition = !candidate.shape->consumes_counters.empty();
  const bool charges = partition && !(AllowsMany(place) && IsShared(place));
  if (charges && !counters_.CouldCharge(candidate)) {
    return Standing::kNoCounters;
  }
  const Result<bool> fits = HasCapacity({.claim = claim}, demand, place, "checking");
  return fits && *fits ? Standing::kFree : Standing::kNoCapacity;
}

// What is not available now will not be before something is put back.
bool Search::IsAvailable(const At& at, const Demand& demand, Place place) {
  return StandingOf(at.claim, demand, place) == Standing::kFree &&
         FitsConstraints(at, demand, place);
}

bool Search::FitsConstraints(const At& at, const Demand& demand, Place place) {
  return std::ranges::all_of(demand.constraints, [&](std::size_t i) {
    const Result<const AttributeValues*> values = problem_.AttributeOf(demand, place, i);
    return values && constraints_[at.claim][i].Admits(*values);
  });
}

// The devices that a demand could still take.
std::vector<Place> Search::Available(const At& at, const Demand& demand, Place start) {
  std::vector<Place> available;
  for (Place place = start; place < problem_.candidates().size(); ++place) {
    if (IsAvailable(at, demand, place)) {
      available.push_back(place);
    }
  }
  return available;
}

std::vector<Search::Need> Search::Needs(const At& at, Place start) {
  std::vector<Need> needs;
  available_by_kind_.clear();
  for (At each = at; each.claim < problem_.claims().size();
       each = {.claim = each.claim + 1, .request = 0}) {
    for (; each.request < problem_.claims()[each.claim].requests.size(); ++each.request) {
      const bool here = each.claim == at.claim && each.request == at.request;
      AddNeed(
          here ? NeedOf(at, start) : NeedOfLater({.claim = each.claim, .request = each.request}),
          here, needs);
    }
  }
  return needs;
}

// Requests of one kind that have to differ in their devices are one need.
void Search::AddNeed(Need need, bool here, std::vector<Need>& needs) const {
  const Request& request = problem_.claims()[need.at.claim].requests[need.at.request];
  need.merges = !here && need.exclusive && !request.has_alternatives &&
                std::ranges::none_of(need.places, [&](Place place) { return AllowsMany(place); });
  const auto same = std::ranges::find_if(needs, [&](const Need& other) {
    return other.merges && need.merges && DemandAt(other.at).kind == DemandAt(need.at).kind;
  });
  if (same != needs.end()) {
    same->count += need.count;
  } else {
    needs.push_back(std::move(need));
  }
}

Search::Need Search::NeedOf(const At& at, Place start) {
  const Demand& demand = DemandAt(at);
  return {.at = at,
          .count = demand.count - at.taken,
          .places = Available(at, demand, start),
          .exclusive = !demand.admin_access};
}

// Demands of one kind are asked once.
const std::vector<Place>& Search::AvailableToKind(const At& at, const Demand& demand) {
  const auto [found, is_new] = available_by_kind_.try_emplace(demand.kind);
  if (is_new) {
    found->second = Available(at, demand, 0);
  }
  return found->second;
}

// Of alternatives the least count, from the devices of any.
Search::Need Search::NeedOfLater(At at) {
  const Request& request = problem_.claims()[at.claim].requests[at.request];
  Need need{.at = at, .count = request.alternatives[0].count, .places = {}, .exclusive = true};
  for (at.alternative = 0; at.alternative < request.alternatives.size(); ++at.alternative) {
    const Demand& demand = request.alternatives[at.alternative];
    need.count = std::min(need.count, demand.count);
    need.exclusive = need.exclusive && !demand.admin_access;
    const std::vector<Place>& places = AvailableToKind(at, demand);
    if (need.places.empty()) {
      need.places = places;
      continue;
    }
    std::vector<Place> all;
    std::ranges::set_union(need.places, places, std::back_inserter(all));
    need.places = std::move(all);
  }
  return need;
}

Matching Search::EmptyMatching() const {
  Matching matching(problem_.candidates().size());
  for (Place place = 0; place < problem_.candidates().size(); ++place) {
    if (AllowsMany(place)) {
      matching.SetShareable(place);
    }
  }
  return matching;
}

bool Search::CanMatch(const std::vector<Need>& needs) const {
  Matching matching = EmptyMatching();
  for (const Need& need : needs) {
    if (need.places.size() < need.count) {
      return false;
    }
    if (need.exclusive) {
      matching.AddDemand(need.count, need.places);
    }
  }
  return matching.IsFeasible();
}

bool Search::CouldSucceed(const At& at, Place start) {
  const std::vector<Need> needs = Needs(at, start);
  work_ += needs.size();
  if (!CanMatch(needs)) {
    return false;
  }
  for (std::size_t claim = at.claim; claim < problem_.claims().size(); ++claim) {
    for (std::size_t i = 0; i < constraints_[claim].size(); ++i) {
      if (!CouldMeet(needs, claim, i)) {
        return false;
      }
    }
  }
  return true;
}

bool Search::CouldMeet(const std::vector<Need>& needs, std::size_t claim, std::size_t constraint) {
  const Constraint& state = constraints_[claim][constraint];
  if (state.rule() == Constraint::Rule::kDistinct) {
    return EnoughValuesDiffer(needs, claim, constraint);
  }
  return !state.empty() || SomeValueCanMatch(needs, claim, constraint);
}

// Of requests with alternatives it is not known which will be taken.
bool Search::Covers(const Need& need, std::size_t claim, std::size_t constraint) const {
  const Request& request = problem_.claims()[need.at.claim].requests[need.at.request];
  return need.at.claim == claim && !request.has_alternatives && need.count > 0 &&
         std::ranges::count(request.alternatives[0].constraints, constraint) > 0;
}

// The attribute is there: a device without it is not available. Null where a list meets the rule
// for scalars, which admits it as the first and compares it with nothing.
const std::vector<ValueId>* Search::OpenValues(const Need& need, Place place,
                                               std::size_t constraint) {
  const Result<const AttributeValues*> values =
      problem_.AttributeOf(DemandAt(need.at), place, constraint);
  QUADRA_CHECK(values && *values != nullptr, "an available device has what constraints compare");
  const bool by_scalars = (*values)->is_list && !problem_.cluster().features().list_attributes;
  return by_scalars ? nullptr : &(*values)->ids;
}

// Whether there is a value of its own for every device that a constraint covers.
bool Search::EnoughValuesDiffer(const std::vector<Need>& needs, std::size_t claim,
                                std::size_t constraint) {
  absl::flat_hash_set<ValueId> open;
  std::size_t wanted = 0;
  for (const Need& need : needs) {
    if (!Covers(need, claim, constraint)) {
      continue;
    }
    wanted += need.count;
    for (const Place place : need.places) {
      const std::vector<ValueId>* values = OpenValues(need, place, constraint);
      if (values == nullptr) {
        return true;
      }
      open.insert(values->begin(), values->end());
    }
  }
  return wanted <= open.size();
}

// How many devices of each covered need have which value: by value, then by need. False where that
// cannot be told.
bool Search::CountValues(const std::vector<Need>& needs, const std::vector<std::size_t>& covered,
                         std::size_t constraint, std::vector<std::uint32_t>& counts) {
  for (std::size_t k = 0; k < covered.size(); ++k) {
    const Need& need = needs[covered[k]];
    for (const Place place : need.places) {
      const std::vector<ValueId>* values = OpenValues(need, place, constraint);
      if (values == nullptr) {
        return false;
      }
      for (const ValueId value : *values) {
        const std::size_t at = value * covered.size() + k;
        counts.resize(std::max(counts.size(), (value + std::size_t{1}) * covered.size()));
        ++counts[at];
      }
    }
  }
  return true;
}

bool Search::CanMatchWith(ValueId value, const std::vector<Need>& needs,
                          const std::vector<std::size_t>& covered, std::size_t constraint) {
  ++work_;
  std::vector<Need> narrowed = needs;
  for (const std::size_t i : covered) {
    std::erase_if(narrowed[i].places, [&](Place place) {
      const std::vector<ValueId>& values = *OpenValues(needs[i], place, constraint);
      return !std::ranges::binary_search(values, value);
    });
  }
  return CanMatch(narrowed);
}

// Whether the devices of all requests that a constraint covers could share one value. Only values
// that leave every such request enough devices are looked into.
bool Search::SomeValueCanMatch(const std::vector<Need>& needs, std::size_t claim,
                               std::size_t constraint) {
  std::vector<std::size_t> covered;
  for (std::size_t i = 0; i < needs.size(); ++i) {
    if (Covers(needs[i], claim, constraint)) {
      covered.push_back(i);
    }
  }
  std::vector<std::uint32_t> counts;
  if (covered.empty() || !CountValues(needs, covered, constraint, counts)) {
    return true;
  }
  for (ValueId value = 0; value < counts.size() / covered.size(); ++value) {
    bool enough = true;
    for (std::size_t k = 0; k < covered.size(); ++k) {
      enough = enough && counts[value * covered.size() + k] >= needs[covered[k]].count;
    }
    if (enough && CanMatchWith(value, needs, covered, constraint)) {
      return true;
    }
  }
  return false;
}

}  // namespace quadra::allocator
