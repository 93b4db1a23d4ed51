// Fixes of two changes, where no single one suffices: e.g. one request meets a taint, and what the
// other wants is held.
#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "allocator/fix_finder.h"
#include "base/check.h"

namespace quadra::allocator {
namespace {

constexpr std::size_t kMostAlike = 2;  // of one kind, for one request
constexpr std::size_t kMostHoldersOnNode = 3;
constexpr std::size_t kMostLooks = 128;
constexpr std::size_t kMostPairs = 3;

bool IsRelease(const Fix& fix) { return !fix.released.empty(); }
bool IsAdmission(const Fix& fix) { return fix.kind == Fix::Kind::kAdmitNode; }

std::size_t HeldOn(const Failure& failure, const std::string& key, const inventory::Held& held) {
  return static_cast<std::size_t>(
      std::ranges::count_if(failure.node->candidates, [&](const inventory::Candidate& candidate) {
        const auto* device = held.Find(candidate.slice->IdOf(candidate.index));
        return device != nullptr &&
               std::ranges::find(device->holders, key) != device->holders.end();
      }));
}

}  // namespace

void FixFinder::KeepHalf(Half half) {
  const auto alike = std::ranges::count_if(halves_, [&](const Half& each) {
    return each.fix.kind == half.fix.kind && each.fix.claim == half.fix.claim &&
           each.request == half.request;
  });
  // One claim by itself was waited for before.
  const bool counts = IsRelease(half.fix)
                          ? half.fix.kind == Fix::Kind::kWait || half.fix.released.size() > 1
                          : static_cast<std::size_t>(alike) < kMostAlike;
  if (counts) {
    halves_.push_back(std::move(half));
  }
}

void FixFinder::TryPairs(const Fixes& found) {
  const bool changes =
      std::ranges::any_of(halves_, [](const Half& half) { return !IsRelease(half.fix); });
  if (!fixes_.found.empty() || !found.found.empty() || !changes) {
    return;
  }
  TryHoldersInTheWay();
  std::vector<Half> halves = std::exchange(halves_, {});
  std::ranges::stable_sort(halves, {}, [](const Half& half) { return half.fix.kind; });
  std::size_t looks = 0;
  for (std::size_t i = 0; i < halves.size(); ++i) {
    for (std::size_t j = i + 1; j < halves.size() && looks < kMostLooks; ++j) {
      if (fixes_.found.size() < kMostPairs && CanCombine(halves[i], halves[j])) {
        ++looks;
        if (Fix both = Combine(halves[i], halves[j]); MayFit(both)) {
          Confirm(std::move(both));
        }
      }
    }
  }
}

// Those that no reason names: what they hold is also kept away by something else.
void FixFinder::TryHoldersInTheWay() {
  for (const Failure& failure : near_) {
    std::size_t tried = 0;
    for (const std::string& key : HoldersOn(failure)) {
      const bool known = std::ranges::any_of(halves_, [&](const Half& half) {
        return std::ranges::find(half.fix.released, key) != half.fix.released.end();
      });
      if (!known && tried < kMostHoldersOnNode) {
        ++tried;
        TryRelease({key, &failure, HeldOn(failure, key, cluster_.held())});
      }
    }
  }
}

bool FixFinder::CanCombine(const Half& a, const Half& b) {
  if (IsAdmission(a.fix) || IsAdmission(b.fix)) {
    return IsAdmission(a.fix) != IsAdmission(b.fix);
  }
  if (IsRelease(a.fix) || IsRelease(b.fix)) {
    return IsRelease(a.fix) != IsRelease(b.fix);
  }
  return a.fix.claim != b.fix.claim || a.request != b.request;
}

Fix FixFinder::Combine(const Half& a, const Half& b) {
  if (IsRelease(b.fix) || IsAdmission(a.fix)) {
    return Combine(b, a);
  }
  Fix both = a.fix;
  both.kind = Fix::Kind::kCombine;
  both.text = fmt::format("{}, and {}", a.fix.text, b.fix.text);
  both.besides = IsRelease(a.fix) ? b.fix.text : "";
  if (IsAdmission(b.fix)) {
    both.pod = b.fix.pod;
    both.admitting = b.fix.admitting;
    return both;
  }
  QUADRA_CHECK(b.fix.changed && b.fix.claim, "what is neither changes a claim");
  if (!both.changed) {
    both.claim = b.fix.claim;
    both.changed = b.fix.changed;
  } else if (a.fix.claim != b.fix.claim) {
    both.others.push_back({.claim = *b.fix.claim, .changed = *b.fix.changed});
  } else if (api::DeviceClaim& devices = both.changed->spec.devices; b.request) {
    devices.requests[*b.request] = b.fix.changed->spec.devices.requests[*b.request];
  } else {
    devices.constraints = b.fix.changed->spec.devices.constraints;
  }
  return both;
}

// A look on the nodes that come nearest, cheaper than the judge's.
bool FixFinder::MayFit(const Fix& fix) {
  std::vector<const api::ResourceClaim*> claims = claims_;
  if (fix.claim && fix.changed) {
    claims[*fix.claim] = &*fix.changed;
  }
  for (const Fix::Change& other : fix.others) {
    claims[other.claim] = &other.changed;
  }
  return std::ranges::any_of(
      near_, [&](const Failure& failure) { return FitsWithout(fix.released, claims, failure); });
}

}  // namespace quadra::allocator
