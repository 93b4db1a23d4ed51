// Checks literal format texts against the types of their literal arguments.
#include <algorithm>
#include <initializer_list>
#include <string>

#include <fmt/format.h>

#include "base/result.h"
#include "cel/format_clause.h"
#include "cel/validators.h"

namespace quadra::cel {
namespace {

struct Rule {
  std::string_view verbs;
  std::initializer_list<TypeKind> kinds;
  std::string_view refusal;
};

constexpr std::initializer_list<TypeKind> kIntegers = {TypeKind::kInt, TypeKind::kUint};
constexpr std::initializer_list<TypeKind> kReals = {TypeKind::kDouble, TypeKind::kString};
constexpr std::initializer_list<TypeKind> kBits = {TypeKind::kInt, TypeKind::kUint,
                                                   TypeKind::kBool};
constexpr std::initializer_list<TypeKind> kHex = {TypeKind::kInt, TypeKind::kUint,
                                                  TypeKind::kString, TypeKind::kBytes};
constexpr std::initializer_list<TypeKind> kPrintable = {
    TypeKind::kList,   TypeKind::kMap,  TypeKind::kInt,    TypeKind::kUint,
    TypeKind::kDouble, TypeKind::kBool, TypeKind::kString, TypeKind::kTimestamp,
    TypeKind::kBytes,  TypeKind::kType, TypeKind::kNull,   TypeKind::kDuration};

constexpr Rule kRules[] = {
    {"s", kPrintable,
     "string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, types, "
     "durations, and timestamps"},
    {"d", kIntegers, "decimal clause can only be used on integers"},
    {"f", kReals, "fixed-point clause can only be used on doubles"},
    {"e", kReals, "scientific clause can only be used on doubles"},
    {"b", kBits, "only integers and bools can be formatted as binary"},
    {"xX", kHex, "only integers, byte buffers, and strings can be formatted as hex"},
    {"o", kIntegers, "octal clause can only be used on integers"},
};

// REQUIRES: TakeFormatClause knows the verb.
const Rule& RuleOf(char verb) {
  return *std::ranges::find_if(
      kRules, [verb](const Rule& rule) { return rule.verbs.find(verb) != std::string_view::npos; });
}

class FormatCheck {
 public:
  FormatCheck(const CheckedAst& checked, NodeId call, IssueList& issues)
      : checked_(checked), call_(call), list_(checked.ast->child(call, 1)), issues_(issues) {}

  void Run(std::string_view format) {
    std::size_t used = 0;
    while (!format.empty()) {
      const std::size_t percent = std::min(format.find('%'), format.size());
      format.remove_prefix(percent);
      if (format.starts_with("%%")) {
        format.remove_prefix(2);
      } else if (!format.empty()) {
        format.remove_prefix(1);
        if (!CheckClause(format, used++)) {
          return;
        }
      }
    }
    if (const std::size_t given = checked_.ast->nodes[list_].child_count; given > used) {
      Report(call_,
             fmt::format("too many arguments supplied to string.format (expected {}, got {})", used,
                         given));
    }
  }

 private:
  bool Report(NodeId at, std::string message) {
    issues_.Report(checked_.ast->nodes[at].position, std::move(message));
    return false;
  }

  // Whether all is well so far. `rest` starts after the '%'.
  bool CheckClause(std::string_view& rest, std::size_t index) {
    if (rest.empty()) {
      return Report(call_, "unexpected end of string");
    }
    if (index >= checked_.ast->nodes[list_].child_count) {
      return Report(call_, fmt::format("index {} out of range", index));
    }
    const Result<FormatClause> clause = TakeFormatClause(rest);
    if (!clause) {
      return Report(call_, "could not parse formatting clause: " + clause.error().message);
    }
    const Rule& rule = RuleOf(clause->verb);
    const NodeId argument = checked_.ast->child(list_, index);
    const NodeId bad = clause->verb == 's'    ? FindBad(argument, rule)
                       : Fits(argument, rule) ? kNoNode
                                              : argument;
    return bad == kNoNode || Report(bad, fmt::format("error during formatting: {}, was given {}",
                                                     rule.refusal, checked_.types[bad]->name));
  }

  bool Fits(NodeId id, const Rule& rule) const {
    const TypeKind kind = checked_.types[id]->kind;
    return kind == TypeKind::kDyn || std::ranges::find(rule.kinds, kind) != rule.kinds.end();
  }

  // The first part of a literal that does not fit, or kNoNode.
  NodeId FindBad(NodeId id, const Rule& rule) const {
    if (!Fits(id, rule)) {
      return id;
    }
    const NodeKind kind = checked_.ast->nodes[id].kind;
    if (kind == NodeKind::kList || kind == NodeKind::kMap) {
      for (const NodeId child : checked_.ast->children(id)) {
        if (const NodeId bad = FindBad(child, rule); bad != kNoNode) {
          return bad;
        }
      }
    }
    return kNoNode;
  }

  const CheckedAst& checked_;
  NodeId call_;
  NodeId list_;
  IssueList& issues_;
};

}  // namespace

void ValidateFormat(const CheckedAst& checked, NodeId call, IssueList& issues) {
  const Ast& ast = *checked.ast;
  const Node& node = ast.nodes[call];
  if (!node.has_receiver || node.child_count != 2 ||
      ast.nodes[ast.child(call, 0)].kind != NodeKind::kConstant ||
      ast.nodes[ast.child(call, 1)].kind != NodeKind::kList) {
    return;
  }
  if (const auto* const format = std::get_if<std::string_view>(&ast.constant(ast.child(call, 0)))) {
    FormatCheck(checked, call, issues).Run(*format);
  }
}

}  // namespace quadra::cel
