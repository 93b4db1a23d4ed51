#include "allocator/explain.h"

#include <algorithm>
#include <functional>
#include <set>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "allocator/counters.h"
#include "allocator/published_names.h"
#include "allocator/survey.h"
#include "allocator/trial.h"

namespace quadra::allocator {
namespace {

using inventory::PoolState;
using reasons::Code;
using reasons::Funnel;
using Fit = Allocator::Fit;

struct Finding {
  Code code;
  std::string message;
};

std::string Devices(std::size_t count) {
  return fmt::format("{} device{}", count, count == 1 ? "" : "s");
}

// Nothing to choose from.
std::vector<Finding> UnusablePools(const Problem& problem) {
  std::vector<Finding> found;
  for (const inventory::Pool& pool : problem.pools()) {
    if (pool.state == PoolState::kIncomplete) {
      found.push_back({Code::kPoolIncomplete,
                       fmt::format("pool {} is incomplete: {}", pool.ToString(), pool.reason)});
    } else if (pool.state == PoolState::kInvalid) {
      found.push_back({Code::kPoolInvalid,
                       fmt::format("pool {} is invalid: {}", pool.ToString(), pool.reason)});
    }
  }
  return found;
}

Finding WhyNothingSeen(const Problem& problem) {
  const std::vector<Finding> unusable = UnusablePools(problem);
  return unusable.empty() ? Finding{Code::kNoSlices, "no devices are published for the node"}
                          : unusable.front();
}

// The first attribute or capacity that the selectors read and no device has.
std::optional<UnknownName> FindUnknown(Problem& problem,
                                       const api::List<api::DeviceSelector>& selectors) {
  for (const api::DeviceSelector& each : selectors) {
    const auto expression =
        problem.verdicts().expressions().Get(each.cel ? each.cel->expression : "",
                                             selector::Profile::Stored(), selector::Use::kSelector);
    if (expression->error() != nullptr) {
      return std::nullopt;
    }
    const std::vector<UnknownName> unknown = UnknownNames(*expression, problem.cluster().table());
    if (!unknown.empty()) {
      return unknown.front();
    }
  }
  return std::nullopt;
}

Finding WhyTooFewMatch(Problem& problem, const Demand& demand, const Funnel& funnel,
                       std::size_t wanted) {
  const std::size_t matching = funnel.matching();
  if (matching > 0) {
    return {Code::kCountPerNode,
            fmt::format("{} wanted, {} of {} match", Devices(wanted), matching, funnel.seen)};
  }
  for (const auto* selectors : {&demand.device_class->spec.selectors, demand.selectors}) {
    if (const std::optional<UnknownName> unknown = FindUnknown(problem, *selectors)) {
      return {
          Code::kAttributeUnknown,
          fmt::format(
              "a selector reads {}, which no device of the cluster has{}", unknown->ToString(),
              unknown->nearest.empty() ? "" : fmt::format("; did you mean {}?", unknown->nearest))};
    }
  }
  if (funnel.errors > 0) {
    return {Code::kSelectorError, fmt::format("a selector fails on {} of {}: {}", funnel.errors,
                                              Devices(funnel.seen), funnel.first_error)};
  }
  const std::string_view whose = funnel.after_class == 0 ? "the class" : "the request";
  return {Code::kSelectorNoDevice,
          fmt::format("the selectors of {} match none of {}", whose, Devices(funnel.seen))};
}

// "d/p/gpu-0: memory 60Gi wanted, 40Gi of 80Gi left"
std::string TextOf(const ShortDevice& device) {
  return fmt::format("{}: {}", device.id.ToString(), device.shortage.text);
}

std::string Nearest(const std::optional<ShortDevice>& device) {
  return device ? "; nearest is " + TextOf(*device) : "";
}

Finding WhyTooLarge(const Survey& survey, std::size_t wanted) {
  return {Code::kTooLarge, fmt::format("{} wanted, {} of {} that match are large enough{}",
                                       Devices(wanted), survey.large_enough(),
                                       survey.funnel().matching(), Nearest(survey.largest()))};
}

// "2 that match", or of those the ones that could serve.
std::string Eligible(const Survey& survey) {
  return fmt::format(
      "{} that match{}", survey.large_enough(),
      survey.large_enough() < survey.funnel().matching() ? " and are large enough" : "");
}

// What is free but tainted is not busy.
Finding WhyBusy(const Survey& survey, std::size_t wanted) {
  const std::size_t tainted = survey.free_but_tainted();
  return {Code::kDevicesBusy,
          fmt::format("{} wanted, {} of {} are free{}", Devices(wanted), survey.free(),
                      Eligible(survey),
                      tainted == 0 ? ""
                                   : fmt::format(" and not tainted, {} {} free but tainted",
                                                 tainted, tainted == 1 ? "is" : "are"))};
}

Finding WhyInsufficient(const Survey& survey, std::size_t wanted) {
  const std::optional<ShortDevice>& nearest = survey.nearest();
  const bool counters = nearest && nearest->shortage.of_counters;
  return {counters ? Code::kCountersBusy : Code::kCapacityBusy,
          fmt::format("{} wanted, {} {} of {}{}", Devices(wanted),
                      counters ? "shared counters are left for" : "capacity is left on",
                      survey.left().size(), survey.free(), Nearest(nearest))};
}

// Empty where they are had.
std::optional<Finding> WhyNotHad(const Survey& survey, std::size_t wanted) {
  if (survey.large_enough() < wanted) {
    return WhyTooLarge(survey, wanted);
  }
  if (survey.untainted() < wanted) {
    return Finding{Code::kTainted,
                   fmt::format("{} wanted, {} of {} are tainted", Devices(wanted),
                               survey.large_enough() - survey.untainted(), Eligible(survey))};
  }
  if (survey.free() < wanted) {
    return WhyBusy(survey, wanted);
  }
  if (survey.left().size() + survey.unsupported() < wanted) {
    return WhyInsufficient(survey, wanted);
  }
  if (survey.left().size() < wanted) {
    return Finding{Code::kNodeRejects, fmt::format("{} wanted, {} need a feature the node lacks",
                                                   Devices(wanted), survey.unsupported())};
  }
  return std::nullopt;
}

// --- Constraints.

// "a (2), b, and 3 other values; 1 lacks it"
std::string ValuesText(const ValuesFound& found) {
  constexpr std::size_t kMostNamed = 4;
  std::vector<std::pair<std::string, std::size_t>> values(found.devices.begin(),
                                                          found.devices.end());
  std::ranges::stable_sort(values, std::greater(), &std::pair<std::string, std::size_t>::second);
  std::vector<std::string> named;
  for (std::size_t i = 0; i < std::min(values.size(), kMostNamed); ++i) {
    named.push_back(values[i].second == 1
                        ? values[i].first
                        : fmt::format("{} ({})", values[i].first, values[i].second));
  }
  if (values.size() > kMostNamed) {
    named.push_back(fmt::format("and {} more", values.size() - kMostNamed));
  }
  if (found.lacking > 0) {
    named.push_back(fmt::format("{} without it", Devices(found.lacking)));
  }
  return named.empty() ? "nothing" : fmt::format("{}", fmt::join(named, ", "));
}

class Explainer {
 public:
  Explainer(Problem& problem, Search& search)
      : problem_(problem), search_(search), trial_(problem) {}

