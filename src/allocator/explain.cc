#include "allocator/explain.h"

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <utility>

#include <fmt/format.h>

namespace quadra::allocator {
namespace {

using inventory::PoolState;
using reasons::Code;
using reasons::Funnel;
using Standing = Search::Standing;

// Counts the devices of one demand through the stages.
class FunnelMaker {
 public:
  FunnelMaker(Problem& problem, Search& search, std::size_t claim, const Demand& demand)
      : problem_(problem), search_(search), claim_(claim), demand_(demand) {}

  Funnel Make() {
    funnel_.after_selectors.assign(demand_.selectors->size(), 0);
    for (Place place = 0; place < problem_.candidates().size(); ++place) {
      ++funnel_.seen;
      if (PassesSelectors(place)) {
        Count(place, search_.StandingOf(claim_, demand_, place));
      }
    }
    funnel_.best_group = BestGroup();
    return std::move(funnel_);
  }

  // Keys of claims that hold what the demand could use, with how many such devices, most first.
  std::vector<std::pair<std::string, std::size_t>> Holders() const {
    std::vector<std::pair<std::string, std::size_t>> holders(holders_.begin(), holders_.end());
    std::ranges::stable_sort(holders, std::greater(), &std::pair<std::string, std::size_t>::second);
    return holders;
  }
  std::size_t counters_short() const { return counters_short_; }
  std::size_t unsupported() const { return unsupported_; }

