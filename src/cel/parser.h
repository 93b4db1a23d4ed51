// Parser: tokens to an Ast, by recursive descent.
//
// Grammar, precedence, positions and limits are upstream's (cel-go's CEL.g4). Nesting is bounded by
// two counters that fail exactly where upstream's do: how often a rule of the grammar may be inside
// itself (kRuleLimit), and how many operators, selections and calls may lie on one path of the tree
// (kTreeLimit). Recursion therefore is bounded too.
//
// After the first syntax error nothing more is read; what came before it is still judged, because
// upstream reports the earliest complaint first.
#pragma once

#include <cstdint>

namespace quadra::cel {

inline constexpr std::uint32_t kCodePointLimit = 100'000;
inline constexpr std::uint32_t kRuleLimit = 250;
inline constexpr std::uint32_t kTreeLimit = 250;

}  // namespace quadra::cel
