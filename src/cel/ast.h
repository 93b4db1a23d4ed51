// Ast: a parsed expression, macros expanded, as one flat array of nodes.
//
// Node ids are positions in the array, so that later stages keep what they learn in arrays of their
// own (types, overloads, costs). A node may be the child of two parents where a macro uses its
// operand twice; it is then evaluated and metered under one id, as upstream does. Immutable once
// parsed; threads may share it. Texts point into `texts` or into the source that the Ast owns.
#pragma once

#include <cstdint>
#include <forward_list>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace quadra::cel {

using NodeId = std::uint32_t;
inline constexpr NodeId kNoNode = 0xFFFFFFFF;

enum class NodeKind : std::uint8_t {
  kConstant,
  kIdent,          // name; a leading dot is kept in it (".x")
  kSelect,         // child 0: operand; name: field; `test_only` for has()
  kCall,           // name: function; child 0 is the receiver if `has_receiver`, then the arguments
  kList,           // children: elements
  kMap,            // children: key, value, key, value, ...
  kStruct,         // name: type; children: values; `fields` names them
  kComprehension,  // children: range, init, condition, step, result; see Comprehension
};

// Literals. uint64_t is `1u`; std::monostate is null; Bytes is b"...".
struct Bytes {
  std::string_view text;
  friend bool operator==(const Bytes&, const Bytes&) = default;
};
using Constant = std::variant<std::monostate, bool, std::int64_t, std::uint64_t, double,
                              std::string_view, Bytes>;

// Variables of a fold. `iteration2` is empty in the one-variable form.
struct Comprehension {
  std::string_view iteration;
  std::string_view iteration2;
  std::string_view accumulator;
};

struct Node {
  NodeKind kind = NodeKind::kConstant;
  bool test_only = false;
  bool has_receiver = false;
  std::uint32_t position = 0;     // code points from the start, where upstream locates the node
  std::uint32_t first_child = 0;  // in Ast::links
  std::uint32_t child_count = 0;
  std::uint32_t detail = 0;  // kConstant: in constants; kComprehension: in comprehensions;
                             // kStruct: in field_names and field_positions (one per child)
  std::string_view name;
};

// Entries of lists, maps and structs written with a leading `?`, as positions among the children of
// the node (for a map: of the key).
struct OptionalEntry {
  NodeId node;
  std::uint32_t child;
};

struct Ast {
  std::string source;
  std::vector<Node> nodes;
  std::vector<NodeId> links;
  std::vector<Constant> constants;
  std::vector<Comprehension> comprehensions;
  std::vector<std::string_view> field_names;
  std::vector<std::uint32_t> field_positions;   // of the colons
  std::vector<OptionalEntry> optional_entries;  // sorted by node, then child
  std::forward_list<std::string> texts;         // what escapes and macros made
  NodeId root = kNoNode;

  Ast() = default;
  // Views point into it: it stays where it is.
  Ast(const Ast&) = delete;
  Ast& operator=(const Ast&) = delete;

  std::span<const NodeId> children(NodeId id) const {
    return std::span(links).subspan(nodes[id].first_child, nodes[id].child_count);
  }
  NodeId child(NodeId id, std::size_t n) const { return links[nodes[id].first_child + n]; }
  const Constant& constant(NodeId id) const { return constants[nodes[id].detail]; }
  const Comprehension& comprehension(NodeId id) const { return comprehensions[nodes[id].detail]; }
  bool is_optional(NodeId id, std::size_t child) const;
};

}  // namespace quadra::cel
