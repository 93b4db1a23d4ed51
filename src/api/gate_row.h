// GateRow: what Kubernetes 1.37 says of one feature gate. The rows are written by tools/schemagen.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "api/generated/gate.h"

namespace quadra::api {

enum class Stage : std::uint8_t { kAlpha, kBeta, kGa, kDeprecated };

struct GateRow {
  std::string_view name;
  Stage stage;
  bool on;      // by default
  bool locked;  // to the default
  std::array<std::optional<Gate>, 4> needs = {};
};

// In the order of Gate.
extern const std::array<GateRow, kGateCount> kGateRows;

}  // namespace quadra::api
