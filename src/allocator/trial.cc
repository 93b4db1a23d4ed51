#include "allocator/trial.h"

#include <set>
#include <string>

#include "allocator/release.h"

namespace quadra::allocator {
namespace {

constexpr std::uint64_t kBudget = 10'000;

// But for one, unless all of them go.
api::ResourceClaim Relaxed(const api::ResourceClaim& claim, std::optional<std::size_t> constraint) {
  api::ResourceClaim relaxed = claim;
  api::List<api::DeviceConstraint> kept;
  const auto& constraints = claim.spec.devices.constraints;
  for (std::size_t i = 0; i < constraints.size() && constraint; ++i) {
    if (i != *constraint) {
      kept.push_back(constraints[i]);
    }
  }
  relaxed.spec.devices.constraints = std::move(kept);
  return relaxed;
}

api::ResourceClaim Tolerant(const api::ResourceClaim& claim) {
  api::DeviceToleration everything;
  everything.op = "Exists";
  api::ResourceClaim tolerant = claim;
  for (api::DeviceRequest& request : tolerant.spec.devices.requests) {
    if (request.exactly) {
      request.exactly->tolerations.push_back(everything);
    }
    for (api::DeviceSubRequest& alternative : request.first_available) {
      alternative.tolerations.push_back(everything);
    }
  }
  return tolerant;
}

}  // namespace

Trial::Trial(Problem& problem) : problem_(problem) {
  for (const ClaimPlan& plan : problem.claims()) {
    claims_.push_back(plan.claim);
  }
}

Trial::Fit Trial::Try(const inventory::Snapshot& cluster,
                      const std::vector<const api::ResourceClaim*>& claims) {
  Allocator allocator(cluster, claims, problem_.verdicts(),
                      {.strict = problem_.rules().node_fails_pod, .budget = kBudget});
  const Fit fit = allocator.Try(problem_.node());
  steps_ += allocator.steps();
  return fit;
}

Trial::Fit Trial::WithoutHolders() {
  const std::set<std::string> holders = HoldersSeenFrom(problem_.node(), problem_.cluster());
  const std::vector<std::string> keys(holders.begin(), holders.end());
  return keys.empty() ? Fit::kDoesNotFit : Try(Released(problem_.cluster(), keys), claims_);
}

Trial::Fit Trial::TryChanged(const std::vector<api::ResourceClaim>& changed) {
  std::vector<const api::ResourceClaim*> claims;
  claims.reserve(changed.size());
  for (const api::ResourceClaim& claim : changed) {
    claims.push_back(&claim);
  }
  return Try(problem_.cluster(), claims);
}

Trial::Fit Trial::WithoutTaints() {
  std::vector<api::ResourceClaim> tolerant;
  tolerant.reserve(claims_.size());
  for (const api::ResourceClaim* claim : claims_) {
    tolerant.push_back(Tolerant(*claim));
  }
  return TryChanged(tolerant);
}

Trial::Fit Trial::WithoutConstraints() {
  std::vector<api::ResourceClaim> relaxed;
  relaxed.reserve(claims_.size());
  for (const api::ResourceClaim* claim : claims_) {
    relaxed.push_back(Relaxed(*claim, std::nullopt));
  }
  return TryChanged(relaxed);
}

Trial::Fit Trial::WithoutConstraint(std::size_t claim, std::size_t constraint) {
  const api::ResourceClaim relaxed = Relaxed(*claims_[claim], constraint);
  std::vector<const api::ResourceClaim*> claims = claims_;
  claims[claim] = &relaxed;
  return Try(problem_.cluster(), claims);
}

}  // namespace quadra::allocator
