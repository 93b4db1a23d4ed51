#include "cel/validators.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include <fmt/format.h>

#include "cel/go_regex.h"
#include "cel/timestamp.h"

namespace quadra::cel {
namespace {

// Where upstream's compiler crashes on an optional element of unknown type.
constexpr std::string_view kUnknownOptional =
    "an optional element whose type is not known cannot be part of a literal";

// Compares the types of elements with the first one's.
class Homogeneity {
 public:
  Homogeneity(const CheckedAst& checked, IssueList& issues) : checked_(checked), issues_(issues) {}

  void Run() { Visit(checked_.ast->root); }

 private:
  const Ast& ast() const { return *checked_.ast; }

  // Whatever is below a call of format() may be mixed.
  void Visit(NodeId id) {
    const Node& node = ast().nodes[id];
    if (node.kind == NodeKind::kCall && node.name == "format") {
      return;
    }
    if (node.kind == NodeKind::kList) {
      CheckList(id);
    } else if (node.kind == NodeKind::kMap) {
      CheckMap(id);
    }
    for (const NodeId child : ast().children(id)) {
      Visit(child);
    }
  }

  // Null, and a complaint, if the type is not known.
  Type ElementType(NodeId element, bool optional) {
    const Type type = checked_.types[element];
    if (!optional) {
      return type;
    }
    if (type->parameters.empty()) {
      issues_.Report(ast().nodes[element].position, std::string(kUnknownOptional));
      return nullptr;
    }
    return type->parameters[0];
  }

  // False if `type` is another one than the first.
  bool Compare(Type& first, Type type, NodeId at) {
    if (type == nullptr || first == nullptr) {
      first = type;
      return true;
    }
    if (Same(first, type)) {
      return true;
    }
    issues_.Report(ast().nodes[at].position, fmt::format("expected type '{}' but found '{}'",
                                                         ToString(first), ToString(type)));
    return false;
  }

  void CheckList(NodeId id) {
    Type first = nullptr;
    for (std::size_t i = 0; i < ast().nodes[id].child_count; ++i) {
      const NodeId element = ast().child(id, i);
      if (!Compare(first, ElementType(element, ast().is_optional(id, i)), element)) {
        return;
      }
    }
  }

  void CheckMap(NodeId id) {
    Type keys = nullptr;
    Type values = nullptr;
    for (std::size_t i = 0; i < ast().nodes[id].child_count; i += 2) {
      const NodeId key = ast().child(id, i);
      const NodeId value = ast().child(id, i + 1);
      Compare(keys, checked_.types[key], key);
      Compare(values, ElementType(value, ast().is_optional(id, i)), value);
    }
  }

  const CheckedAst& checked_;
  IssueList& issues_;
};

bool IsTime(std::int64_t seconds) { return seconds >= kMinUnixTime && seconds <= kMaxUnixTime; }

bool IsTimestamp(const Constant& constant) {
  if (const auto* const seconds = std::get_if<std::int64_t>(&constant)) {
    return IsTime(*seconds);
  }
  const auto* const text = std::get_if<std::string_view>(&constant);
  const auto time = text == nullptr ? std::nullopt : ParseTimestamp(*text);
  return time && IsTime(time->seconds);
}

bool IsDuration(const Constant& constant) {
  const auto* const text = std::get_if<std::string_view>(&constant);
  return text != nullptr && ParseDuration(*text).has_value();
}

bool IsRegex(const Constant& constant) {
  const auto* const text = std::get_if<std::string_view>(&constant);
  return text == nullptr || Regex::Compile(*text).has_value();
}

// What the first argument must be if it is literal; of matches(text, regex) that is the text.
struct LiteralRule {
  std::string_view function;
  bool (*accepts)(const Constant& constant);
};
constexpr LiteralRule kLiteralRules[] = {
    {"duration", IsDuration}, {"timestamp", IsTimestamp}, {"matches", IsRegex}};

void ValidateArgument(const CheckedAst& checked, NodeId call, IssueList& issues) {
  const Ast& ast = *checked.ast;
  const Node& node = ast.nodes[call];
  const std::size_t first = node.has_receiver ? 1 : 0;
  if (node.child_count <= first || ast.nodes[ast.child(call, first)].kind != NodeKind::kConstant) {
    return;
  }
  const NodeId argument = ast.child(call, first);
  for (const LiteralRule& rule : kLiteralRules) {
    if (rule.function == node.name && !rule.accepts(ast.constant(argument))) {
      issues.Report(ast.nodes[argument].position, fmt::format("invalid {} argument", node.name));
    }
  }
}

// Literal arguments of the calls at and below `id`.
void ValidateLiterals(const CheckedAst& checked, NodeId id, IssueList& issues) {
  const Node& node = checked.ast->nodes[id];
  if (node.kind == NodeKind::kCall) {
    if (node.name == "format") {
      ValidateFormat(checked, id, issues);
    }
    ValidateArgument(checked, id, issues);
  }
  for (const NodeId child : checked.ast->children(id)) {
    ValidateLiterals(checked, child, issues);
  }
}

}  // namespace

void Validate(const CheckedAst& checked, IssueList& issues) {
  if (checked.environment->options.homogeneous_literals) {
    Homogeneity(checked, issues).Run();
  }
  if (checked.environment->options.literal_validators) {
    ValidateLiterals(checked, checked.ast->root, issues);
  }
}

}  // namespace quadra::cel