  Explanation Explain() {
    for (std::size_t c = 0; c < problem_.claims().size(); ++c) {
      for (Request& request : problem_.claims()[c].requests) {
        ExplainRequest(c, request);
      }
    }
    if (reasons_.empty()) {
      reasons_.push_back(Together());
    }
    if (!problem_.candidates().empty()) {
      AddUnusablePools();
    }
    return {.reasons = std::move(reasons_), .steps = trial_.steps()};
  }

 private:
  struct Surveyed {
    std::size_t claim;
    const Demand* demand;
    std::size_t wanted;
    Survey survey;
    bool could_be_met = false;  // by itself
  };

  // Alternatives are told only where none of them could be had.
  void ExplainRequest(std::size_t claim, Request& request) {
    std::vector<Refusal> found;
    for (Demand& demand : request.alternatives) {
      const std::size_t wanted = demand.all ? std::max<std::size_t>(demand.count, 1) : demand.count;
      Surveyed& surveyed = surveyed_.emplace_back(
          Surveyed{claim, &demand, wanted, Survey(problem_, search_, claim, demand)});
      std::optional<Finding> finding = WhyShort(surveyed);
      if (!finding) {
        surveyed.could_be_met = true;
        return;
      }
      found.push_back({.code = finding->code,
                       .claim = problem_.claims()[claim].full_name,
                       .request = demand.QualifiedName(),
                       .message = std::move(finding->message),
                       .wanted = wanted,
                       .funnel = surveyed.survey.funnel(),
                       .holders = MostFirst(surveyed.survey.held_by())});
    }
    std::ranges::move(found, std::back_inserter(reasons_));
  }

