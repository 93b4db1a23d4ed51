// What a PodDisruptionBudget says, and the status that it should have. Pure.
//
//   const Budget budget = Budget::Read(object);
//   QUADRA_TRY(const BudgetCounts counts, budget.CountsFor({.pods = 4, .scale = 5}));
//   const BudgetStatus status = budget.StatusWith(counts, pods, loop.Now());
//   if (!budget.Has(status)) … budget.StatusPatch(status, loop.Now()) …
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <variant>

#include "api/object.h"
#include "apiserver/views.h"
#include "base/clock.h"
#include "base/result.h"
#include "lifecycle/deletion_order.h"

namespace quadra::lifecycle {

using apiserver::PodSelector;

// A number, or a percentage like "30%".
using IntOrPercent = std::variant<std::int64_t, std::string>;

// A percentage is one of `total`, rounded up. Fails where the text is no percentage.
Result<std::int64_t> Scaled(const IntOrPercent& amount, std::int64_t total);

// How many pods there are, and how many their owners want; the latter only where it is needed.
struct PodNumbers {
  std::int64_t pods = 0;
  std::int64_t scale = 0;
};

struct BudgetCounts {
  std::int64_t expected = 0;
  std::int64_t desired_healthy = 0;
  friend bool operator==(const BudgetCounts&, const BudgetCounts&) = default;
};

struct BudgetStatus {
  std::int64_t current_healthy = 0;
  std::int64_t desired_healthy = 0;
  std::int64_t expected_pods = 0;
  std::int64_t disruptions_allowed = 0;
  std::int64_t observed_generation = 0;
  std::map<std::string, Time> disrupted_pods;  // since when they should be gone
  friend bool operator==(const BudgetStatus&, const BudgetStatus&) = default;
};

// A pod that was to be evicted, and whether that is believed any longer.
struct Disrupted {
  std::map<std::string, Time> believed;
  std::vector<PodPointer> not_deleted;  // in spite of what somebody said
  std::optional<Time> look_again;       // when the first of those believed is not any more
};

struct Budget {
  using Pointer = std::shared_ptr<const api::Object>;
  // For so long a pod that was to be evicted counts as gone.
  static constexpr std::chrono::minutes kDeletionTimeout{2};

  static Budget Read(const Pointer& object);

  // Whether what it says depends on how many pods their owners want.
  bool NeedsScale() const;
  Result<BudgetCounts> CountsFor(const PodNumbers& numbers) const;
  Disrupted DisruptedAmong(std::span<const PodPointer> pods, Time now) const;
  BudgetStatus StatusWith(const BudgetCounts& counts, std::span<const PodPointer> pods,
                          const Disrupted& disrupted, Time now) const;

  // Whether its status, conditions included, says that already.
  bool Has(const BudgetStatus& wanted) const;
  // Strategic merge patches of this state of it alone.
  std::string StatusPatch(const BudgetStatus& wanted, Time now) const;
  // Allows nothing, because of `why`; absent where it says so already.
  std::optional<std::string> FailurePatch(const std::string& why, Time now) const;

  Pointer object;
  api::ObjectMeta metadata;
  std::optional<IntOrPercent> min_available;
  std::optional<IntOrPercent> max_unavailable;
  Result<PodSelector> selector;
  BudgetStatus status;
  std::optional<api::Condition> allowed;  // the condition DisruptionAllowed
};

}  // namespace quadra::lifecycle
