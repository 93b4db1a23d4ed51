// Match: one expression, one device.
//
// The virtual machine decides; every faster way of asking (bitmaps.h) must agree with it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "api/kinds.h"
#include "base/result.h"
#include "cel/program.h"
#include "selector/expression.h"
#include "selector/facts.h"

namespace quadra::selector {

enum class Verdict : std::uint8_t { kNo = 0, kMatch = 1, kError = 2 };

// Whether a device matches. REQUIRES: the expression compiled as a selector. Takes no lock and
// makes no text, so it suits loops; ask Explain() for the words of an error.
Verdict Decide(const Expression& expression, const cel::Inputs& device, cel::Scratch& scratch);

struct Explanation {
  Verdict verdict = Verdict::kNo;
  std::string error;                  // upstream's words; empty unless kError
  std::optional<std::uint64_t> cost;  // absent when evaluation never began
};
// `poison` is that of the device's facts.
Explanation Explain(const Expression& expression, const std::string& poison,
                    const cel::Inputs& device, cel::Scratch& scratch);

// What a derived attribute computes for a device. REQUIRES: compiled as a derived attribute.
struct Derivation {
  Result<api::DeviceAttribute> value;  // the error's message in upstream's words
  std::optional<std::uint64_t> cost;
};
Derivation Derive(const Expression& expression, const std::string& poison,
                  const cel::Inputs& device, cel::Scratch& scratch);

// `error` with upstream's advice for missing keys, given once; other texts unchanged.
std::string WithAdvice(std::string error);

}  // namespace quadra::selector
