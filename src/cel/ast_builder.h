// AstBuilder: appends nodes to an Ast. Children come before their parents.
#pragma once

#include <initializer_list>
#include <span>
#include <string>
#include <string_view>

#include "cel/ast.h"

namespace quadra::cel {

// Names of the operators as functions.
namespace operators {
inline constexpr std::string_view kConditional = "_?_:_";
inline constexpr std::string_view kOr = "_||_";
inline constexpr std::string_view kAnd = "_&&_";
inline constexpr std::string_view kNot = "!_";
inline constexpr std::string_view kNegate = "-_";
inline constexpr std::string_view kEquals = "_==_";
inline constexpr std::string_view kAdd = "_+_";
inline constexpr std::string_view kIndex = "_[_]";
inline constexpr std::string_view kOptionalIndex = "_[?_]";
inline constexpr std::string_view kOptionalSelect = "_?._";
inline constexpr std::string_view kNotStrictlyFalse = "@not_strictly_false";
}  // namespace operators

class AstBuilder {
 public:
  explicit AstBuilder(Ast& ast) : ast_(ast) {}

  NodeId Constant(std::uint32_t position, cel::Constant value);
  NodeId Ident(std::uint32_t position, std::string_view name);
  NodeId Select(std::uint32_t position, NodeId operand, std::string_view field, bool test_only);
  NodeId Call(std::uint32_t position, std::string_view function, std::span<const NodeId> arguments);
  NodeId Call(std::uint32_t position, std::string_view function,
              std::initializer_list<NodeId> arguments) {
    return Call(position, function, std::span(arguments.begin(), arguments.size()));
  }
  // children[0] is the receiver.
  NodeId MemberCall(std::uint32_t position, std::string_view function,
                    std::span<const NodeId> children);
  NodeId List(std::uint32_t position, std::span<const NodeId> elements);
  NodeId Map(std::uint32_t position, std::span<const NodeId> entries);
  struct FieldName {
    std::string_view name;
    std::uint32_t position;
  };
  NodeId Struct(std::uint32_t position, std::string_view type, std::span<const FieldName> fields,
                std::span<const NodeId> values);
  NodeId Fold(std::uint32_t position, const Comprehension& variables, NodeId range, NodeId init,
              NodeId condition, NodeId step, NodeId result);
  void MarkOptional(NodeId node, std::size_t child);

  // The same tree again, at the same positions.
  NodeId Copy(NodeId node);

  std::string_view Keep(std::string text) { return ast_.texts.emplace_front(std::move(text)); }
  // Whether the tree has become larger than any sensible expression makes it.
  bool too_large() const { return ast_.nodes.size() > kLargest; }
  const Ast& ast() const { return ast_; }

 private:
  static constexpr std::size_t kLargest = 1 << 18;

  NodeId Add(NodeKind kind, std::uint32_t position, std::string_view name,
             std::span<const NodeId> children);

  Ast& ast_;
};

}  // namespace quadra::cel
