#include "diagnosis/proof.h"

#include <algorithm>
#include <functional>
#include <tuple>
#include <utility>

#include <fmt/format.h>

namespace quadra::diagnosis {
namespace {

using placement::Examination;
using placement::NodeAnswer;
using reasons::Refusal;

std::vector<Holding> HoldingsOf(const Refusal& refusal, const inventory::Held& held) {
  std::vector<Holding> holdings;
  for (const auto& [key, devices] : refusal.holders) {
    if (const inventory::Holder* holder = held.HolderOf(key)) {
      holdings.push_back(
          {.claim = holder->claim, .consumers = holder->consumers, .devices = devices});
    }
  }
  return holdings;
}

NodeFinding FindingOf(const NodeAnswer& answer, const inventory::Held& held) {
  const Refusal& key = placement::KeyReason(answer.refusals);
  return {.name = answer.view->node->metadata.name,
          .refusal = key,
          .fits_otherwise = answer.fits_otherwise,
          .matching = key.funnel.matching(),
          .free = key.funnel.sufficient,
          .holders = HoldingsOf(key, held)};
}

bool IsUndecided(const NodeFinding& finding) {
  return finding.refusal.code == reasons::Code::kUndecided;
}

// Nearest first: what may fit as it is, what would fit otherwise, what came furthest, then who has
// most free.
void SortByNearness(std::vector<NodeFinding>& findings) {
  std::ranges::stable_sort(findings, [](const NodeFinding& a, const NodeFinding& b) {
    return std::tuple(IsUndecided(b), b.fits_otherwise, b.refusal.code, b.free, b.matching) <
           std::tuple(IsUndecided(a), a.fits_otherwise, a.refusal.code, a.free, a.matching);
  });
}

// The funnel of one request, summed over nodes.
class StageCounter {
 public:
  // `constrained`: a constraint wants devices to agree.
  StageCounter(const Refusal& key, bool constrained) : key_(key), constrained_(constrained) {}

  void Add(const NodeAnswer& answer) {
    const auto same = std::ranges::find_if(answer.refusals, [&](const Refusal& refusal) {
      return !key_.request.empty() && refusal.claim == key_.claim &&
             refusal.request == key_.request;
    });
    if (same == answer.refusals.end()) {
      return;
    }
    const reasons::Funnel& funnel = same->funnel;
    std::size_t at = 0;
    Count(at++, "published", funnel.seen);
    Count(at++, "accepted by the class", funnel.after_class);
    for (std::size_t i = 0; i < funnel.after_selectors.size(); ++i) {
      Count(at++, fmt::format("accepted by selector {}", i), funnel.after_selectors[i]);
    }
    Count(at++, "untainted or tolerated", funnel.untainted);
    Count(at++, "free", funnel.free);
    Count(at++, "with capacity and counters left", funnel.sufficient);
    if (constrained_) {
      Count(at++, "agreeing as constraints want", funnel.best_group);
    }
    enough_ += funnel.best_group >= same->wanted ? 1 : 0;
    most_ = std::max(most_, funnel.best_group);
  }

  std::vector<Stage> Take() && {
    if (!stages_.empty()) {
      stages_.push_back(
          {.step = fmt::format("{} on one node", key_.wanted), .devices = most_, .nodes = enough_});
    }
    return std::move(stages_);
  }

 private:
  void Count(std::size_t at, std::string step, std::size_t devices) {
    if (at == stages_.size()) {
      stages_.push_back({.step = std::move(step)});
    }
    stages_[at].devices += devices;
    stages_[at].nodes += devices > 0 ? 1 : 0;
  }

  const Refusal& key_;
  bool constrained_;
  std::vector<Stage> stages_;
  std::size_t enough_ = 0;
  std::size_t most_ = 0;
};

}  // namespace

std::vector<NodeFinding> FindingsOf(const Examination& examined, const inventory::Held& held) {
  std::vector<NodeFinding> findings;
  for (const NodeAnswer& answer : examined.nodes) {
    if (!answer.fits) {
      findings.push_back(FindingOf(answer, held));
    }
  }
  SortByNearness(findings);
  return findings;
}

std::vector<ReasonGroup> GroupsOf(const std::vector<NodeFinding>& findings) {
  std::vector<ReasonGroup> groups;
  for (const NodeFinding& finding : findings) {
    const auto same = std::ranges::find(groups, finding.refusal.code, &ReasonGroup::code);
    if (same != groups.end()) {
      ++same->nodes;
    } else {
      groups.push_back({.code = finding.refusal.code,
                        .nodes = 1,
                        .nearest = finding.name,
                        .message = finding.refusal.message});
    }
  }
  std::ranges::stable_sort(groups, std::greater(), &ReasonGroup::nodes);
  return groups;
}

std::vector<Stage> StagesOf(const Examination& examined, const Refusal& key) {
  const bool constrained = std::ranges::any_of(
      examined.claims, [](const auto& claim) { return !claim.spec.devices.constraints.empty(); });
  StageCounter counter(key, constrained);
  for (const NodeAnswer& answer : examined.nodes) {
    counter.Add(answer);
  }
  return std::move(counter).Take();
}

}  // namespace quadra::diagnosis
