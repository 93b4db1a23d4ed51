#include "cli/feature_gates.h"

#include "base/nearest.h"

namespace quadra::cli {
namespace {

std::string GateProblem(const std::string& message) {
  constexpr std::string_view kUnknown = "unrecognized feature gate: ";
  std::string hint;
  if (message.starts_with(kUnknown)) {
    std::vector<std::string_view> known(api::kGateCount);
    for (std::size_t i = 0; i < known.size(); ++i) {
      known[i] = api::GateName(static_cast<api::Gate>(i));
    }
    hint = DidYouMean(message.substr(kUnknown.size()), known);
  }
  return "--feature-gates: " + message + hint;
}

}  // namespace

Result<api::FeatureGates> ReadFeatureGates(const Invocation& invocation) {
  Result<api::FeatureGates> gates =
      api::FeatureGates::Parse(invocation.Value(kFeatureGatesFlag.name));
  if (!gates) {
    return Fail(ErrorKind::kUsage, GateProblem(gates.error().ToString()));
  }
  return gates;
}

}  // namespace quadra::cli
