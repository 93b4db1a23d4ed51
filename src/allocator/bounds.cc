// The bounds of a search: whether what is left can still succeed.
#include <algorithm>
#include <iterator>
#include <utility>

#include "allocator/matching.h"
#include "allocator/search.h"
#include "base/check.h"

namespace quadra::allocator {

bool Search::HasHope(const At& at, Place start, Prospect& prospect) {
  if (!met_dead_end_ || MayMeetErrors()) {
    return true;
  }
  // Without hope the walk goes back, and looks again there.
  met_dead_end_ = !CouldSucceed(at, start, prospect);
  return !met_dead_end_;
}

bool Search::MayMeetErrors() {
  if (!may_meet_errors_) {
    MakeRoom();
    may_meet_errors_ = false;
    for (const ClaimPlan& claim : problem_.claims()) {
      for (const Request& request : claim.requests) {
        for (const Demand& demand : request.alternatives) {
          may_meet_errors_ = *may_meet_errors_ || MayFail(demand);
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

bool Search::MayFail(const Demand& demand) {
  if (demand.all && !demand.constraints.empty()) {
    return true;
  }
  for (Place place = 0; place < problem_.candidates().size(); ++place) {
    const Answer answer = problem_.Ask(demand, place);
    if (answer == Answer::kError) {
      return true;
    }
    if (answer == Answer::kYes && (!HasCapacity(demand, place) || !HasAttributes(demand, place))) {
      return true;
    }
  }
  return false;
}

Search::Standing Search::StandingOf(std::size_t claim, const Demand& demand, Place place) {
  const Candidate& candidate = CandidateAt(place);
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
  const Result<bool> fits = HasCapacity(demand, place);
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
    return values && *values != nullptr && constraints_[at.claim][i]->Admits(**values);
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

// A further share of a device does not charge its counters again.
bool Search::CanCharge(const Need& need) {
  std::vector<const Candidate*> charged;
  std::size_t uncharged = 0;
  for (const Place place : need.places) {
    const Candidate& candidate = CandidateAt(place);
    if (candidate.shape->consumes_counters.empty() || (AllowsMany(place) && IsShared(place))) {
      ++uncharged;
    } else {
      charged.push_back(&candidate);
    }
  }
  if (uncharged >= need.count) {
    return true;
  }
  const std::uint64_t before = counters_.bound_steps();
  const std::size_t wanted = need.count - uncharged;
  const bool can = counters_.MostTogether(charged, wanted) >= wanted;
  work_ += counters_.bound_steps() - before;
  return can;
}

bool Search::CouldSucceed(const At& at, Place start, Prospect& prospect) {
  std::vector<Need> needs = Needs(at, start);
  work_ += needs.size();
  if (!CanMatch(needs) ||
      !std::ranges::all_of(needs, [&](const Need& need) { return CanCharge(need); })) {
    return false;
  }
  for (std::size_t claim = at.claim; claim < problem_.claims().size(); ++claim) {
    for (std::size_t i = 0; i < constraints_[claim].size(); ++i) {
      if (!CouldMeet(needs, claim, i)) {
        return false;
      }
    }
  }
  prospect = {.looked = true, .places = std::move(needs.front().places)};
  return true;
}

bool Search::CouldMeet(std::vector<Need>& needs, std::size_t claim, std::size_t constraint) {
  std::vector<std::size_t> covered;
  std::vector<Outlook::Open> open;
  for (std::size_t i = 0; i < needs.size(); ++i) {
    if (Covers(needs[i], claim, constraint)) {
      covered.push_back(i);
      open.push_back(OpenOf(needs[i], constraint));
    }
  }
  const auto could_match = [&](Outlook::Condition condition) {
    return CouldMatch(needs, covered, constraint, condition);
  };
  if (covered.empty()) {
    return true;
  }
  Outlook outlook{.requests = std::move(open), .could_match = could_match};
  const bool could = constraints_[claim][constraint]->CouldMeet(outlook);
  StrikeOut(outlook.requests.front(), needs[covered.front()]);
  return could;
}

void Search::StrikeOut(const Outlook::Open& open, Need& need) {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < open.devices.size(); ++i) {
    if (open.devices[i] != nullptr) {
      need.places[kept++] = need.places[i];
    }
  }
  need.places.resize(kept);
}

// Of requests with alternatives it is not known which will be taken.
bool Search::Covers(const Need& need, std::size_t claim, std::size_t constraint) const {
  const Request& request = problem_.claims()[need.at.claim].requests[need.at.request];
  return need.at.claim == claim && !request.has_alternatives && need.count > 0 &&
         std::ranges::count(request.alternatives[0].constraints, constraint) > 0;
}

// The attribute is there: a device without it is not available.
const AttributeValues& Search::ValuesOf(const Need& need, Place place, std::size_t constraint) {
  const Result<const AttributeValues*> values =
      problem_.AttributeOf(DemandAt(need.at), place, constraint);
  QUADRA_CHECK(values && *values != nullptr, "an available device has what constraints compare");
  return **values;
}

Outlook::Open Search::OpenOf(const Need& need, std::size_t constraint) {
  Outlook::Open open{.count = need.count, .devices = {}};
  open.devices.reserve(need.places.size());
  for (const Place place : need.places) {
    open.devices.push_back(&ValuesOf(need, place, constraint));
  }
  return open;
}

bool Search::CouldMatch(const std::vector<Need>& needs, const std::vector<std::size_t>& covered,
                        std::size_t constraint, Outlook::Condition condition) {
  ++work_;
  std::vector<Need> narrowed = needs;
  for (const std::size_t i : covered) {
    std::erase_if(narrowed[i].places,
                  [&](Place place) { return !condition(ValuesOf(needs[i], place, constraint)); });
  }
  return CanMatch(narrowed);
}

}  // namespace quadra::allocator
