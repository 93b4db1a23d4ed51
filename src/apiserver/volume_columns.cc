#include <algorithm>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "apiserver/computed_columns.h"

namespace quadra::apiserver {
namespace {

using json::Value;

bool IsClaim(const RowSource& row) { return row.kind.kind == "PersistentVolumeClaim"; }

// A claim has modes and capacity only once it is bound to a volume.
bool IsUnbound(const RowSource& row) {
  return IsClaim(row) && TextAt(row.object, "spec.volumeName").empty();
}

Cell AccessModes(const RowSource& row) {
  struct Mode {
    std::string_view name, shown;
  };
  constexpr Mode kModes[] = {{"ReadWriteOnce", "RWO"},
                             {"ReadOnlyMany", "ROX"},
                             {"ReadWriteMany", "RWX"},
                             {"ReadWriteOncePod", "RWOP"}};
  if (IsUnbound(row)) {
    return "";
  }
  const std::vector<std::string> modes =
      TextsAt(row.object, IsClaim(row) ? "status.accessModes" : "spec.accessModes");
  std::vector<std::string> shown;
  for (const Mode& mode : kModes) {
    if (std::ranges::find(modes, mode.name) != modes.end()) {
      shown.emplace_back(mode.shown);
    }
  }
  return Joined(shown);
}

Cell ClaimCapacity(const RowSource& row) {
  return IsUnbound(row) ? "" : OrElse(TextAt(row.object, "status.capacity.storage"), "0");
}

Cell VolumeStatus(const RowSource& row) {
  return HasAt(row.object, "metadata.deletionTimestamp") ? "Terminating"
                                                         : TextAt(row.object, "status.phase");
}

Cell ClaimOfVolume(const RowSource& row) {
  const Value& claim = At(row.object, "spec.claimRef");
  return claim.is_null() ? ""
                         : fmt::format("{}/{}", TextAt(claim, "namespace"), TextAt(claim, "name"));
}

// The annotation is the older spelling, and counts first.
Cell StorageClass(const RowSource& row) {
  const Value* const annotation =
      At(row.object, "metadata.annotations").Find("volume.beta.kubernetes.io/storage-class");
  return annotation == nullptr ? TextAt(row.object, "spec.storageClassName")
                               : TextAt(*annotation, "");
}

Cell AttributesClass(const RowSource& row) {
  return HasAt(row.object, "spec.volumeAttributesClassName")
             ? TextAt(row.object, "spec.volumeAttributesClassName")
             : "<unset>";
}

Cell ClassName(const RowSource& row) {
  const std::string name = TextAt(row.object, "metadata.name");
  return !name.empty() && name == row.default_class ? name + " (default)" : name;
}

Cell AllowVolumeExpansion(const RowSource& row) {
  return BoolAt(row.object, "allowVolumeExpansion");
}

Cell AttachRequired(const RowSource& row) {
  return !HasAt(row.object, "spec.attachRequired") || BoolAt(row.object, "spec.attachRequired");
}

Cell TokenRequests(const RowSource& row) {
  return HasAt(row.object, "spec.tokenRequests")
             ? Joined(TextsAt(row.object, "spec.tokenRequests", "audience"))
             : "<unset>";
}

Cell LifecycleModes(const RowSource& row) {
  return OrElse(Joined(TextsAt(row.object, "spec.volumeLifecycleModes")), "<none>");
}

Cell DriverCount(const RowSource& row) {
  return static_cast<std::int64_t>(ItemsAt(row.object, "spec.drivers").size());
}

constexpr ComputedColumn kVolumeColumns[] = {
    {"<access-modes>", AccessModes, "How it may be mounted."},
    {"<claim-capacity>", ClaimCapacity, "How much it holds."},
    {"<volume-status>", VolumeStatus, "Whether it is bound."},
    {"<volume-claim>", ClaimOfVolume, "The claim that has it, as namespace and name."},
    {"<storage-class>", StorageClass, "Its storage class."},
    {"<volume-attributes-class>", AttributesClass, "Its class of volume attributes."},
    {"<storage-class-name>", ClassName, "Its name, and whether it is the default."},
    {"<allow-volume-expansion>", AllowVolumeExpansion, "Whether its volumes may grow."},
    {"<attach-required>", AttachRequired, "Whether volumes must be attached before use."},
    {"<token-requests>", TokenRequests, "Audiences of the tokens that the driver gets."},
    {"<volume-modes>", LifecycleModes, "Kinds of volumes that the driver serves."},
    {"<driver-count>", DriverCount, "How many drivers the node has."},
};

}  // namespace

std::span<const ComputedColumn> VolumeColumns() { return kVolumeColumns; }

}  // namespace quadra::apiserver
