#include "cel/ast_builder.h"

#include <algorithm>
#include <tuple>
#include <utility>
#include <vector>

namespace quadra::cel {
namespace {

bool Before(const OptionalEntry& a, const OptionalEntry& b) {
  return std::tie(a.node, a.child) < std::tie(b.node, b.child);
}

}  // namespace

bool Ast::is_optional(NodeId id, std::size_t child) const {
  return !optional_entries.empty() &&
         std::ranges::binary_search(optional_entries,
                                    OptionalEntry{id, static_cast<std::uint32_t>(child)}, Before);
}

NodeId AstBuilder::Add(NodeKind kind, std::uint32_t position, std::string_view name,
                       std::span<const NodeId> children) {
  const auto id = static_cast<NodeId>(ast_.nodes.size());
  ast_.nodes.push_back({.kind = kind,
                        .position = position,
                        .first_child = static_cast<std::uint32_t>(ast_.links.size()),
                        .child_count = static_cast<std::uint32_t>(children.size()),
                        .name = name});
  ast_.links.insert(ast_.links.end(), children.begin(), children.end());
  return id;
}

NodeId AstBuilder::Constant(std::uint32_t position, cel::Constant value) {
  const NodeId id = Add(NodeKind::kConstant, position, {}, {});
  ast_.nodes[id].detail = static_cast<std::uint32_t>(ast_.constants.size());
  ast_.constants.push_back(value);
  return id;
}

NodeId AstBuilder::Ident(std::uint32_t position, std::string_view name) {
  return Add(NodeKind::kIdent, position, name, {});
}

NodeId AstBuilder::Select(std::uint32_t position, NodeId operand, std::string_view field,
                          bool test_only) {
  const NodeId id = Add(NodeKind::kSelect, position, field, {&operand, 1});
  ast_.nodes[id].test_only = test_only;
  return id;
}

NodeId AstBuilder::Call(std::uint32_t position, std::string_view function,
                        std::span<const NodeId> arguments) {
  return Add(NodeKind::kCall, position, function, arguments);
}

NodeId AstBuilder::MemberCall(std::uint32_t position, std::string_view function,
                              std::span<const NodeId> children) {
  const NodeId id = Add(NodeKind::kCall, position, function, children);
  ast_.nodes[id].has_receiver = true;
  return id;
}

NodeId AstBuilder::List(std::uint32_t position, std::span<const NodeId> elements) {
  return Add(NodeKind::kList, position, {}, elements);
}

NodeId AstBuilder::Map(std::uint32_t position, std::span<const NodeId> entries) {
  return Add(NodeKind::kMap, position, {}, entries);
}

NodeId AstBuilder::Struct(std::uint32_t position, std::string_view type,
                          std::span<const FieldName> fields, std::span<const NodeId> values) {
  const NodeId id = Add(NodeKind::kStruct, position, type, values);
  ast_.nodes[id].detail = static_cast<std::uint32_t>(ast_.field_names.size());
  for (const FieldName& field : fields) {
    ast_.field_names.push_back(field.name);
    ast_.field_positions.push_back(field.position);
  }
  return id;
}

NodeId AstBuilder::Fold(std::uint32_t position, const Comprehension& variables, NodeId range,
                        NodeId init, NodeId condition, NodeId step, NodeId result) {
  const NodeId children[] = {range, init, condition, step, result};
  const NodeId id = Add(NodeKind::kComprehension, position, {}, children);
  ast_.nodes[id].detail = static_cast<std::uint32_t>(ast_.comprehensions.size());
  ast_.comprehensions.push_back(variables);
  return id;
}

void AstBuilder::MarkOptional(NodeId node, std::size_t child) {
  const OptionalEntry entry{node, static_cast<std::uint32_t>(child)};
  ast_.optional_entries.insert(std::ranges::upper_bound(ast_.optional_entries, entry, Before),
                               entry);
}

NodeId AstBuilder::Copy(NodeId node) {
  if (too_large()) {
    return node;
  }
  const Node original = ast_.nodes[node];
  std::vector<NodeId> children(ast_.children(node).begin(), ast_.children(node).end());
  for (NodeId& child : children) {
    child = Copy(child);
  }
  const NodeId id = Add(original.kind, original.position, original.name, children);
  Node& copy = ast_.nodes[id];
  copy.test_only = original.test_only;
  copy.has_receiver = original.has_receiver;
  copy.detail = original.detail;
  for (std::size_t i = 0; i < children.size(); ++i) {
    if (ast_.is_optional(node, i)) {
      MarkOptional(id, i);
    }
  }
  return id;
}

}  // namespace quadra::cel
