// What a call costs at run time, as upstream's meter charges it.
//
// One function a rule; the row of an overload names its own. Rules that several libraries share are
// here, the others stand in the file of their library. Floating point on purpose: upstream
// multiplies by 0.1 and rounds up, and so do we, in the same order.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "cel/value.h"

namespace quadra::cel {

struct Charge {
  std::uint64_t cost = 0;
  // Upstream's meter panics: an operand is not of the type it insists on. The text it panics with.
  const char* panic = nullptr;
  std::size_t operand = 0;  // whose type it is
};

namespace cost {

Charge One(std::span<const Value> arguments, const Value& result);
Charge Equal(std::span<const Value> arguments, const Value& result);
Charge ShorterText(std::span<const Value> arguments, const Value& result);    // ceil(.1 min(n, m))
Charge ReceiverText(std::span<const Value> arguments, const Value& result);   // ceil(.1 n)
Charge ReceiverTwice(std::span<const Value> arguments, const Value& result);  // ceil(.2 n)
Charge Regex(std::span<const Value> arguments, const Value& result);
Charge Traversal(std::span<const Value> arguments, const Value& result);  // every element

}  // namespace cost

// ceil(.1 size) and ceil(.2 size).
std::uint64_t TextCost(std::uint64_t size);
std::uint64_t TwiceTextCost(std::uint64_t size);
// ceil(.1 (text + 1)) ceil(.25 pattern).
std::uint64_t RegexCost(std::uint64_t text, std::uint64_t pattern);

// What comparing two texts costs, for those who know already whether they are equal.
std::uint64_t TextComparisonCost(std::string_view left, std::string_view right, bool equal);

// The size that upstream's meter sees: code points, bytes, elements; 1 for what has none.
std::uint64_t MeteredSize(const Value& value);
// The same without looking into optionals, as the libraries' own trackers measure.
std::uint64_t PlainSize(const Value& value);

// Go's conversion of a float that does not fit is what the hardware gives.
std::uint64_t TruncateAsGo(double cost);
std::uint64_t SaturatingAdd(std::uint64_t a, std::uint64_t b);
std::uint64_t SaturatingMultiply(std::uint64_t a, std::uint64_t b);

}  // namespace quadra::cel
