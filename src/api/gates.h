// FeatureGates: which features of Kubernetes 1.37 are on, as --feature-gates of kube-apiserver sets
// them.
//
// Known are all gates of the server, so that what it starts with is accepted here; only those of
// dynamic resource allocation, and what it shares with pods, change a judgement. A value type: copy
// it, change it before use, then share it read-only.
//
//   QUADRA_TRY(const FeatureGates gates, FeatureGates::Parse("DRADeviceTaints=false"));
//   if (gates.Enabled(Gate::kDRADeviceTaints)) ...
#pragma once

#include <bitset>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "api/generated/gate.h"
#include "base/result.h"

namespace quadra::api {

struct GateRow;

// As switches on the command line are written: strconv.ParseBool's spellings.
std::optional<bool> ParseBool(std::string_view text);

std::string_view GateName(Gate gate);
// As metrics spell it: ALPHA, BETA, DEPRECATED, or nothing where it is generally available.
std::string_view GateStage(Gate gate);

class FeatureGates {
 public:
  // The defaults of 1.37.
  FeatureGates();

  // "A=true,B=false" on top of the defaults, checked as a whole: errors are kube-apiserver's, e.g.
  // `unrecognized feature gate: X`, or about gates that need others which are off. AllAlpha and
  // AllBeta set all gates of that stage that are not named themselves; AllAlpha alone is refused by
  // the server, since alpha gates need beta ones.
  static Result<FeatureGates> Parse(std::string_view text);

  bool Enabled(Gate gate) const { return enabled_.test(static_cast<std::size_t>(gate)); }

  // Refuses unknown gates and values other than the default for locked ones. Dependencies are not
  // looked at, so that gates may be set in any order; see CheckDependencies.
  Status Set(std::string_view name, bool on);

  // Fails when gates are on that need others which are off, and names all of them.
  Status CheckDependencies() const;

 private:
  // The names of the gates that `row` needs and that are off.
  std::string MissingFor(const GateRow& row) const;

  std::bitset<kGateCount> enabled_;
};

}  // namespace quadra::api
