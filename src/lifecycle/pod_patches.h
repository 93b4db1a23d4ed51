// Patches of pods' status that several controllers send.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "api/kinds.h"
#include "base/clock.h"
#include "client/role.h"

namespace quadra::lifecycle {

struct ConditionChange {
  std::string_view type;
  std::string_view status;
  std::string_view reason;
  std::string_view message;
  bool of_this_revision = false;  // refused where the pod has changed meanwhile
};

// The change, of this very pod, that gives it the condition; absent where it has it.
std::optional<client::Change> SetCondition(const api::Pod& pod, const ConditionChange& wanted,
                                           Time now);

// The change that makes a pod that is ready, or may be, unready without another reason; absent where
// it is unready, or nobody ever said whether it is ready.
std::optional<client::Change> SetUnready(const api::Pod& pod, Time now);

// What events about it name.
client::ObjectReference ReferenceTo(const api::Pod& pod);

}  // namespace quadra::lifecycle
