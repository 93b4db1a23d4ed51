// DefaultConstraints: what the arguments of PodTopologySpread say of pods without constraints.
#pragma once

#include "api/kinds.h"
#include "base/result.h"
#include "json/value.h"

namespace quadra::scheduler {

struct DefaultConstraints {
  bool are_systems = true;  // defaultingType System, and no list
  api::List<api::TopologySpreadConstraint> list;

  // Refuses what upstream refuses.
  static Result<DefaultConstraints> Read(const json::Value& args);
};

}  // namespace quadra::scheduler
