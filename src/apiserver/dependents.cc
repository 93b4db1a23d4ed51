#include "apiserver/dependents.h"

#include <algorithm>
#include <cstdint>
#include <string_view>

namespace quadra::apiserver {
namespace {

constexpr std::string_view kOrphan = "orphan";
constexpr std::string_view kForeground = "foregroundDeletion";

enum class Fate : std::uint8_t { kGoAfterwards, kGoBefore, kStay };

bool IsOfDependents(std::string_view finalizer) {
  return finalizer == kOrphan || finalizer == kForeground;
}

// Both kept their dependents before there was a garbage collector.
Fate DefaultFate(const api::KindSchema& kind) {
  const bool orphans = (kind.group.empty() && kind.kind == "ReplicationController") ||
                       (kind.group == "batch" && kind.kind == "Job");
  return orphans ? Fate::kStay : Fate::kGoAfterwards;
}

Fate FateOf(const api::ObjectMeta& meta, const api::KindSchema& kind,
            const DeleteOptions& options) {
  if (options.orphan_dependents) {
    return *options.orphan_dependents ? Fate::kStay : Fate::kGoAfterwards;
  }
  if (options.propagation) {
    return *options.propagation == "Orphan"       ? Fate::kStay
           : *options.propagation == "Foreground" ? Fate::kGoBefore
                                                  : Fate::kGoAfterwards;
  }
  const auto own = std::ranges::find_if(meta.finalizers, IsOfDependents);
  if (own != meta.finalizers.end()) {
    return *own == kOrphan ? Fate::kStay : Fate::kGoBefore;
  }
  return DefaultFate(kind);
}

bool IsEvent(const api::KindSchema& kind) { return kind.kind == "Event"; }

}  // namespace

api::List<std::string> FinalizersForDeletion(const api::ObjectMeta& meta,
                                             const api::KindSchema& kind,
                                             const DeleteOptions& options) {
  const Fate fate = IsEvent(kind) ? Fate::kGoAfterwards : FateOf(meta, kind, options);
  api::List<std::string> finalizers = meta.finalizers;
  finalizers.EraseIf(IsOfDependents);
  if (fate != Fate::kGoAfterwards) {
    finalizers.push_back(std::string(fate == Fate::kStay ? kOrphan : kForeground));
  }
  return finalizers;
}

}  // namespace quadra::apiserver
