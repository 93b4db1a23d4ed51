// Reading an expression: text to Ast, Ast to CheckedAst, and what admission estimates it to cost.
// The door to everything that happens before an expression runs (program.h runs it).
//
//   const std::unique_ptr<Environment> environment = KubernetesEnvironment({});
//   ParseOutcome parsed = Parse(*environment, "1 + 1 == 2");
//   CheckOutcome outcome = Check(*environment, std::move(parsed.ast));
//   const CostRange estimate = EstimateCost(*outcome.checked, hints);
//
// A wrong expression is an answer: its issues, with places, in upstream's words. Pure and
// thread-safe: an Environment and a CheckedAst never change once made. Time is linear in the text
// but for what macros multiply, which is bounded; recursion is bounded by the depth that the parser
// admits.
#pragma once

#include <cstdint>
#include <forward_list>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cel/ast.h"
#include "cel/environment.h"
#include "cel/type.h"

namespace quadra::cel {

// What a name or call resolved to. Idents: `name` is the fully qualified variable or type name.
// Enum constants do not occur. Calls: the overloads that remain possible, in declaration order.
//
// The checker rewrites the tree as upstream does: a select chain that is one qualified name becomes
// an ident of that name (with a leading dot where a local variable hides it), and a call of a
// namespaced function (`optional.of(x)`) loses its receiver and gets the full name.
struct Reference {
  std::string_view name;             // empty: no ident reference
  std::uint32_t first_overload = 0;  // in CheckedAst::overload_links
  std::uint32_t overload_count = 0;
};

// What the checker learned about each node of an Ast. Owns the Ast and the types made while
// checking, borrows the Environment, which must outlive it.
struct CheckedAst {
  std::unique_ptr<const Ast> ast;
  const Environment* environment = nullptr;
  TypeArena arena;
  std::vector<Type> types;            // by NodeId; type variables substituted
  std::vector<Reference> references;  // by NodeId
  std::vector<OverloadIndex> overload_links;
  std::forward_list<std::string> texts;

  Type output() const { return types[ast->root]; }
  std::span<const OverloadIndex> overloads(NodeId id) const {
    return std::span(overload_links)
        .subspan(references[id].first_overload, references[id].overload_count);
  }
};

// One complaint. `line` and `column` start at 1 and 0 as upstream counts them in "<input>:1:0".
struct Issue {
  std::uint32_t position = 0;  // code points
  int line = 1;
  int column = 0;
  std::string message;
  bool stands_alone = false;  // a remark about the others, without place
};

// Parsed, or the syntax errors in source order (at least one). Syntax messages are in our own
// words; line and column of the first equal upstream's. Errors without a place (too long, nested
// too deeply) have line and column -1 and come first.
//
// Chains of && and || become the balanced binary trees that upstream's parser builds (the estimate
// walks them); evaluation from left to right is the same as for the flat chain.
struct ParseOutcome {
  std::unique_ptr<Ast> ast;  // null if there are issues
  std::vector<Issue> issues;
};
ParseOutcome Parse(const Environment& environment, std::string_view expression);

// Checked, or the type errors with upstream's texts and order (upstream reports all of them,
// sorted).
struct CheckOutcome {
  std::unique_ptr<CheckedAst> checked;  // null if there are issues
  std::vector<Issue> issues;
};
CheckOutcome Check(const Environment& environment, std::unique_ptr<Ast> ast);

// "ERROR: <input>:1:4: undeclared reference to 'x' (in container '')\n | a + x\n | ....^", joined
// by line breaks, as upstream's Issues.String().
std::string FormatIssues(std::string_view source, const std::vector<Issue>& issues);

// --- The static estimate that admission compares with its limit, number by number as upstream
// computes it, unsound and overflowing where upstream's is. Pure; time linear in the nodes.

struct CostRange {
  std::uint64_t min = 0;
  std::uint64_t max = 0;
};

// What is known about the sizes of variables. `path` starts with the variable's name; "@items",
// "@keys" and "@values" stand for elements.
class SizeHints {
 public:
  virtual ~SizeHints() = default;
  virtual std::optional<CostRange> Size(std::span<const std::string_view> path) const = 0;
};

CostRange EstimateCost(const CheckedAst& checked, const SizeHints& hints);

}  // namespace quadra::cel