  // Empty where the demand could be met if it were alone.
  std::optional<Finding> WhyShort(const Surveyed& surveyed) {
    const Funnel& funnel = surveyed.survey.funnel();
    if (funnel.seen == 0) {
      return WhyNothingSeen(problem_);
    }
    if (funnel.matching() < surveyed.wanted) {
      return WhyTooFewMatch(problem_, *surveyed.demand, funnel, surveyed.wanted);
    }
    if (std::optional<Finding> finding = WhyNotHad(surveyed.survey, surveyed.wanted)) {
      return finding;
    }
    return funnel.best_group < surveyed.wanted ? std::optional(WhyApart(surveyed)) : std::nullopt;
  }

  Finding WhyApart(const Surveyed& surveyed) {
    std::vector<std::string> texts;
    texts.reserve(surveyed.demand->constraints.size());
    for (const std::size_t i : surveyed.demand->constraints) {
      texts.push_back(
          fmt::format("{} are {}", AttributeOf(surveyed.claim, i), ValuesIn(surveyed, i)));
    }
    return {Code::kConstraintUnmet,
            fmt::format("{} wanted, at most {} agree; values of {}", Devices(surveyed.wanted),
                        surveyed.survey.funnel().best_group, fmt::join(texts, "; of "))};
  }

  const std::string& AttributeOf(std::size_t claim, std::size_t constraint) const {
    return *problem_.claims()[claim].constraints[constraint].attribute;
  }

  std::string ValuesIn(const Surveyed& surveyed, std::size_t constraint) {
    return ValuesText(FindValues(problem_, *surveyed.demand, surveyed.survey.left(), constraint));
  }

  void AddUnusablePools() {
    for (Finding& finding : UnusablePools(problem_)) {
      reasons_.push_back({.code = finding.code, .message = std::move(finding.message)});
    }
  }

  // --- Each request could be met, but not all at once.

  Refusal Together() {
    const Fit if_free = trial_.WithoutHolders();
    Finding finding = AreConstraintsToBlame()
                          ? WhyConstrained(if_free)
                          : WhyShortTogether(if_free).value_or(WhyTooFew(if_free));
    Refusal refusal{
        .code = finding.code,
        .claim = problem_.claims().size() == 1 ? problem_.claims()[0].full_name : "",
        .message = std::move(finding.message),
        .holders = MostFirst(if_free == Fit::kDoesNotFit ? Survey::HeldBy() : AllHeld())};
    if (surveyed_.size() == 1) {
      BlameOnlyRequest(refusal);
    }
    return refusal;
  }

