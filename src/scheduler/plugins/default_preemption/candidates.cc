#include "scheduler/plugins/default_preemption/candidates.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <numeric>
#include <utility>

#include <fmt/format.h>

namespace quadra::scheduler {
namespace {

// The nodes whose refusal is due to what is on them now.
std::vector<const NodeInfo*> NodesToTry(const Snapshot& snapshot, const NodeStatuses& statuses) {
  std::vector<const NodeInfo*> nodes;
  std::ranges::copy_if(snapshot.nodes(), std::back_inserter(nodes), [&](const NodeInfo* node) {
    return statuses.Of(node->name()).code() == Code::kUnschedulable;
  });
  return nodes;
}

// Those that violate no budget, and the others; no more of each than are enough.
class CandidateLists {
 public:
  explicit CandidateLists(std::size_t enough) : enough_(enough) {}

  void Add(PreemptionCandidate candidate) {
    auto& list = candidate.violations == 0 ? harmless_ : violating_;
    if (list.size() < enough_) {
      list.push_back(std::move(candidate));
    }
  }
  bool IsEnough() const {
    return !harmless_.empty() && harmless_.size() + violating_.size() >= enough_;
  }
  std::vector<PreemptionCandidate> Take() && {
    std::ranges::move(violating_, std::back_inserter(harmless_));
    return std::move(harmless_);
  }

 private:
  const std::size_t enough_;
  std::vector<PreemptionCandidate> harmless_;
  std::vector<PreemptionCandidate> violating_;
};

// The higher, the better.
using ScoreOfCandidate = std::int64_t (*)(const PreemptionCandidate& candidate);

std::int64_t FewestViolations(const PreemptionCandidate& candidate) {
  return -static_cast<std::int64_t>(candidate.violations);
}

std::int64_t LowestPriority(const PreemptionCandidate& candidate) {
  return -std::int64_t{candidate.victims.front()->priority};
}

// Of many pods the sum is never less than of few of them, also where priorities are negative.
std::int64_t SmallestSum(const PreemptionCandidate& candidate) {
  constexpr std::int64_t kAboveNothing = std::int64_t{std::numeric_limits<std::int32_t>::max()} + 1;
  return -std::accumulate(candidate.victims.begin(), candidate.victims.end(), std::int64_t{0},
                          [](std::int64_t sum, const PodInfoPtr& each) {
                            return sum + each->priority + kAboveNothing;
                          });
}

std::int64_t FewestVictims(const PreemptionCandidate& candidate) {
  return -static_cast<std::int64_t>(candidate.victims.size());
}

std::int64_t LatestStart(const PreemptionCandidate& candidate) {
  return StartOf(candidate.victims.front()->pod).time_since_epoch().count();
}

struct Criterion {
  ScoreOfCandidate score;
  std::string_view why;
};
constexpr std::array kCriteria = {
    Criterion{FewestViolations, "it violates the fewest disruption budgets"},
    Criterion{LowestPriority, "its most important victim has the lowest priority"},
    Criterion{SmallestSum, "the priorities of its victims have the smallest sum"},
    Criterion{FewestVictims, "it has the fewest victims"},
    Criterion{LatestStart, "its most important victims started last"},
};

}  // namespace

Candidates FindCandidates(const Handle& handle, const PreemptionArguments& arguments,
                          const CycleState& state, const PodInfo& pod,
                          const NodeStatuses& statuses) {
  Candidates found;
  const std::vector<const NodeInfo*> nodes = NodesToTry(handle.snapshot, statuses);
  if (nodes.empty()) {
    return found;
  }
  const Budgets budgets = handle.budgets();
  const std::size_t offset = handle.random.Below(nodes.size());
  CandidateLists lists(arguments.EnoughOf(nodes.size()));
  for (std::size_t i = 0; i < nodes.size() && !lists.IsEnough(); ++i) {
    const NodeInfo& node = *nodes[(offset + i) % nodes.size()];
    Victims victims = SelectVictims(handle, state.Clone(), pod, node, budgets);
    if (victims.status.ok() && !victims.pods.empty()) {
      lists.Add({.node = node.name(),
                 .victims = std::move(victims.pods),
                 .violations = victims.violations});
      continue;
    }
    if (victims.status.ok()) {
      victims.status =
          Status(Code::kError,
                 fmt::format("expected at least one victim pod on node \"{}\"", node.name()));
    }
    if (victims.status.code() == Code::kError) {
      found.errors.push_back(victims.status.Message());
    }
    found.refused.nodes.insert_or_assign(node.name(), std::move(victims.status));
  }
  found.list = std::move(lists).Take();
  return found;
}

Pick PickCandidate(std::span<const PreemptionCandidate> candidates) {
  std::vector<std::size_t> best(candidates.size());
  std::iota(best.begin(), best.end(), std::size_t{0});
  if (best.size() == 1) {
    return {.why = "no other node would do"};
  }
  for (const auto& [score, why] : kCriteria) {
    const auto score_at = [&](std::size_t place) { return score(candidates[place]); };
    const std::int64_t most = score_at(std::ranges::max(best, {}, score_at));
    std::erase_if(best, [&](std::size_t place) { return score_at(place) < most; });
    if (best.size() == 1) {
      return {.place = best.front(), .why = why};
    }
  }
  return {.place = best.front(), .why = "it is the first of several as good"};
}

}  // namespace quadra::scheduler
