// Macros: calls that the parser replaces by folds, presence tests and the like, exactly as
// upstream does, since positions, costs and messages depend on the result.
//
// Generated nodes stand where the call's opening parenthesis stands. The accumulator of a fold is
// "@result", which no source can spell; cel.bind and the optional macros fold over an empty list
// with the variable "#unused".
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "cel/ast_builder.h"
#include "cel/environment.h"

namespace quadra::cel {

struct MacroCall {
  std::string_view function;
  std::uint32_t position = 0;  // of the opening parenthesis
  NodeId receiver = kNoNode;   // kNoNode for f(x)
  std::span<const NodeId> arguments;
};

struct Expansion {
  NodeId node = kNoNode;  // the replacement; kNoNode after an error
  NodeId error_at = kNoNode;
  std::string error;
};

// Nothing if the call is no macro: then it is an ordinary call.
std::optional<Expansion> ExpandMacro(AstBuilder& builder, const Options& options,
                                     const MacroCall& call);

}  // namespace quadra::cel