 private:
  // Also counts those that fall at a later selector.
  bool PassesSelectors(Place place) {
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

  void Count(Place place, Standing standing) {
    funnel_.untainted += standing != Standing::kTainted ? 1 : 0;
    funnel_.free += standing > Standing::kBusy ? 1 : 0;
    funnel_.sufficient += standing == Standing::kFree ? 1 : 0;
    unsupported_ += standing == Standing::kUnsupported ? 1 : 0;
    counters_short_ += standing == Standing::kNoCounters ? 1 : 0;
    if (standing == Standing::kFree) {
      left_.push_back(place);
    } else if (standing == Standing::kBusy || standing == Standing::kNoCapacity) {
      CountHolders(problem_.IdOf(place));
    } else if (standing == Standing::kNoCounters) {
      CountRivals(problem_.candidates()[place]);
    }
  }

  void CountHolders(const inventory::DeviceId& device) {
    if (const inventory::HeldDevice* held = problem_.cluster().held().Find(device)) {
      for (const std::string& holder : held->holders) {
        ++holders_[holder];
      }
    }
  }

  // Those who hold devices of the pool that draw on the same counters.
  void CountRivals(const Candidate& candidate) {
    if (!rivals_of_.insert(candidate.pool).second) {
      return;
    }
    for (const inventory::SliceList* slices :
         {&candidate.pool->slices, &candidate.pool->elsewhere}) {
      for (const auto& slice : *slices) {
        for (std::size_t i = 0; i < slice->devices.size(); ++i) {
          if (!slice->devices[i].shape->consumes_counters.empty()) {
            CountHolders(slice->IdOf(i));
          }
        }
      }
    }
  }

  std::size_t BestGroup() {
    std::size_t best = left_.size();
    const ClaimPlan& claim = problem_.claims()[claim_];
    for (const std::size_t i : demand_.constraints) {
      best = std::min(best, claim.constraints[i].kind->LargestGroup(ValuesLeft(i)).value_or(best));
    }
    return best;
  }

  // Of the devices that have the attribute.
  std::vector<const AttributeValues*> ValuesLeft(std::size_t constraint) {
    std::vector<const AttributeValues*> left;
    for (const Place place : left_) {
      const Result<const AttributeValues*> values =
          problem_.AttributeOf(demand_, place, constraint);
      if (values && *values != nullptr) {
        left.push_back(*values);
      }
    }
    return left;
  }

  Problem& problem_;
  Search& search_;
  std::size_t claim_;
  const Demand& demand_;
  Funnel funnel_;
  std::vector<Place> left_;
  std::map<std::string, std::size_t> holders_;
  std::set<const inventory::Pool*> rivals_of_;  // pools that were counted
  std::size_t counters_short_ = 0;
  std::size_t unsupported_ = 0;
};

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

bool IsOnAnyDevice(const Problem& problem, selector::ColumnId column) {
  return std::ranges::any_of(problem.candidates(), [&](const Candidate& candidate) {
    return !problem.cluster().table().RowInputs(candidate.row).Slot(column).is_absent();
  });
}

// The first attribute or capacity that the selectors read and no device has; empty if there is
// none.
std::string FindUnknown(Problem& problem, const api::List<api::DeviceSelector>& selectors) {
  for (const api::DeviceSelector& each : selectors) {
    const auto expression =
        problem.verdicts().expressions().Get(each.cel ? each.cel->expression : "",
                                             selector::Profile::Stored(), selector::Use::kSelector);
    if (expression->error()) {
      return "";
    }
    for (const cel::SlotIndex slot : expression->program().slots()) {
      const selector::ColumnName& name = problem.cluster().table().columns().NameOf(slot);
      const bool published = name.kind == selector::ColumnKind::kAttribute ||
                             name.kind == selector::ColumnKind::kCapacity;
      if (published && !IsOnAnyDevice(problem, slot)) {
        return fmt::format("{} {}/{}",
                           name.kind == selector::ColumnKind::kAttribute ? "attribute" : "capacity",
                           name.domain, name.id);
      }
    }
  }
  return "";
}

Finding WhyTooFewMatch(Problem& problem, const Demand& demand, const Funnel& funnel,
                       std::size_t wanted) {
  const std::size_t matching = funnel.matching();
  if (matching > 0) {
    return {Code::kCountPerNode,
            fmt::format("{} wanted, {} of {} match", Devices(wanted), matching, funnel.seen)};
  }
  for (const auto* selectors : {&demand.device_class->spec.selectors, demand.selectors}) {
    if (const std::string unknown = FindUnknown(problem, *selectors); !unknown.empty()) {
      return {Code::kAttributeUnknown, fmt::format("a selector reads {}, which none of {} has",
                                                   unknown, Devices(funnel.seen))};
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

// Empty where the demand could be met if it were alone.
std::optional<Finding> WhyShort(Problem& problem, const Demand& demand, const Funnel& funnel,
                                const FunnelMaker& maker, std::size_t wanted) {
  if (funnel.seen == 0) {
    return WhyNothingSeen(problem);
  }
  const std::size_t matching = funnel.matching();
  if (matching < wanted) {
    return WhyTooFewMatch(problem, demand, funnel, wanted);
  }
  if (funnel.untainted < wanted) {
    return Finding{Code::kTainted,
                   fmt::format("{} wanted, {} of {} that match are tainted", Devices(wanted),
                               matching - funnel.untainted, matching)};
  }
  if (funnel.free < wanted) {
    return Finding{Code::kDevicesBusy, fmt::format("{} wanted, {} of {} that match are free",
                                                   Devices(wanted), funnel.free, matching)};
  }
  if (funnel.sufficient + maker.unsupported() < wanted) {
    return maker.counters_short() > 0
               ? Finding{Code::kCountersBusy,
                         fmt::format("{} wanted, shared counters are left for {}", Devices(wanted),
                                     funnel.sufficient)}
               : Finding{Code::kCapacityBusy, fmt::format("{} wanted, capacity is left on {}",
                                                          Devices(wanted), funnel.sufficient)};
  }
  if (funnel.sufficient < wanted) {
    return Finding{Code::kNodeRejects, fmt::format("{} wanted, {} need a feature the node lacks",
                                                   Devices(wanted), maker.unsupported())};
  }
  if (funnel.best_group < wanted) {
    return Finding{Code::kConstraintUnmet,
                   fmt::format("{} wanted, at most {} agree", Devices(wanted), funnel.best_group)};
  }
  return std::nullopt;
}

class Explainer {
 public:
  Explainer(Problem& problem, Search& search) : problem_(problem), search_(search) {}

  std::vector<Refusal> Explain() {
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
    return std::move(reasons_);
  }

 private:
  // Alternatives are told only where none of them could be had.
  void ExplainRequest(std::size_t claim, Request& request) {
    std::vector<Refusal> found;
    for (Demand& demand : request.alternatives) {
      FunnelMaker maker(problem_, search_, claim, demand);
      Funnel funnel = maker.Make();
      const std::size_t wanted = demand.all ? std::max<std::size_t>(demand.count, 1) : demand.count;
      all_wanted_ += wanted;
      std::optional<Finding> finding = WhyShort(problem_, demand, funnel, maker, wanted);
      if (!finding) {
        return;
      }
      found.push_back({.code = finding->code,
                       .claim = problem_.claims()[claim].full_name,
                       .request = demand.QualifiedName(),
                       .message = std::move(finding->message),
                       .wanted = wanted,
                       .funnel = std::move(funnel),
                       .holders = maker.Holders()});
    }
    std::ranges::move(found, std::back_inserter(reasons_));
  }

  void AddUnusablePools() {
    for (Finding& finding : UnusablePools(problem_)) {
      reasons_.push_back({.code = finding.code, .message = std::move(finding.message)});
    }
  }

  // Each request could be met, but not all at once.
  Refusal Together() const {
    const bool constrained = std::ranges::any_of(
        problem_.claims(), [](const ClaimPlan& claim) { return !claim.constraints.empty(); });
    const bool partitions = std::ranges::any_of(problem_.candidates(), [](const Candidate& each) {
      return !each.shape->consumes_counters.empty();
    });
    if (constrained) {
      return {.code = Code::kConstraintUnmet,
              .message = "no choice of devices meets the constraints of all requests at once"};
    }
    if (partitions) {
      return {.code = Code::kCountersBusy,
              .message = "shared counters do not suffice for all requests at once"};
    }
    return {.code = Code::kCountPerNode,
            .message = fmt::format("all requests together want {}, too few suit them",
                                   Devices(all_wanted_))};
  }

  Problem& problem_;
  Search& search_;
  std::size_t all_wanted_ = 0;
  std::vector<Refusal> reasons_;
};

}  // namespace

std::vector<Refusal> Explain(Problem& problem, Search& search) {
  return Explainer(problem, search).Explain();
}

}  // namespace quadra::allocator
