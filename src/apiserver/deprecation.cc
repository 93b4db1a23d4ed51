#include "apiserver/deprecation.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "apiserver/stored_form.h"

namespace quadra::apiserver {
namespace {

// Releases of Kubernetes 1. What is deprecated only later than in the one that we are compatible with
// has no row.
struct DeprecationRow {
  std::string_view version;
  std::string_view kind;
  int deprecated;
  int removed;
};

constexpr auto kDeprecationRows = std::to_array<DeprecationRow>({
    {"v1alpha3", "DeviceTaintRule", 36, 39},
    {"v1beta1", "DeviceClass", 35, 38},
    {"v1beta1", "ResourceClaim", 35, 38},
    {"v1beta1", "ResourceClaimTemplate", 35, 38},
    {"v1beta1", "ResourceSlice", 35, 38},
    {"v1beta2", "DeviceClass", 36, 39},
    {"v1beta2", "ResourceClaim", 36, 39},
    {"v1beta2", "ResourceClaimTemplate", 36, 39},
    {"v1beta2", "ResourceSlice", 36, 39},
});

}  // namespace

std::string DeprecationOf(const api::KindSchema& kind) {
  const auto row = std::ranges::find_if(kDeprecationRows, [&](const DeprecationRow& each) {
    return each.version == kind.version && each.kind == kind.kind;
  });
  if (kind.group != api::kDraGroup || row == kDeprecationRows.end()) {
    return "";
  }
  return fmt::format("{} {} is deprecated in v1.{}+, unavailable in v1.{}+",
                     api::ApiVersionOf(kind), kind.kind, row->deprecated, row->removed);
}

}  // namespace quadra::apiserver
