// Equality and order of values, with upstream's asymmetries.
//
// Pure; linear in the values.
#pragma once

#include <cstdint>

#include "cel/value.h"

namespace quadra::cel {

// kError stands for "no such overload": a Kubernetes value on the left and something else on the
// right. kTooLong: a tree of shared lists, too large to walk; upstream would walk it for ever.
enum class Equality : std::uint8_t { kNo, kYes, kError, kTooLong };

// What `==` computes of two values that are no errors.
Equality Equal(const Value& left, const Value& right);
// The same without the special case of null, as containers' searches compare.
Equality EqualUnlessNull(const Value& left, const Value& right);

// What the order operators compare: an int -1, 0 or 1, or an error. REQUIRES: IsOrdered(left).
Value Compare(const Value& left, const Value& right);
bool IsOrdered(const Value& value);

// Whether `list` holds something equal to `element`; errors of single comparisons count as no.
bool ListContains(const ListObject& list, const Value& element);

}  // namespace quadra::cel
