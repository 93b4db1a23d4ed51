// FixFinder: makes candidates for fixes, and asks about each. What is released is in
// fix_release.cc, what changes in a request or its constraints in fix_request.cc, and what takes two
// of these in fix_pair.cc.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "allocator/fix.h"
#include "allocator/smaller_request.h"

namespace quadra::allocator {

// Not thread-safe.
class FixFinder {
 public:
  // All of them must outlive this.
  FixFinder(const inventory::Snapshot& cluster, std::span<const api::ResourceClaim* const> claims,
            std::span<const Failure> failures, Verdicts& verdicts, const Judge& judge);

  // To be tried together with others, where nothing does by itself.
  void KeepAdmission(const Fix& admission) { halves_.push_back({.fix = admission}); }
  Fixes Find();

 private:
  // One request of a claim, or one alternative of it.
  struct DemandPath {
    std::size_t claim = 0;
    std::size_t request = 0;
    std::size_t alternative = 0;
  };
  // A claim that holds what a node would need.
  struct Rival {
    std::string key;
    const Failure* failure;
    std::size_t devices;
  };
  struct Freeing {
    std::vector<std::string> keys;
    const Failure* where = nullptr;
  };

  // What was tried and does not suffice by itself.
  struct Half {
    Fix fix;
    std::optional<std::size_t> request = std::nullopt;  // see Confirm()
  };

  // Calls `edit` with the request or alternative, whichever it is.
  template <typename Claim, typename Edit>
  static void With(Claim& claim, const DemandPath& path, const Edit& edit) {
    auto& request = claim.spec.devices.requests[path.request];
    if (request.exactly) {
      edit(*request.exactly);
    } else {
      edit(request.first_available[path.alternative]);
    }
  }

  // --- Asking.
  // `request`: of the changed claim the one that differs; none where that is a constraint.
  bool Confirm(Fix fix, std::optional<std::size_t> request = std::nullopt);
  bool ConfirmChange(Fix::Kind kind, std::string text, std::size_t claim,
                     api::ResourceClaim changed, std::optional<std::size_t> request = std::nullopt);
  template <typename Edit>
  bool ConfirmEdit(Fix::Kind kind, std::string text, const DemandPath& path, const Edit& edit) {
    api::ResourceClaim changed = *claims_[path.claim];
    With(changed, path, edit);
    return ConfirmChange(kind, std::move(text), path.claim, std::move(changed), path.request);
  }
  // How many of those asked about so far are neither found nor futile.
  std::size_t NotKnown() const;
  // Says that what was tried since NotKnown() was that much is futile; not where part of it is not
  // known.
  void InVain(std::string text, std::size_t not_known_before);

  // --- Wording.
  std::vector<DemandPath> Paths() const;
  // request "gpu", with its claim where there are several.
  std::string NameOf(const DemandPath& path) const;
  std::string HolderText(const std::string& key) const;

  // --- Releases.
  static std::vector<Rival> RivalsOn(const Failure& failure);
  std::vector<std::string> HoldersOn(const Failure& failure) const;
  void TryReleases();
  bool TryRelease(const Rival& rival);
  bool FitsWithout(std::span<const std::string> keys, const Failure& failure) {
    return FitsWithout(keys, claims_, failure);
  }
  bool FitsWithout(std::span<const std::string> keys,
                   std::span<const api::ResourceClaim* const> claims, const Failure& failure);
  void TryFreeing();
  bool ConfirmFreeing(const Freeing& freeing);

  // --- Pairs.
  void KeepHalf(Half half);
  // Where nothing was found, neither here nor there.
  void TryPairs(const Fixes& found);
  void TryHoldersInTheWay();
  static bool CanCombine(const Half& a, const Half& b);
  static Fix Combine(const Half& a, const Half& b);
  bool MayFit(const Fix& fix);

  // --- Changes of a request.
  void TryClasses(const DemandPath& path);
  void TryCounts(const DemandPath& path);
  // Nothing where its class does not exist.
  std::optional<CapacityDemand> CapacityDemandOf(const DemandPath& path) const;
  std::vector<SmallerRequest> SmallerRequestsFor(const DemandPath& path) const;
  void TryCapacities(const DemandPath& path);
  std::vector<api::DeviceTaint> TaintsFor(const DemandPath& path) const;
  bool TryTolerating(const DemandPath& path, std::span<const api::DeviceTaint> taints);
  void TryTolerations(const DemandPath& path);
  void TrySelectors(const DemandPath& path);
  bool TryNames(const DemandPath& path, std::size_t selector, const std::string& text);
  bool TryConstants(const DemandPath& path, std::size_t selector, const std::string& text);
  void TryConstraints();

  const inventory::Snapshot& cluster_;
  std::vector<const api::ResourceClaim*> claims_;
  std::span<const Failure> near_;  // those that come nearest
  Verdicts& verdicts_;
  const Judge& judge_;
  Fixes fixes_;
  std::vector<Half> halves_;
};

}  // namespace quadra::allocator
