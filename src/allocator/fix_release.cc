// Fixes that release what others hold.
#include <algorithm>
#include <set>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "allocator/allocator.h"
#include "allocator/fix_finder.h"
#include "allocator/release.h"

namespace quadra::allocator {
namespace {

constexpr std::size_t kMostHolders = 64;
constexpr std::size_t kMostOfAKind = 3;
// Of one trial, and of all, when the fewest holders are looked for.
constexpr std::uint64_t kReleaseBudget = 10'000;
constexpr std::uint64_t kMostReleaseSteps = 100'000;

Fix ReleaseOf(Fix::Kind kind, std::string text, std::vector<std::string> keys) {
  Fix fix;
  fix.kind = kind;
  fix.text = std::move(text);
  fix.released = std::move(keys);
  return fix;
}

}  // namespace

std::vector<FixFinder::Rival> FixFinder::RivalsOn(const Failure& failure) {
  std::vector<Rival> rivals;
  for (const reasons::Refusal& reason : failure.reasons) {
    for (const auto& [key, devices] : reason.holders) {
      const bool known =
          std::ranges::any_of(rivals, [&](const Rival& rival) { return rival.key == key; });
      if (!known) {
        rivals.push_back({key, &failure, devices});
      }
    }
  }
  return rivals;
}

void FixFinder::TryReleases() {
  const std::size_t not_known = NotKnown();
  std::set<std::string> tried;
  std::size_t found = 0;
  for (const Failure& failure : near_) {
    for (const Rival& rival : RivalsOn(failure)) {
      if (found < kMostOfAKind && tried.size() < kMostHolders && tried.insert(rival.key).second) {
        found += TryRelease(rival) ? 1 : 0;
      }
    }
  }
  if (found > 0 || tried.empty()) {
    return;
  }
  InVain(tried.size() == 1 ? "wait for " + HolderText(*tried.begin()) : "wait for any single claim",
         not_known);
  TryFreeing();
}

bool FixFinder::TryRelease(const Rival& rival) {
  return Confirm(
      ReleaseOf(Fix::Kind::kWait,
                fmt::format("wait for {}, which holds {} device{} on {}", HolderText(rival.key),
                            rival.devices, rival.devices == 1 ? "" : "s",
                            rival.failure->node->node->metadata.name),
                {rival.key}));
}

// A look that is cheaper than the judge's, and bounded: nothing is found once it becomes long.
bool FixFinder::FitsWithout(std::span<const std::string> keys,
                            std::span<const api::ResourceClaim* const> claims,
                            const Failure& failure) {
  if (fixes_.steps > kMostReleaseSteps) {
    return false;
  }
  const inventory::Snapshot trial = Released(cluster_, keys);
  Allocator allocator(trial, claims, verdicts_, {.budget = kReleaseBudget});
  const bool fits = allocator.Try(*failure.node) == Allocator::Fit::kFits;
  fixes_.steps += allocator.steps();
  return fits;
}

// Those that are named first; then whoever else holds anything there, since a request that could
// be met by itself names nobody.
std::vector<std::string> FixFinder::HoldersOn(const Failure& failure) const {
  std::vector<std::string> keys;
  for (const Rival& rival : RivalsOn(failure)) {
    keys.push_back(rival.key);
  }
  for (const std::string& key : HoldersSeenFrom(*failure.node, cluster_)) {
    if (std::ranges::find(keys, key) == keys.end()) {
      keys.push_back(key);
    }
  }
  return keys;
}

// The fewest claims on any of the nodes that the pod may use then.
void FixFinder::TryFreeing() {
  std::vector<Freeing> found;
  for (const Failure& failure : near_) {
    std::vector<std::string> keys = FewestToRelease(
        HoldersOn(failure),
        [&](std::span<const std::string> released) { return FitsWithout(released, failure); });
    if (!keys.empty()) {
      found.push_back({std::move(keys), &failure});
    }
  }
  std::ranges::stable_sort(found, {}, [](const Freeing& each) { return each.keys.size(); });
  const bool confirmed =
      std::ranges::any_of(found, [&](const Freeing& each) { return ConfirmFreeing(each); });
  fixes_.untried += !confirmed && fixes_.steps > kMostReleaseSteps ? 1 : 0;
}

bool FixFinder::ConfirmFreeing(const Freeing& freeing) {
  std::vector<std::string> names;
  names.reserve(freeing.keys.size());
  for (const std::string& key : freeing.keys) {
    names.push_back(HolderText(key));
  }
  return Confirm(
      ReleaseOf(Fix::Kind::kFree,
                fmt::format("free the devices on {} of {}",
                            freeing.where->node->node->metadata.name, fmt::join(names, " and ")),
                freeing.keys));
}

}  // namespace quadra::allocator
