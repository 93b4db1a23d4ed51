#include "selector/remarks.h"

#include <algorithm>
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
    const cel::Node& at = ast_.nodes[node];
    if (at.kind == NodeKind::kCall && at.name == "@in") {
      LookAtIn(node);
    } else if (std::optional<Path> path = PathOf(ast_, node); path && IsFact(*path)) {
      (at.test_only ? guards_ : reads_).push_back(*std::move(path));
    }
  }
  // "model" in device.attributes["d"]
  void LookAtIn(NodeId node) {
    const std::optional<std::string_view> key = Text(ast_, ast_.child(node, 0));
    std::optional<Path> path = PathOf(ast_, ast_.child(node, 1));
    if (key && path && path->size() == 2) {
      path->push_back(*key);
      guards_.push_back(*std::move(path));
    }
  }
  static void Name(const Path& read, std::vector<std::string>& names) {
    std::string name =
        fmt::format("{} {}/{}", read[0] == "capacity" ? "capacity" : "attribute", read[1], read[2]);
    if (std::ranges::find(names, name) == names.end()) {
      names.push_back(std::move(name));
    }
  }

  const Ast& ast_;
  std::vector<bool> seen_;
  std::vector<Path> reads_;
  std::vector<Path> guards_;
};

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

std::vector<Remark> RemarksOn(const std::string& text, Use use, const Language& language) {
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
    remarks.push_back({"UnguardedAttribute",
                       fmt::format("reads {} without a presence test; a device without it makes "
                                   "the pod fail (use has() or .?)",
                                   read)});
  }
  return remarks;
}

}  // namespace quadra::selector
