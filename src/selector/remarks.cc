#include "selector/remarks.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "cel/checked.h"
#include "selector/compile_report.h"
#include "selector/match.h"

namespace quadra::selector {
namespace {

using cel::Ast;
using cel::NodeId;
using cel::NodeKind;
using Path = std::vector<std::string_view>;

constexpr std::size_t kMaxExpressionBytes = std::size_t{10} * 1024;
constexpr std::uint64_t kMaxCost = 1'000'000;

std::optional<std::string_view> Text(const Ast& ast, NodeId node) {
  if (ast.nodes[node].kind != NodeKind::kConstant) {
    return std::nullopt;
  }
  const auto* text = std::get_if<std::string_view>(&ast.constant(node));
  return text != nullptr ? std::optional(*text) : std::nullopt;
}

// The steps below `device` that a node reads; nothing where they are not constant.
std::optional<Path> PathOf(const Ast& ast, NodeId node) {
  Path steps;
  for (;;) {
    const cel::Node& at = ast.nodes[node];
    if (at.kind == NodeKind::kIdent) {
      if (at.name != "device") {
        return std::nullopt;
      }
      std::ranges::reverse(steps);
      return steps;
    }
    if (at.kind == NodeKind::kSelect) {
      steps.push_back(at.name);
    } else if (at.kind == NodeKind::kCall && at.name == "_[_]") {
      const std::optional<std::string_view> step = Text(ast, ast.child(node, 1));
      if (!step) {
        return std::nullopt;
      }
      steps.push_back(*step);
    } else {
      return std::nullopt;
    }
    node = ast.child(node, 0);
  }
}

// attributes or capacity, domain, id.
bool IsFact(const Path& path) {
  return path.size() == 3 && (path[0] == "attributes" || path[0] == "capacity");
}

// "attribute d/id".
std::string NameOf(const Path& fact) {
  return fmt::format("{} {}/{}", fact[0] == "capacity" ? "capacity" : "attribute", fact[1],
                     fact[2]);
}

bool IsConstant(const Ast& ast, NodeId node, bool value) {
  if (ast.nodes[node].kind != NodeKind::kConstant) {
    return false;
  }
  const auto* truth = std::get_if<bool>(&ast.constant(node));
  return truth != nullptr && *truth == value;
}

bool IsCall(const Ast& ast, NodeId node, std::string_view name) {
  return ast.nodes[node].kind == NodeKind::kCall && ast.nodes[node].name == name;
}

// x || true, x && false: whatever x is, also an error.
bool IsSettled(const Ast& ast, NodeId node) {
  const bool is_or = IsCall(ast, node, "_||_");
  return (is_or || IsCall(ast, node, "_&&_")) &&
         std::ranges::any_of(ast.children(node),
                             [&](NodeId child) { return IsConstant(ast, child, is_or); });
}

// "model" in device.attributes["d"]: that fact.
std::optional<Path> TestedByIn(const Ast& ast, NodeId node) {
  if (!IsCall(ast, node, "@in")) {
    return std::nullopt;
  }
  const std::optional<std::string_view> key = Text(ast, ast.child(node, 0));
  std::optional<Path> path = PathOf(ast, ast.child(node, 1));
  if (!key || !path || path->size() != 2) {
    return std::nullopt;
  }
  path->push_back(*key);
  return path;
}

// Whether its operands are all evaluated, and none of their errors is lost.
bool IsPlainCall(const Ast& ast, NodeId node) {
  constexpr std::array<std::string_view, 3> kLazy = {"_||_", "_?_:_", "!_"};
  return ast.nodes[node].kind == NodeKind::kCall &&
         std::ranges::find(kLazy, ast.nodes[node].name) == kLazy.end();
}

// Walks the nodes that evaluation can reach.
class ReadFinder {
 public:
  explicit ReadFinder(const Ast& ast) : ast_(ast), seen_(ast.nodes.size()) {}

  std::vector<std::string> Find() {
    std::vector<NodeId> open = {ast_.root};
    while (!open.empty()) {
      const NodeId node = open.back();
      open.pop_back();
      if (seen_[node]) {
        continue;
      }
      seen_[node] = true;
      if (IsSettled(ast_, node)) {
        continue;
      }
      Look(node);
      const auto children = ast_.children(node);
      open.insert(open.end(), children.rbegin(), children.rend());
    }
    std::vector<std::string> unguarded;
    for (const Path& read : reads_) {
      if (std::ranges::find(guards_, read) == guards_.end()) {
        Name(read, unguarded);
      }
    }
    return unguarded;
  }

