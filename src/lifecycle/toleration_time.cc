#include "lifecycle/toleration_time.h"

#include <algorithm>

#include "placement/place.h"

namespace quadra::lifecycle {

api::List<api::Taint> NoExecuteTaints(const api::List<api::Taint>& taints) {
  api::List<api::Taint> result;
  for (const api::Taint& taint : taints) {
    if (taint.effect == "NoExecute") {
      result.push_back(taint);
    }
  }
  return result;
}

std::optional<std::chrono::seconds> ToleratedFor(const api::List<api::Taint>& taints,
                                                 const api::List<api::Toleration>& tolerations,
                                                 bool comparisons) {
  std::optional<std::chrono::seconds> least;
  for (const api::Taint& taint : taints) {
    const auto* const used = std::ranges::find_if(tolerations, [&](const api::Toleration& one) {
      return placement::Tolerates({one}, taint, comparisons);
    });
    if (used == tolerations.end()) {
      return std::chrono::seconds(0);
    }
    if (used->toleration_seconds) {
      const std::chrono::seconds time(std::max<std::int64_t>(*used->toleration_seconds, 0));
      least = least ? std::min(*least, time) : time;
    }
  }
  return least;
}

}  // namespace quadra::lifecycle
