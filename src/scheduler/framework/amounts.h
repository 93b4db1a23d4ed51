// Amounts: what pods ask for and nodes have, as the scheduler counts: cpu in thousandths, the rest as
// whole numbers.
//
// What every pod and node has is a member; everything else is found by its name. A value.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "api/kinds.h"
#include "placement/place.h"

namespace quadra::scheduler {

struct Amounts {
  std::int64_t milli_cpu = 0;
  std::int64_t memory = 0;
  std::int64_t ephemeral_storage = 0;
  std::vector<std::pair<std::string, std::int64_t>> others;  // by name, sorted

  // Resources that are not counted on nodes are left out (placement/pod_requests.h).
  static Amounts Of(const placement::ResourceAmounts& amounts);
  static Amounts Of(const api::ResourceList& list);

  // 0 where there is none.
  std::int64_t Get(std::string_view resource) const;
  std::int64_t* Slot(std::string_view resource);  // made where it is missing
  void Add(const Amounts& more);
  void Subtract(const Amounts& less);
  friend bool operator==(const Amounts&, const Amounts&) = default;
};

}  // namespace quadra::scheduler
