#include "cli/deprecation.h"

#include <array>
#include <string_view>

#include <fmt/format.h>

namespace quadra::cli {
namespace {

// When a version of resource.k8s.io is deprecated and when it goes: minors of Kubernetes 1.
struct Deprecation {
  std::string_view version;
  bool taint_rules;  // of DeviceTaintRule, whose versions came later than those of the other kinds
  int deprecated;
  int removed;
};

constexpr std::array kDeprecations = {
    Deprecation{.version = "v1beta1", .taint_rules = false, .deprecated = 35, .removed = 38},
    Deprecation{.version = "v1beta2", .taint_rules = false, .deprecated = 36, .removed = 39},
    Deprecation{.version = "v1alpha3", .taint_rules = true, .deprecated = 36, .removed = 39},
};

}  // namespace

std::string DeprecationWarning(const api::KindSchema& kind) {
  if (kind.group != "resource.k8s.io") {
    return "";
  }
  for (const Deprecation& row : kDeprecations) {
    if (row.version == kind.version && row.taint_rules == (kind.kind == "DeviceTaintRule")) {
      if (kind.kind == "ResourcePoolStatusRequest") {
        return "";
      }
      return fmt::format("{}/{} {} is deprecated in v1.{}+, unavailable in v1.{}+", kind.group,
                         kind.version, kind.kind, row.deprecated, row.removed);
    }
  }
  return "";
}

}  // namespace quadra::cli
