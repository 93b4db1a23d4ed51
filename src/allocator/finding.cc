#include "allocator/finding.h"

#include <algorithm>
#include <functional>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "allocator/published_names.h"

namespace quadra::allocator {
namespace {

using inventory::PoolState;
using reasons::Code;
using reasons::Funnel;

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

std::string TextOfNearest(const std::optional<ShortDevice>& device) {
  return device ? "; nearest is " + TextOf(*device) : "";
}

Finding WhyTooLarge(const Survey& survey, std::size_t wanted) {
  return {Code::kTooLarge,
          fmt::format("{} wanted, {} of {} that match are large enough{}", Devices(wanted),
                      survey.large_enough(), survey.funnel().matching(),
                      TextOfNearest(survey.largest()))};
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

// What others leave too little of.
std::string_view ScarceText(const Survey& survey) {
  if (survey.short_of_counters() == 0) {
    return "capacity is left on";
  }
  return survey.short_of_capacity() == 0 ? "shared counters are left for"
                                         : "capacity and shared counters are left for";
}

Finding WhyInsufficient(const Survey& survey, std::size_t wanted) {
  const std::optional<ShortDevice>& nearest = survey.nearest();
  const bool counters = nearest && nearest->shortage.of_counters;
  return {counters ? Code::kCountersBusy : Code::kCapacityBusy,
          fmt::format("{} wanted, {} {} of {}{}", Devices(wanted), ScarceText(survey),
                      survey.left().size(), survey.free(), TextOfNearest(nearest))};
}

}  // namespace

std::string Devices(std::size_t count) {
  return fmt::format("{} device{}", count, count == 1 ? "" : "s");
}

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

std::string TextOf(const ShortDevice& device) {
  return fmt::format("{}: {}", device.id.ToString(), device.shortage.text);
}

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

}  // namespace quadra::allocator
