// Parser: tokens to an Ast, by recursive descent.
//
// Grammar, precedence, positions and limits are upstream's (cel-go's CEL.g4). Nesting is bounded by
// two counters that fail exactly where upstream's do: how often a rule of the grammar may be inside
// itself (kRuleLimit), and how many operators, selections and calls may lie on one path of the tree
// (kTreeLimit). Recursion therefore is bounded too.
//
// The parser stops at the first token that breaks the grammar; what upstream complains about
// besides is for recovery.h.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "cel/lexer.h"

namespace quadra::cel {

inline constexpr std::uint32_t kCodePointLimit = 100'000;
inline constexpr std::uint32_t kRuleLimit = 250;
inline constexpr std::uint32_t kTreeLimit = 250;
inline constexpr std::string_view kRuleLimitWords = "expression recursion limit exceeded: 250";
inline constexpr std::string_view kTreeLimitWords = "max recursion depth exceeded";

// Whether a.b.c{ stands at `cursor`.
bool IsMessageAhead(const std::vector<Token>& tokens, std::size_t cursor);
bool IsLiteral(TokenKind kind);

}  // namespace quadra::cel
