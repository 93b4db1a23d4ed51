// ParseActions: what a parser does with what it recognised: nodes, macros, values of literals, and
// complaints about what is grammatical but wrong. Shared by the parser and by its recovery.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "cel/ast_builder.h"
#include "cel/environment.h"
#include "cel/lexer.h"
#include "cel/macros.h"

namespace quadra::cel {

// A part of the tree, and how many operators, selections and calls lie on its longest path.
struct Part {
  NodeId node = kNoNode;
  std::uint32_t height = 0;
};

struct Complaint {
  std::uint32_t position;
  std::string message;
};

using Nodes = absl::InlinedVector<NodeId, 8>;

// What stands between brackets, braces or parentheses.
struct Elements {
  Nodes nodes;
  absl::InlinedVector<std::size_t, 2> optional;
  std::uint32_t height = 0;

  void Add(Part part);
  void MarkNextOptional() { optional.push_back(nodes.size()); }
};

// Operators between operands; an empty function means that the token is none.
struct BinaryOperator {
  std::string_view function;
  int precedence = 0;
};
std::string_view RelationOf(TokenKind kind);
BinaryOperator ArithmeticOf(TokenKind kind);

class ParseActions {
 public:
  ParseActions(const Options& options, Ast& ast)
      : options_(options), source_(ast.source), builder_(ast) {}

  AstBuilder& builder() { return builder_; }
  std::vector<Complaint>& complaints() { return complaints_; }
  void Complain(std::uint32_t position, std::string message) {
    complaints_.push_back({position, std::move(message)});
  }
  std::string_view Text(const Token& token) const { return token.text(source_); }

  // Stands for what could not be read.
  NodeId Missing(std::uint32_t position) { return builder_.Constant(position, std::monostate()); }
  // REQUIRES: the token is a literal; `negative` only before numbers. `position` is the sign's.
  NodeId Literal(const Token& token, bool negative, std::uint32_t position);
  // The operands of && or ||, as upstream balances them. REQUIRES: one place fewer than terms.
  NodeId Balance(std::string_view function, std::span<const NodeId> terms,
                 std::span<const std::uint32_t> places);
  NodeId Select(const Token& dot, NodeId operand, const Token& name, bool optional);
  // `position` is where the name starts, with its dot if it is `absolute`.
  NodeId Ident(const Token& name, bool absolute, std::uint32_t position);
  // A call or what a macro makes of it. children[0] is the receiver of a member call.
  NodeId GlobalCall(const Token& name, bool absolute, std::uint32_t position, const Token& open,
                    std::span<const NodeId> arguments);
  NodeId MemberCall(const Token& name, const Token& open, std::span<const NodeId> children);
  // Complains if the environment has no optional values. `mark` is what shows them: '?', '.', '['.
  void UseOptional(const Token& mark);
  NodeId Finish(NodeId literal, const Elements& elements);
  std::string_view FieldName(const Token& name);

 private:
  NodeId Expand(const MacroCall& call);
  std::string_view Name(const Token& name, bool absolute, std::uint32_t position);
  NodeId BalanceBetween(std::string_view function, std::span<const NodeId> terms,
                        std::span<const std::uint32_t> places, std::size_t low, std::size_t high);
  cel::Constant Value(const Token& token, bool negative, std::uint32_t position);
  std::uint64_t Digits(std::string_view text, std::uint64_t limit, std::uint32_t position,
                       std::string_view type);
  cel::Constant IntValue(std::string_view text, bool negative, std::uint32_t position);
  cel::Constant DoubleValue(std::string_view text, bool negative, std::uint32_t position);
  std::string_view TextValue(const Token& token, bool bytes);

  const Options& options_;
  std::string_view source_;
  AstBuilder builder_;
  std::vector<Complaint> complaints_;
};

}  // namespace quadra::cel
