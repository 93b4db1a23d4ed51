// DisruptionBudget: what a PodDisruptionBudget says, as far as preemption heeds it.
//
// Preemption prefers victims whose budgets allow it, and does without where there are none. Pure; read
// once when the object changes.
#pragma once

#include <cstdint>
#include <set>
#include <string>

#include "api/kinds.h"
#include "api/object.h"
#include "scheduler/framework/label_query.h"

namespace quadra::scheduler {

struct DisruptionBudget {
  std::string ns;
  LabelQuery selector;  // nothing where it cannot be read
  std::int64_t allowed = 0;
  std::set<std::string, std::less<>> disrupted;  // names of pods whose end is counted already

  static DisruptionBudget Of(const api::Object& object);

  // Whether the end of the pod would count against it. An empty selector is about no pod.
  bool IsAbout(const api::Pod& pod) const;
};

}  // namespace quadra::scheduler
