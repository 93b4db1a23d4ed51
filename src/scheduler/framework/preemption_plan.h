// PreemptionPlan: which pods have to go so that another one fits on a node, and why just these. Pure
// data. Part of scheduler.h.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace quadra::scheduler {

struct PreemptionPlan {
  struct Victim {
    std::string pod;  // namespace/name
    std::int32_t priority = 0;
    std::vector<std::string> devices;  // driver/pool/device, free once all victims are gone
    friend bool operator==(const Victim&, const Victim&) = default;
  };

  std::string node;
  std::vector<Victim> victims;  // most important first
  std::size_t violations = 0;   // victims whose disruption budgets do not allow it
  std::size_t candidates = 0;   // nodes on which ending pods would have helped
  std::string why;              // what set this node apart from the other candidates

  friend bool operator==(const PreemptionPlan&, const PreemptionPlan&) = default;
};

}  // namespace quadra::scheduler
