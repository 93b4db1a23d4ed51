#include "answers/unchecked.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace quadra::answers {
namespace {

using cel::NodeId;
using cel::NodeKind;

class Resolver {
 public:
  Resolver(cel::Environment& environment, cel::Ast& ast, cel::CheckedAst& out)
      : environment_(environment), ast_(ast), out_(out) {
    out_.types.resize(ast.nodes.size(), cel::types::kDyn);
    out_.references.resize(ast.nodes.size());
  }

  void Visit(NodeId id) {
    switch (ast_.nodes[id].kind) {
      case NodeKind::kConstant:
        out_.types[id] = ConstantType(ast_.constant(id));
        return;
      case NodeKind::kIdent:
        return VisitIdent(id);
      case NodeKind::kSelect:
        if (!ast_.nodes[id].test_only && ReferToQualified(id)) {
          return;
        }
        return Visit(ast_.child(id, 0));
      case NodeKind::kCall:
        return VisitCall(id);
      case NodeKind::kComprehension:
        return VisitFold(id);
      default:
        VisitChildren(id, 0);
    }
  }

 private:
  static cel::Type ConstantType(const cel::Constant& constant) {
    const cel::Type by_index[] = {cel::types::kNull, cel::types::kBool,   cel::types::kInt,
                                  cel::types::kUint, cel::types::kDouble, cel::types::kString,
                                  cel::types::kBytes};
    return by_index[constant.index()];
  }

  void VisitChildren(NodeId id, std::size_t from) {
    for (std::size_t i = from; i < ast_.nodes[id].child_count; ++i) {
      Visit(ast_.child(id, i));
    }
  }

  bool IsLocal(std::string_view name) const {
    return std::ranges::find(locals_, name) != locals_.end();
  }

  // The known variable or type of this name, searched from the container outwards.
  std::optional<std::string> Resolve(std::string_view name) const {
    std::string container = name.starts_with('.') ? "" : environment_.options.container;
    const std::string plain(name.starts_with('.') ? name.substr(1) : name);
    while (true) {
      std::string candidate = container;
      candidate += container.empty() ? "" : ".";
      candidate += plain;
      if (IsGlobal(candidate)) {
        return candidate;
      }
      if (container.empty()) {
        return std::nullopt;
      }
      const std::size_t dot = container.rfind('.');
      container.resize(dot == std::string::npos ? 0 : dot);
    }
  }

  bool IsGlobal(std::string_view name) const {
    const auto named = [&](const auto& item) { return item.name == name; };
    return std::ranges::any_of(environment_.variables, named) ||
           std::ranges::any_of(environment_.type_names, named);
  }

  void Refer(NodeId id, std::string name) {
    const std::string_view kept = out_.texts.emplace_front(std::move(name));
    cel::Node& node = ast_.nodes[id];
    node.kind = NodeKind::kIdent;
    node.name = kept;
    node.child_count = 0;
    out_.references[id].name = kept;
  }

  void VisitIdent(NodeId id) {
    const std::string name(ast_.nodes[id].name);
    if (IsLocal(name)) {
      out_.references[id].name = ast_.nodes[id].name;
      return;
    }
    std::optional<std::string> global = Resolve(name);
    if (!global) {
      global = name;
      environment_.variables.push_back({name, cel::types::kDyn});
    }
    Refer(id, *std::move(global));
  }

  // The dotted name that a chain of selects spells, if it starts at no local variable.
  std::optional<std::string> Spelled(NodeId id) const {
    const cel::Node& node = ast_.nodes[id];
    if (node.kind == NodeKind::kIdent) {
      return IsLocal(node.name) ? std::nullopt : std::optional<std::string>(node.name);
    }
    if (node.kind != NodeKind::kSelect || node.test_only) {
      return std::nullopt;
    }
    std::optional<std::string> operand = Spelled(ast_.child(id, 0));
    return operand ? std::optional(*operand + '.' + std::string(node.name)) : std::nullopt;
  }

  bool ReferToQualified(NodeId id) {
    const std::optional<std::string> spelled = Spelled(id);
    const std::optional<std::string> global = spelled ? Resolve(*spelled) : std::nullopt;
    if (global) {
      Refer(id, *global);
    }
    return global.has_value();
  }

  void VisitCall(NodeId id) {
    if (ast_.nodes[id].has_receiver) {
      const std::optional<std::string> spelled = Spelled(ast_.child(id, 0));
      const cel::Function* const qualified =
          spelled ? environment_.FindFunction(*spelled + '.' + std::string(ast_.nodes[id].name))
                  : nullptr;
      if (qualified != nullptr) {
        ast_.nodes[id].has_receiver = false;
        ast_.nodes[id].name = qualified->name;
        ++ast_.nodes[id].first_child;
        --ast_.nodes[id].child_count;
      }
    }
    VisitChildren(id, 0);
    KeepOverloads(id);
  }

  // The overloads that take as many arguments. Where none does, the call fails when it is
  // evaluated, or already when planned if the function has only one.
  void KeepOverloads(NodeId id) {
    const cel::Node& node = ast_.nodes[id];
    const cel::Function* const function = environment_.FindFunction(node.name);
    if (function == nullptr || (!KeepFitting(id, *function) && function->overloads.size() > 1)) {
      Declare(node);
      KeepFitting(id, *environment_.FindFunction(node.name));
    }
  }

  bool KeepFitting(NodeId id, const cel::Function& function) {
    const cel::Node& node = ast_.nodes[id];
    out_.references[id].first_overload = static_cast<std::uint32_t>(out_.overload_links.size());
    for (const cel::OverloadIndex index : function.overloads) {
      const cel::Overload& overload = environment_.overloads[index];
      if (overload.member == node.has_receiver && overload.parameters.size() == node.child_count) {
        out_.overload_links.push_back(index);
        ++out_.references[id].overload_count;
      }
    }
    return out_.references[id].overload_count > 0;
  }

  // An overload that nobody implements.
  void Declare(const cel::Node& call) {
    environment_.Add(call.name,
                     {.id = std::string(call.name) + "_unchecked",
                      .member = call.has_receiver,
                      .parameters = std::vector<cel::Type>(call.child_count, cel::types::kDyn),
                      .result = cel::types::kDyn,
                      .behaviour = cel::NotImplemented()});
  }

  void VisitFold(NodeId id) {
    const cel::Comprehension& names = ast_.comprehension(id);
    Visit(ast_.child(id, 0));
    Visit(ast_.child(id, 1));
    const std::size_t outer = locals_.size();
    locals_.insert(locals_.end(), {names.accumulator, names.iteration});
    if (!names.iteration2.empty()) {
      locals_.push_back(names.iteration2);
    }
    Visit(ast_.child(id, 2));
    Visit(ast_.child(id, 3));
    locals_.resize(outer + 1);
    Visit(ast_.child(id, 4));
    locals_.resize(outer);
  }

  cel::Environment& environment_;
  cel::Ast& ast_;
  cel::CheckedAst& out_;
  std::vector<std::string_view> locals_;
};

}  // namespace

std::unique_ptr<cel::CheckedAst> Unchecked(cel::Environment& environment,
                                           std::unique_ptr<cel::Ast> ast) {
  auto out = std::make_unique<cel::CheckedAst>();
  out->environment = &environment;
  Resolver(environment, *ast, *out).Visit(ast->root);
  out->ast = std::move(ast);
  return out;
}

}  // namespace quadra::answers