  // Each of its devices could be had, but not so many of them.
  void BlameOnlyRequest(Refusal& refusal) const {
    const Surveyed& only = surveyed_.front();
    refusal.request = only.demand->QualifiedName();
    refusal.wanted = only.wanted;
    refusal.funnel = only.survey.funnel();
    refusal.funnel.best_group = std::min(refusal.funnel.best_group, only.wanted - 1);
    refusal.message = fmt::format("{} wanted, {}", Devices(only.wanted), refusal.message);
  }

  Survey::HeldBy AllHeld() {
    Survey::HeldBy all;
    for (Surveyed& surveyed : surveyed_) {
      surveyed.survey.NoteRivalsOfLeft();
      for (const auto& [holder, devices] : surveyed.survey.held_by()) {
        all[holder].insert(devices.begin(), devices.end());
      }
    }
    return all;
  }

  bool AreConstraintsToBlame() {
    const bool constrained = std::ranges::any_of(
        problem_.claims(), [](const ClaimPlan& claim) { return !claim.constraints.empty(); });
    return constrained && trial_.WithoutConstraints() != Fit::kDoesNotFit;
  }

  // Those that alone are to blame; where none is, all.
  std::vector<std::pair<std::size_t, std::size_t>> Culprits() {
    std::vector<std::pair<std::size_t, std::size_t>> all;
    std::vector<std::pair<std::size_t, std::size_t>> culprits;
    for (std::size_t c = 0; c < problem_.claims().size(); ++c) {
      for (std::size_t i = 0; i < problem_.claims()[c].constraints.size(); ++i) {
        all.emplace_back(c, i);
        if (trial_.WithoutConstraint(c, i) == Fit::kFits) {
          culprits.emplace_back(c, i);
        }
      }
    }
    return culprits.empty() ? all : culprits;
  }

  Finding WhyConstrained(Fit if_free) {
    std::vector<std::string> texts;
    for (const auto& [claim, constraint] : Culprits()) {
      texts.push_back(fmt::format("{} {}{}",
                                  problem_.claims()[claim].constraints[constraint].kind->Word(),
                                  AttributeOf(claim, constraint), FoundBy(claim, constraint)));
    }
    return {Code::kConstraintUnmet,
            fmt::format("no choice of devices meets {}{}", fmt::join(texts, " and "),
                        if_free == Fit::kFits         ? "; others hold devices that would"
                        : if_free == Fit::kDoesNotFit ? ", nor would one if nothing were held"
                                                      : "")};
  }

  // ", where gpu finds a, b and nic finds c"
  std::string FoundBy(std::size_t claim, std::size_t constraint) {
    std::vector<std::string> texts;
    for (const Surveyed& surveyed : surveyed_) {
      if (surveyed.claim == claim &&
          std::ranges::count(surveyed.demand->constraints, constraint) > 0) {
        texts.push_back(fmt::format("{} finds {}", surveyed.demand->QualifiedName(),
                                    ValuesIn(surveyed, constraint)));
      }
    }
    return texts.empty() ? "" : fmt::format(": {}", fmt::join(texts, "; "));
  }

  std::optional<Finding> WhyShortTogether(Fit if_free) {
    std::optional<Finding> finding = WhyCapacityShort(if_free);
    return finding ? std::move(finding) : WhyCountersShort(if_free);
  }

  // What is short of a shared device once devices were taken in their order for as long as that
  // goes; nothing where none of those that are left is shared.
  std::optional<Finding> WhyCapacityShort(Fit if_free) {
    std::optional<ShortDevice> nearest;
    for (const Surveyed& surveyed : surveyed_) {
      const std::vector<Place> refused =
          surveyed.could_be_met ? TakeShares(surveyed) : std::vector<Place>();
      if (!refused.empty()) {
        nearest = NearestTogether(surveyed, refused);
        break;
      }
    }
    search_.Reset();
    return nearest ? std::optional(Finding{
                         if_free == Fit::kDoesNotFit ? Code::kTooLarge : Code::kCapacityBusy,
                         fmt::format("capacity does not suffice for all at once; nearest is {}",
                                     TextOf(*nearest))})
                   : std::nullopt;
  }