 private:
  void Look(NodeId node) {
    if (std::optional<Path> tested = TestedByIn(ast_, node)) {
      guards_.push_back(*std::move(tested));
    } else if (std::optional<Path> path = PathOf(ast_, node); path && IsFact(*path)) {
      (ast_.nodes[node].test_only ? guards_ : reads_).push_back(*std::move(path));
    }
  }
  static void Name(const Path& read, std::vector<std::string>& names) {
    std::string name = NameOf(read);
    if (std::ranges::find(names, name) == names.end()) {
      names.push_back(std::move(name));
    }
  }

  const Ast& ast_;
  std::vector<bool> seen_;
  std::vector<Path> reads_;
  std::vector<Path> guards_;
};

// What is there wherever `root` is true: tests and reads of what must have been evaluated.
std::vector<std::string> FactsBehind(const Ast& ast, NodeId root) {
  std::vector<std::string> facts;
  std::vector<NodeId> open = {root};
  while (!open.empty()) {
    const NodeId node = open.back();
    open.pop_back();
    if (const std::optional<Path> tested = TestedByIn(ast, node)) {
      facts.push_back(NameOf(*tested));
    } else if (const std::optional<Path> path = PathOf(ast, node); path && IsFact(*path)) {
      facts.push_back(NameOf(*path));
    } else if (IsPlainCall(ast, node) || ast.nodes[node].kind == NodeKind::kSelect) {
      const auto children = ast.children(node);
      open.insert(open.end(), children.begin(), children.end());
    }
  }
  return facts;
}

// The first line of upstream's words, without its decoration.
std::string FirstLine(const CompileError& error) {
  if (!error.issues.empty()) {
    return PlaceOf(error.issues[0]) + error.issues[0].message;
  }
  return error.message.substr(0, error.message.find('\n'));
}

// Why admission would refuse an expression that schedulers accept; empty if it would not.
std::string WhyRefused(const std::string& text, Use use, const Language& language) {
  if (text.size() > kMaxExpressionBytes) {
    return fmt::format("it has {} bytes, the limit is {}", text.size(), kMaxExpressionBytes);
  }
  const auto fresh = language.Compile(text, Profile::New(), use);
  if (fresh->error()) {
    return FirstLine(*fresh->error());
  }
  const std::uint64_t cost = fresh->EstimateCost();
  return cost > kMaxCost ? fmt::format("its estimated cost {} exceeds the limit {}", cost, kMaxCost)
                         : "";
}

class NoInputs : public cel::Inputs {
 public:
  cel::Value Variable(std::uint32_t) const override { return {}; }
  cel::Value Slot(cel::SlotIndex) const override { return {}; }
};

// A selector that reads nothing answers every device alike.
void RemarkOnConstant(const Expression& expression, std::vector<Remark>& remarks) {
  if (expression.program().reads_variables() || !expression.program().slots().empty()) {
    return;
  }
  cel::Scratch scratch;
  switch (Decide(expression, NoInputs(), scratch)) {
    case Verdict::kMatch:
      remarks.push_back({"AlwaysTrue", "matches every device: it reads nothing of the device"});
      break;
    case Verdict::kNo:
      remarks.push_back({"AlwaysFalse", "matches no device: it reads nothing of the device"});
      break;
    case Verdict::kError:
      remarks.push_back({"AlwaysFails", "fails on every device: it reads nothing of the device"});
      break;
  }
}

}  // namespace

std::vector<std::string> UnguardedReads(const cel::CheckedAst& checked) {
  return ReadFinder(*checked.ast).Find();
}

std::vector<std::string> PresentAfter(const std::string& text, const Language& language) {
  const auto stored = language.Compile(text, Profile::Stored(), Use::kSelector);
  if (stored->error()) {
    return {};
  }
  const Ast& ast = *stored->checked().ast;
  return FactsBehind(ast, ast.root);
}

std::vector<Remark> RemarksOn(const std::string& text, Use use, const Language& language,
                              std::span<const std::string> present) {
  const auto stored = language.Compile(text, Profile::Stored(), use);
  if (stored->error()) {
    return {{"ExpressionInvalid", "does not compile: " + FirstLine(*stored->error())}};
  }
  std::vector<Remark> remarks;
  if (const std::string why = WhyRefused(text, use, language); !why.empty()) {
    remarks.push_back({"AdmissionRefuses",
                       "schedulers accept it where stored, the API server refuses it: " + why});
  }
  if (use == Use::kSelector) {
    RemarkOnConstant(*stored, remarks);
  }
  for (const std::string& read : UnguardedReads(stored->checked())) {
    if (std::ranges::find(present, read) != present.end()) {
      continue;
    }
    remarks.push_back({"UnguardedAttribute",
                       fmt::format("reads {} without a presence test; a device without it makes "
                                   "the pod fail (use has() or .?)",
                                   read)});
  }
  return remarks;
}

}  // namespace quadra::selector
