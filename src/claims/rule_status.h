// RuleStatus: what a DeviceTaintRule's condition EvictionInProgress says, in upstream's words. Pure.
#pragma once

#include <cstddef>
#include <string>

#include "api/kinds.h"

namespace quadra::claims {

inline constexpr std::string_view kEvictionInProgress = "EvictionInProgress";

struct RuleCounts {
  // Pods that have to go, or would have to if the effect were NoExecute.
  std::size_t pods = 0;
  std::size_t namespaces = 0;
  // What the rule selects; counted where its effect is None.
  std::size_t published_devices = 0;
  std::size_t allocated_devices = 0;
  // Since the controller was started.
  std::size_t evicted = 0;
};

// Without lastTransitionTime.
api::Condition EvictionCondition(const api::DeviceTaintRule& rule, const RuleCounts& counts);

// The one that the rule has; null if there is none.
const api::Condition* FindEvictionCondition(const api::DeviceTaintRule& rule);

// As JSON.
std::string Encoded(const api::Condition& condition);

}  // namespace quadra::claims
