#include "claims/claim_meters.h"

#include <algorithm>

#include "placement/pod_claims.h"

namespace quadra::claims {
namespace {

constexpr std::string_view kExtendedResourceAnnotation =
    "resource.kubernetes.io/extended-resource-claim";

std::string Truth(bool value) { return value ? "true" : "false"; }

bool HasAdminAccess(const api::ResourceClaim& claim) {
  return std::ranges::any_of(claim.spec.devices.requests, [](const api::DeviceRequest& request) {
    return request.exactly && request.exactly->admin_access.value_or(false);
  });
}

bool HasPrioritizedList(const api::ResourceClaim& claim) {
  return std::ranges::any_of(claim.spec.devices.requests, [](const api::DeviceRequest& request) {
    return !request.first_available.empty();
  });
}

std::string SourceOf(const api::ResourceClaim& claim) {
  const auto& annotations = claim.metadata.annotations;
  const std::string* const extended = annotations.Find(kExtendedResourceAnnotation);
  if (extended != nullptr && *extended == "true") {
    return "extended_resource";
  }
  const std::string* const entry = annotations.Find(placement::kPodClaimAnnotation);
  return entry != nullptr && !entry->empty() ? "resource_claim_template" : "";
}

// The group of an apiVersion; empty for the core.
std::string GroupOf(const std::string& api_version) {
  const std::size_t slash = api_version.find('/');
  return slash == std::string::npos ? "" : api_version.substr(0, slash);
}

metrics::FamilyOptions CreationsOf(MetricsNames names) {
  if (names == MetricsNames::kSeed) {
    return {.name = "resourceclaim_controller_create_total",
            .help = "How many ResourceClaims were asked for on behalf of pods."};
  }
  return {.name = "dynamic_resource_allocation_resourceclaim_creates_total",
          .help = "How many ResourceClaims were asked for, by what became of it.",
          .labels = {"status", "admin_access", "owner_api_group", "owner_api_kind",
                     "prioritized_list"}};
}

}  // namespace

ClaimMeters::ClaimMeters(metrics::Registry& registry, MetricsNames names)
    : names_(names), creations_(registry.Counters(CreationsOf(names))) {
  if (names == MetricsNames::kSeed) {
    failures_ = &registry.Counters({.name = "resourceclaim_controller_create_failures_total",
                                    .help = "How many of them could not be made."});
  }
  RegisterCounts(registry, names);
}

void ClaimMeters::RegisterCounts(metrics::Registry& registry, MetricsNames names) const {
  using metrics::Kind;
  if (names == MetricsNames::k137) {
    registry.Compute(
        {.name = "dynamic_resource_allocation_resource_claims",
         .help = "How many ResourceClaims there are, by whether they are allocated, may look after "
                 "devices of others, and what they were made from.",
         .labels = {"allocated", "admin_access", "source", "prioritized_list"}},
        Kind::kGauge,
        [counts = counts_](const metrics::Report& report) { counts->ReportAll(report); });
    return;
  }
  registry.Compute({.name = "resourceclaim_controller_resource_claims",
                    .help = "How many ResourceClaims there are."},
                   Kind::kGauge, [counts = counts_](const metrics::Report& report) {
                     counts->ReportTotal(report, false);
                   });
  registry.Compute({.name = "resourceclaim_controller_allocated_resource_claims",
                    .help = "How many ResourceClaims are allocated."},
                   Kind::kGauge, [counts = counts_](const metrics::Report& report) {
                     counts->ReportTotal(report, true);
                   });
}

void ClaimMeters::CountCreation(const api::ResourceClaim& claim, Outcome outcome) {
  const bool failed = outcome == Outcome::kFailure;
  if (names_ == MetricsNames::kSeed) {
    creations_.With({}).Add();
    if (failed) {
      failures_->With({}).Add();
    }
    return;
  }
  const api::OwnerReference* const owner = placement::ControllerOf(claim);
  creations_
      .With({failed ? "failure" : "success", Truth(HasAdminAccess(claim)),
             owner == nullptr ? "" : GroupOf(owner->api_version),
             owner == nullptr ? "" : owner->kind, Truth(HasPrioritizedList(claim))})
      .Add();
}

auto ClaimMeters::LabelsOf(const api::ResourceClaim& claim) -> Labels {
  return {Truth(claim.status.allocation.has_value()), Truth(HasAdminAccess(claim)), SourceOf(claim),
          Truth(HasPrioritizedList(claim))};
}

void ClaimMeters::Counts::Add(const Labels& labels, std::int64_t by) {
  MutexLock lock(mutex_);
  const auto entry = claims_.try_emplace(labels, 0).first;
  entry->second += by;
  if (entry->second == 0) {
    claims_.erase(entry);
  }
}

void ClaimMeters::Counts::ReportAll(const metrics::Report& report) const {
  MutexLock lock(mutex_);
  for (const auto& [labels, count] : claims_) {
    report({labels.begin(), labels.end()}, static_cast<double>(count));
  }
}

void ClaimMeters::Counts::ReportTotal(const metrics::Report& report, bool only_allocated) const {
  MutexLock lock(mutex_);
  std::int64_t total = 0;
  for (const auto& [labels, count] : claims_) {
    total += only_allocated && labels[0] != "true" ? 0 : count;
  }
  report({}, static_cast<double>(total));
}

}  // namespace quadra::claims
