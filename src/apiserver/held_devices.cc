#include "apiserver/held_devices.h"

#include <algorithm>

#include <fmt/format.h>

namespace quadra::apiserver {
namespace {

using api::DeviceRequestAllocationResult;

constexpr std::string_view kClaims = "resource.k8s.io/resourceclaims/";
constexpr std::string_view kTerm = "holds=";

// In the order of their text, none twice.
template <typename Counts>
std::vector<std::string> DevicesOf(const api::ResourceClaim& claim, const Counts& counts) {
  std::vector<std::string> terms;
  if (claim.status.allocation) {
    for (const DeviceRequestAllocationResult& each : claim.status.allocation->devices.results) {
      if (counts(each)) {
        terms.push_back(
            fmt::format("{}device {}/{}/{}", kTerm, each.driver, each.pool, each.device));
      }
    }
  }
  std::ranges::sort(terms);
  terms.erase(std::ranges::unique(terms).begin(), terms.end());
  return terms;
}

bool IsHeld(const DeviceRequestAllocationResult& result) {
  return !result.admin_access.value_or(false);
}

std::vector<std::string> DevicesOf(const api::Object& claim) {
  return DevicesOf(api::ToTyped<api::ResourceClaim>(claim), IsHeld);
}

}  // namespace

std::vector<std::string> TermsOfHeld(std::string_view key, std::string_view json) {
  if (!key.starts_with(kClaims) || json.find(R"("allocation":{)") == std::string_view::npos) {
    return {};
  }
  const auto claim = api::DecodeJson<api::ResourceClaim>(json, api::Strictness::kLenient);
  return claim ? DevicesOf(*claim,
                           [](const DeviceRequestAllocationResult& result) {
                             return IsHeld(result) && !result.share_id;
                           })
               : std::vector<std::string>();
}

std::vector<std::string> TermsOfNewlyHeld(const api::Object& wanted, const api::Object& standing) {
  if (wanted.kind->group != api::kDraGroup || wanted.kind->kind != "ResourceClaim") {
    return {};
  }
  const std::vector<std::string> now = DevicesOf(wanted);
  const std::vector<std::string> before = DevicesOf(standing);
  std::vector<std::string> terms;
  std::ranges::set_difference(now, before, std::back_inserter(terms));
  return terms;
}

std::string_view DeviceOfTerm(std::string_view term) { return term.substr(kTerm.size()); }

}  // namespace quadra::apiserver
