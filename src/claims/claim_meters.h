// ClaimMeters: the numbers of the claim controller, by Kubernetes 1.37's names or by those of the
// seed documents.
//
// Threads: the controller's loop; what it counts may be printed by any thread, also after it has
// gone.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <string>

#include "api/kinds.h"
#include "base/mutex.h"
#include "claims/controller.h"
#include "metrics/registry.h"

namespace quadra::claims {

class ClaimMeters {
 public:
  // REQUIRES: the registry has no claim controller's numbers yet, and outlives this.
  ClaimMeters(metrics::Registry& registry, MetricsNames names);

  enum class Outcome : std::uint8_t { kSuccess, kFailure };
  void CountCreation(const api::ResourceClaim& claim, Outcome outcome);
  // Of all claims there are.
  void Enter(const api::ResourceClaim& claim) { counts_->Add(LabelsOf(claim), 1); }
  void Leave(const api::ResourceClaim& claim) { counts_->Add(LabelsOf(claim), -1); }

 private:
  // allocated, admin_access, source, prioritized_list
  using Labels = std::array<std::string, 4>;

  class Counts {
   public:
    void Add(const Labels& labels, std::int64_t by);
    // One sample for each combination that there is.
    void ReportAll(const metrics::Report& report) const;
    // One sample: of all, or of those that are allocated.
    void ReportTotal(const metrics::Report& report, bool only_allocated) const;

   private:
    mutable Mutex mutex_;
    std::map<Labels, std::int64_t> claims_ QUADRA_GUARDED_BY(mutex_);
  };

  static Labels LabelsOf(const api::ResourceClaim& claim);
  void RegisterCounts(metrics::Registry& registry, MetricsNames names) const;

  const MetricsNames names_;
  metrics::Family<metrics::Counter>& creations_;
  metrics::Family<metrics::Counter>* failures_ = nullptr;  // with the seed's names
  const std::shared_ptr<Counts> counts_ = std::make_shared<Counts>();
};

}  // namespace quadra::claims