  // As many as it wants; where fewer are left, those that could not be taken.
  std::vector<Place> TakeShares(const Surveyed& surveyed) {
    std::size_t taken = 0;
    std::vector<Place> refused;
    for (const Place place : surveyed.survey.left()) {
      if (taken == surveyed.wanted) {
        return {};
      }
      if (search_.TakeIfFree(surveyed.claim, *surveyed.demand, place)) {
        ++taken;
      } else {
        refused.push_back(place);
      }
    }
    return taken == surveyed.wanted ? std::vector<Place>() : refused;
  }

  std::optional<ShortDevice> NearestTogether(const Surveyed& surveyed,
                                             const std::vector<Place>& places) {
    std::optional<ShortDevice> nearest;
    for (const Place place : places) {
      std::optional<Shortage> shortage = search_.ShortageTogether(*surveyed.demand, place);
      if (shortage && (!nearest || shortage->nearness > nearest->shortage.nearness)) {
        nearest = {problem_.IdOf(place), *std::move(shortage)};
      }
    }
    return nearest;
  }

  // What is short once devices were taken in their order for as long as that goes; nothing where
  // they run out before the counters do.
  std::optional<Finding> WhyCountersShort(Fit if_free) {
    Counters counters(problem_);
    std::set<Place> taken;
    for (const Surveyed& surveyed : surveyed_) {
      if (surveyed.could_be_met && !TakeInOrder(surveyed, counters, taken)) {
        const std::optional<ShortDevice> next = FirstUncharged(surveyed, taken, counters);
        return next ? std::optional(CountersShort(if_free, taken.size(), *next)) : std::nullopt;
      }
    }
    return std::nullopt;
  }

  static Finding CountersShort(Fit if_free, std::size_t taken, const ShortDevice& next) {
    return {if_free == Fit::kDoesNotFit ? Code::kTooLarge : Code::kCountersBusy,
            fmt::format("shared counters do not suffice for all at once; after the first {} in "
                        "order the next is {}",
                        taken, TextOf(next))};
  }

  // As many as the counters let have, and are wanted. False where these are fewer.
  bool TakeInOrder(const Surveyed& surveyed, Counters& counters, std::set<Place>& taken) const {
    const std::size_t enough = taken.size() + surveyed.wanted;
    for (const Place place : surveyed.survey.left()) {
      const bool open = taken.size() < enough && !taken.contains(place);
      if (open && counters.Charge(problem_.candidates()[place])) {
        taken.insert(place);
      }
    }
    return taken.size() >= enough;
  }

  std::optional<ShortDevice> FirstUncharged(const Surveyed& surveyed, const std::set<Place>& taken,
                                            Counters& counters) const {
    const auto next = std::ranges::find_if(surveyed.survey.left(),
                                           [&](Place place) { return !taken.contains(place); });
    return next == surveyed.survey.left().end()
               ? std::nullopt
               : std::optional(
                     ShortDevice{problem_.IdOf(*next),
                                 counters.ShortageOf(problem_.candidates()[*next], false)});
  }

  Finding WhyTooFew(Fit if_free) const {
    std::size_t wanted = 0;
    for (const Surveyed& surveyed : surveyed_) {
      wanted += surveyed.could_be_met ? surveyed.wanted : 0;
    }
    return if_free == Fit::kFits
               ? Finding{Code::kDevicesBusy,
                         fmt::format("all requests together want {}, too few that suit them are "
                                     "free",
                                     Devices(wanted))}
               : Finding{Code::kCountPerNode,
                         fmt::format("all requests together want {}, too few suit them",
                                     Devices(wanted))};
  }

  Problem& problem_;
  Search& search_;
  Trial trial_;
  std::vector<Surveyed> surveyed_;
  std::vector<Refusal> reasons_;
};

}  // namespace

Explanation Explain(Problem& problem, Search& search) {
  return Explainer(problem, search).Explain();
}

}  // namespace quadra::allocator
