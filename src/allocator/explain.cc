#include "allocator/explain.h"

#include <algorithm>
#include <set>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "allocator/counters.h"
#include "allocator/finding.h"
#include "allocator/survey.h"
#include "allocator/trial.h"

namespace quadra::allocator {
namespace {

using reasons::Code;
using reasons::Funnel;
using Fit = Allocator::Fit;

constexpr std::string_view kOthersHold = "; others hold devices that would";
constexpr std::string_view kOthersDraw = "; others draw on counters of devices that would";
constexpr std::string_view kOthersTake = "; others take capacity of devices that would";
constexpr std::string_view kTaintedWould = "; tainted devices would";

// What others have of the devices that they keep away.
std::pair<Code, std::string_view> WhatOthersHave(const Survey& survey) {
  if (survey.held() > 0) {
    return {Code::kDevicesBusy, kOthersHold};
  }
  return survey.short_of_counters() > 0 ? std::pair(Code::kCountersBusy, kOthersDraw)
                                        : std::pair(Code::kCapacityBusy, kOthersTake);
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
  std::optional<Finding> WhyShort(Surveyed& surveyed) {
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

  // The code is of what keeps those away that would agree.
  static std::pair<Code, std::string_view> WhyNoneAgree(Surveyed& surveyed) {
    if (surveyed.survey.BestGroupIfFree() >= surveyed.wanted) {
      return WhatOthersHave(surveyed.survey);
    }
    return surveyed.survey.BestGroupIfUntainted() >= surveyed.wanted
               ? std::pair(Code::kTainted, kTaintedWould)
               : std::pair(Code::kConstraintUnmet, std::string_view());
  }

  Finding WhyApart(Surveyed& surveyed) {
    std::vector<std::string> texts;
    texts.reserve(surveyed.demand->constraints.size());
    for (const std::size_t i : surveyed.demand->constraints) {
      texts.push_back(
          fmt::format("{} are {}", AttributeOf(surveyed.claim, i), ValuesIn(surveyed, i)));
    }
    const auto [code, besides] = WhyNoneAgree(surveyed);
    return {code,
            fmt::format("{} wanted, at most {} agree; values of {}{}", Devices(surveyed.wanted),
                        surveyed.survey.funnel().best_group, fmt::join(texts, "; of "), besides)};
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
    const bool tainted = if_free != Fit::kFits && AreTaintsToBlame();
    Finding finding = AreConstraintsToBlame() ? WhyConstrained(if_free, tainted)
                      : tainted               ? TooFew(Code::kTainted, "are untainted")
                                              : WhyShortTogether(if_free);
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

  bool AreTaintsToBlame() {
    const bool tainted = std::ranges::any_of(surveyed_, [](const Surveyed& surveyed) {
      return surveyed.survey.untainted() < surveyed.survey.large_enough();
    });
    return tainted && trial_.WithoutTaints() == Fit::kFits;
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

  // The code is of what would have to change: what others hold, what is tainted, or else the
  // constraint.
  Finding WhyConstrained(Fit if_free, bool tainted) {
    std::vector<std::string> texts;
    for (const auto& [claim, constraint] : Culprits()) {
      texts.push_back(fmt::format("{} {}{}",
                                  problem_.claims()[claim].constraints[constraint].kind->Word(),
                                  AttributeOf(claim, constraint), FoundBy(claim, constraint)));
    }
    const Code code = if_free == Fit::kFits ? Code::kDevicesBusy
                      : tainted             ? Code::kTainted
                                            : Code::kConstraintUnmet;
    return {code, fmt::format("no choice of devices meets {}{}", fmt::join(texts, " and "),
                              if_free == Fit::kFits         ? kOthersHold
                              : tainted                     ? kTaintedWould
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

  Finding WhyShortTogether(Fit if_free) {
    if (std::optional<Finding> finding = WhyCapacityShort(if_free)) {
      return *std::move(finding);
    }
    if (std::optional<Finding> finding = WhyCountersShort(if_free)) {
      return *std::move(finding);
    }
    return if_free == Fit::kFits ? TooFew(Code::kDevicesBusy, "are free")
                                 : TooFew(Code::kCountPerNode, "");
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

  // `lacking`: what too few of those that suit are; empty where too few suit at all.
  Finding TooFew(Code code, std::string_view lacking) const {
    std::size_t wanted = 0;
    for (const Surveyed& surveyed : surveyed_) {
      wanted += surveyed.could_be_met ? surveyed.wanted : 0;
    }
    return {code,
            fmt::format("all requests together want {}, too few {}", Devices(wanted),
                        lacking.empty() ? "suit them" : fmt::format("that suit them {}", lacking))};
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
