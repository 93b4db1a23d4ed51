// What a call costs at run time, by the rule upstream's meter has for its overload.
//
// Floating point on purpose: upstream multiplies by 0.1 and rounds up, and so do we, in the same
// order.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "cel/value.h"

namespace quadra::cel {

enum class CostRule : std::uint8_t {
  kOne,
  kEquals,
  kShorterText,    // ceil(.1 min(n, m))
  kArgumentText,   // ceil(.1 size of argument 1)
  kReceiverText,   // ceil(.1 size of argument 0)
  kReceiverTwice,  // ceil(.2 size of argument 0)
  kResultTwice,    // ceil(.2 size of result)
  kBothTexts,      // ceil(.1 (n + m))
  kProduct,        // ceil(.1 n) ceil(.1 m)
  kRegex,          // ceil(.1 (n + 1)) ceil(.25 m)
  kListSize,       // size of argument 1
  kTraversal,      // a visit to every element
  kContainsIp,
  kContainsIpText,
  kContainsCidr,
  kContainsCidrText,
  kValidate,
  kListResult,  // 11 + size of result
  kFlatten,
  kSelfCompare,      // 11 + 2 n^2, of argument 0
  kSelfCompareKeys,  // the same, of argument 1
  kSets,
  kSetsTwice,
  kAuthorize,
};

// The rule for calls of `function` resolved to `overload`; an empty overload means that it is
// chosen at run time.
CostRule RuleFor(std::string_view function, std::string_view overload);

struct Charge {
  std::uint64_t cost = 0;
  // Upstream's meter panics: an operand is not of the type it insists on. The text it panics with.
  const char* panic = nullptr;
};
Charge CallCost(CostRule rule, std::span<const Value> arguments, const Value& result);

// What comparing two texts costs, for those who know already whether they are equal.
std::uint64_t TextComparisonCost(std::string_view left, std::string_view right, bool equal);

// The size that upstream's meter sees: code points, bytes, elements; 1 for what has none.
std::uint64_t MeteredSize(const Value& value);

}  // namespace quadra::cel
