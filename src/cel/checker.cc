// The checker, rule by rule as upstream's: types, overloads, names and messages.
#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "absl/container/inlined_vector.h"
#include "cel/ast_builder.h"
#include "cel/checked.h"
#include "cel/issues.h"
#include "cel/type_inference.h"
#include "cel/validators.h"

namespace quadra::cel {
namespace {

using TypeList = absl::InlinedVector<Type, 4>;

std::string_view WithoutDot(std::string_view name) {
  return name.starts_with('.') ? name.substr(1) : name;
}

// Types that upstream takes for objects, though without fields an expression could name.
constexpr std::string_view kFieldless[] = {"bool",
                                           "bytes",
                                           "double",
                                           "int",
                                           "string",
                                           "uint",
                                           "map",
                                           "google.protobuf.Duration",
                                           "google.protobuf.Timestamp",
                                           "google.protobuf.ListValue"};

// The name under which a literal's fields are looked up; some types stand for protobuf messages.
std::string_view MessageName(Type type) {
  switch (type->kind) {
    case TypeKind::kList:
      return "google.protobuf.ListValue";
    case TypeKind::kNull:
      return "google.protobuf.NullValue";
    default:
      return type->name;
  }
}

// "(int, string)", or "list(int).(string)" for a member call.
std::string Signature(std::span<const Type> arguments, bool member) {
  std::string out;
  if (member) {
    out = ToString(arguments[0]) + '.';
    arguments = arguments.subspan(1);
  }
  out += '(';
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    out += i == 0 ? "" : ", ";
    out += ToString(arguments[i]);
  }
  out += ')';
  return out;
}

class Checker {
 public:
  Checker(const Environment& environment, Ast& ast, CheckedAst& out, IssueList& issues)
      : environment_(environment), ast_(ast), out_(out), issues_(issues), types_(out.arena) {
    out_.types.resize(ast.nodes.size(), types::kError);
    out_.references.resize(ast.nodes.size());
  }

  void Run() {
    Visit(ast_.root);
    for (Type& type : out_.types) {
      type = types_.Substitute(type, true);
    }
    if (types_.exhausted()) {
      issues_.ReportNowhere("the types of this expression are too large to check");
    }
  }

 private:
  // Locals ------------------------------------------------------------------------------------

  struct Local {
    std::string_view name;
    Type type;
  };

  const Local* FindLocal(std::string_view name) const {
    const auto found = std::find_if(locals_.rbegin(), locals_.rend(),
                                    [&](const Local& local) { return local.name == name; });
    return found == locals_.rend() ? nullptr : &*found;
  }

  // Globals -----------------------------------------------------------------------------------

  struct Global {
    std::string_view name;
    Type type = nullptr;
    explicit operator bool() const { return type != nullptr; }
  };

  Global FindNamedType(std::string_view name) {
    if (const TypeName* const known = environment_.FindTypeName(name)) {
      return {known->name, out_.arena.TypeOf(known->denoted)};
    }
    if (const ObjectType* const object = environment_.FindObject(name)) {
      return {object->name, out_.arena.TypeOf(out_.arena.Object(object->name))};
    }
    return {};
  }

  Global FindGlobal(std::string_view name) {
    if (const Variable* const variable = environment_.FindVariable(name)) {
      return {variable->name, variable->type};
    }
    return FindNamedType(name);
  }

  // Asks `find` for the name within the container, then within each enclosing one.
  template <typename Find>
  auto Resolve(std::string_view name, Find find) -> decltype(find(name)) {
    if (name.starts_with('.')) {
      return find(name.substr(1));
    }
    std::string_view container = environment_.options.container;
    while (!container.empty()) {
      if (auto found = find(fmt::format("{}.{}", container, name))) {
        return found;
      }
      const std::size_t dot = container.rfind('.');
      container = container.substr(0, dot == std::string_view::npos ? 0 : dot);
    }
    return find(name);
  }

  Global ResolveGlobal(std::string_view name) {
    return Resolve(name, [&](std::string_view candidate) { return FindGlobal(candidate); });
  }

  const Function* ResolveFunction(std::string_view name) {
    return Resolve(
        name, [&](std::string_view candidate) { return environment_.FindFunction(candidate); });
  }

  // Nodes -------------------------------------------------------------------------------------

  const Node& node(NodeId id) const { return ast_.nodes[id]; }
  std::string_view container() const { return environment_.options.container; }
  std::string_view Keep(std::string text) { return out_.texts.emplace_front(std::move(text)); }

  template <typename... Args>
  void Report(NodeId at, fmt::format_string<Args...> format, Args&&... args) {
    issues_.Report(node(at).position, fmt::format(format, std::forward<Args>(args)...));
  }
  void ReportUndeclared(NodeId at, std::string_view name) {
    Report(at, "undeclared reference to '{}' (in container '{}')", name, container());
  }
  void ReportMismatch(NodeId at, Type expected, Type actual) {
    Report(at, "expected type '{}' but found '{}'", ToString(expected), ToString(actual));
  }

  void Visit(NodeId id) {
    switch (node(id).kind) {
      case NodeKind::kConstant:
        return SetType(id, ConstantType(ast_.constant(id)));
      case NodeKind::kIdent:
        return CheckIdent(id);
      case NodeKind::kSelect:
        return CheckSelect(id);
      case NodeKind::kCall:
        return CheckCall(id);
      case NodeKind::kList:
        return CheckList(id);
      case NodeKind::kMap:
        return CheckMap(id);
      case NodeKind::kStruct:
        return CheckStruct(id);
      case NodeKind::kComprehension:
        return CheckComprehension(id);
    }
  }

  Type TypeOf(NodeId id) const { return out_.types[id]; }
  void SetType(NodeId id, Type type) { out_.types[id] = type; }

  static Type ConstantType(const Constant& constant) {
    static const Type by_index[] = {types::kNull,   types::kBool,   types::kInt,  types::kUint,
                                    types::kDouble, types::kString, types::kBytes};
    return by_index[constant.index()];
  }

  // Turns the node into an ident that refers to a global; a local of the same name is passed over
  // with a leading dot.
  void ReferToGlobal(NodeId id, const Global& global, bool hidden) {
    Node& node = ast_.nodes[id];
    node.kind = NodeKind::kIdent;
    node.name = hidden ? Keep(fmt::format(".{}", global.name)) : global.name;
    node.child_count = 0;
    out_.references[id].name = node.name;
    SetType(id, global.type);
  }

  void CheckIdent(NodeId id) {
    const std::string_view name = node(id).name;
    const Local* const local = FindLocal(WithoutDot(name));
    if (local != nullptr && !name.starts_with('.')) {
      out_.references[id].name = local->name;
      return SetType(id, local->type);
    }
    if (const Global global = ResolveGlobal(name)) {
      return ReferToGlobal(id, global, local != nullptr);
    }
    SetType(id, types::kError);
    ReportUndeclared(id, name);
  }

  // Selection ---------------------------------------------------------------------------------

  // The ident at the bottom of a chain of selects, or kNoNode.
  NodeId ChainRoot(NodeId id) const {
    while (node(id).kind == NodeKind::kSelect && !node(id).test_only) {
      id = ast_.child(id, 0);
    }
    return node(id).kind == NodeKind::kIdent ? id : kNoNode;
  }

  void AppendQualifiedName(NodeId id, std::string& out) const {
    if (node(id).kind == NodeKind::kSelect) {
      AppendQualifiedName(ast_.child(id, 0), out);
      out += '.';
    }
    out += node(id).name;
  }

  // Whether some declared name could start with `root` and a dot.
  bool MayBeQualified(std::string_view root) const {
    const auto fits = [&](const auto& item) {
      return item.name.size() > root.size() && item.name[root.size()] == '.' &&
             item.name.starts_with(root);
    };
    return !container().empty() || root.starts_with('.') ||
           std::ranges::any_of(environment_.type_names, fits) ||
           std::ranges::any_of(environment_.objects, fits) ||
           std::ranges::any_of(environment_.variables, fits);
  }

  bool CheckQualifiedName(NodeId id) {
    const NodeId root = ChainRoot(id);
    if (root == kNoNode || !MayBeQualified(node(root).name)) {
      return false;
    }
    const Local* const local = FindLocal(WithoutDot(node(root).name));
    if (local != nullptr && !node(root).name.starts_with('.')) {
      return false;
    }
    std::string name;
    AppendQualifiedName(id, name);
    const Global global = ResolveGlobal(name);
    if (global) {
      ReferToGlobal(id, global, local != nullptr);
    }
    return static_cast<bool>(global);
  }

  void CheckSelect(NodeId id) {
    if (!node(id).test_only && CheckQualifiedName(id)) {
      return;
    }
    const Type type = SelectField(id, ast_.child(id, 0), node(id).name, false);
    SetType(id, node(id).test_only ? types::kBool : types_.Substitute(type, false));
  }

  void CheckOptionalSelect(NodeId id) {
    const std::string_view field = std::get<std::string_view>(ast_.constant(ast_.child(id, 1)));
    const Type type = SelectField(id, ast_.child(id, 0), field, true);
    SetType(id, types_.Substitute(type, false));
    SetType(ast_.child(id, 1), types::kString);
    Refer(id, environment_.FindFunction(operators::kOptionalSelect)->overloads[0]);
  }

  Type SelectField(NodeId id, NodeId operand, std::string_view field, bool optional) {
    Visit(operand);
    const Type whole = types_.Substitute(TypeOf(operand), false);
    const bool was_optional = IsOptional(whole);
    const Type type = FieldType(id, was_optional ? whole->parameters[0] : whole, field);
    return was_optional || optional ? out_.arena.Optional(type) : type;
  }

  Type FieldType(NodeId id, Type target, std::string_view field) {
    switch (target->kind) {
      case TypeKind::kMap:
        return target->parameters[1];
      case TypeKind::kObject:
        return ObjectFieldType(node(id).position, target->name, field);
      case TypeKind::kParam:
        types_.Assignable(types::kDyn, target);
        return types::kDyn;
      default:
        if (!IsDyn(target) && target->kind != TypeKind::kError) {
          Report(id, "type '{}' does not support field selection", ToString(target));
        }
        return types::kDyn;
    }
  }

  Type ObjectFieldType(std::uint32_t position, std::string_view object, std::string_view field) {
    const ObjectType* const known = environment_.FindObject(object);
    if (known == nullptr) {
      const bool fieldless = std::ranges::find(kFieldless, object) != std::end(kFieldless);
      issues_.Report(position, fieldless
                                   ? fmt::format("undefined field '{}'", field)
                                   : fmt::format("unexpected failed resolution of '{}'", object));
      return types::kError;
    }
    const auto found = std::ranges::find(known->fields, field, &Field::name);
    if (found != known->fields.end()) {
      return found->type;
    }
    issues_.Report(position, fmt::format("undefined field '{}'", field));
    return types::kError;
  }

  // Calls -------------------------------------------------------------------------------------

  void CheckCall(NodeId id) {
    if (node(id).name == operators::kOptionalSelect) {
      return CheckOptionalSelect(id);
    }
    const bool member = node(id).has_receiver;
    for (std::size_t i = member ? 1 : 0; i < node(id).child_count; ++i) {
      Visit(ast_.child(id, i));
    }
    if (!member) {
      return ResolveCall(id, ResolveFunction(node(id).name), node(id).name);
    }
    const Function* const qualified = QualifiedFunction(id);
    if (qualified != nullptr) {
      DropReceiver(id);
      return ResolveCall(id, qualified, qualified->name);
    }
    Visit(ast_.child(id, 0));
    ResolveCall(id, ResolveFunction(node(id).name), node(id).name);
  }

  // The namespaced function that a receiver and a method name spell, e.g. optional.of.
  const Function* QualifiedFunction(NodeId id) {
    const NodeId receiver = ast_.child(id, 0);
    if (ChainRoot(receiver) == kNoNode) {
      return nullptr;
    }
    std::string name;
    AppendQualifiedName(receiver, name);
    name += '.';
    name += node(id).name;
    return ResolveFunction(name);
  }

  void DropReceiver(NodeId id) {
    Node& node = ast_.nodes[id];
    node.has_receiver = false;
    ++node.first_child;
    --node.child_count;
  }

  void ResolveCall(NodeId id, const Function* function, std::string_view name) {
    if (function == nullptr) {
      SetType(id, types::kError);
      return ReportUndeclared(id, name);
    }
    if (!node(id).has_receiver) {
      ast_.nodes[id].name = function->name;
    }
    SetType(id, function->name == operators::kAnd || function->name == operators::kOr
                    ? ResolveLogic(id, *function)
                    : ResolveOverloads(id, *function));
  }

  void Refer(NodeId id, OverloadIndex overload) {
    Reference& reference = out_.references[id];
    if (reference.overload_count == 0) {
      reference.first_overload = static_cast<std::uint32_t>(out_.overload_links.size());
    }
    out_.overload_links.push_back(overload);
    ++reference.overload_count;
  }

  Type ResolveLogic(NodeId id, const Function& function) {
    bool fine = true;
    for (const NodeId argument : ast_.children(id)) {
      if (!types_.Assignable(TypeOf(argument), types::kBool)) {
        ReportMismatch(argument, types::kBool, TypeOf(argument));
        fine = false;
      }
    }
    Refer(id, function.overloads[0]);
    return fine ? types::kBool : types::kError;
  }

  // The declared type with this use's own variables, numbered from `first` on.
  Type Instantiate(Type type, const Overload& overload, std::uint32_t first) {
    if (!type->open) {
      return type;
    }
    if (type->kind == TypeKind::kParam) {
      const auto found = std::ranges::find(overload.type_parameters, type->name);
      return out_.arena.Variable(
          first + static_cast<std::uint32_t>(found - overload.type_parameters.begin()));
    }
    TypeList parameters(type->parameters.begin(), type->parameters.end());
    for (Type& parameter : parameters) {
      parameter = Instantiate(parameter, overload, first);
    }
    return out_.arena.Like(type, parameters);
  }

  // The result of one overload, or null if the arguments do not fit.
  Type TryOverload(const Overload& overload, std::span<const Type> arguments) {
    const std::uint32_t first = types_.Reserve(overload.type_parameters.size());
    if (overload.parameters.size() != arguments.size()) {
      return nullptr;
    }
    if (overload.type_parameters.empty()) {
      return types_.Assignable(arguments, overload.parameters) ? overload.result : nullptr;
    }
    TypeList parameters(overload.parameters.begin(), overload.parameters.end());
    for (Type& parameter : parameters) {
      parameter = Instantiate(parameter, overload, first);
    }
    if (!types_.Assignable(arguments, parameters)) {
      return nullptr;
    }
    return types_.Substitute(Instantiate(overload.result, overload, first), false);
  }

  // Collects all overloads that fit; if they disagree about the result it is dyn.
  Type ResolveOverloads(NodeId id, const Function& function) {
    TypeList arguments;
    for (const NodeId child : ast_.children(id)) {
      arguments.push_back(TypeOf(child));
    }
    Type result = nullptr;
    for (const OverloadIndex index : function.overloads) {
      const Overload& overload = environment_.overloads[index];
      const Type type =
          overload.member == node(id).has_receiver ? TryOverload(overload, arguments) : nullptr;
      if (type != nullptr) {
        Refer(id, index);
        result = result == nullptr || IsDyn(result) || Same(type, result)
                     ? (result == nullptr ? type : result)
                     : types::kDyn;
      }
    }
    if (result == nullptr) {
      ReportNoOverload(id, function, arguments);
      return types::kError;
    }
    return result;
  }

  void ReportNoOverload(NodeId id, const Function& function, TypeList& arguments) {
    for (Type& argument : arguments) {
      argument = types_.Substitute(argument, true);
    }
    Report(id, "found no matching overload for '{}' applied to '{}'", function.name,
           Signature(arguments, node(id).has_receiver));
  }

  // Literals ----------------------------------------------------------------------------------

  // The type of an element, unwrapped if it is written with a `?`.
  Type ElementType(NodeId element, bool optional) {
    const Type type = TypeOf(element);
    if (!optional) {
      return type;
    }
    if (IsOptional(type)) {
      return type->parameters[0];
    }
    if (!IsDyn(type)) {
      ReportMismatch(element, out_.arena.Optional(type), type);
    }
    return type;
  }

  Type Join(Type previous, Type current) {
    if (previous == nullptr) {
      return current;
    }
    return types_.Assignable(previous, current) ? types_.MostGeneral(previous, current)
                                                : types::kDyn;
  }

  void CheckList(NodeId id) {
    Type joined = nullptr;
    for (std::size_t i = 0; i < node(id).child_count; ++i) {
      const NodeId element = ast_.child(id, i);
      Visit(element);
      joined = Join(joined, ElementType(element, ast_.is_optional(id, i)));
    }
    SetType(id, out_.arena.List(joined == nullptr ? types_.NewVariable() : joined));
  }

  void CheckMap(NodeId id) {
    Type keys = nullptr;
    Type values = nullptr;
    for (std::size_t i = 0; i < node(id).child_count; i += 2) {
      const NodeId key = ast_.child(id, i);
      Visit(key);
      keys = Join(keys, TypeOf(key));
      const NodeId value = ast_.child(id, i + 1);
      Visit(value);
      values = Join(values, ElementType(value, ast_.is_optional(id, i)));
    }
    if (keys == nullptr) {
      keys = types_.NewVariable();
      values = types_.NewVariable();
    }
    SetType(id, out_.arena.Map(keys, values));
  }

  void CheckStruct(NodeId id) {
    const std::string_view name = node(id).name;
    const Global global =
        Resolve(name, [&](std::string_view candidate) { return FindNamedType(candidate); });
    if (!global) {
      SetType(id, types::kError);
      return ReportUndeclared(id, name);
    }
    ast_.nodes[id].name = global.name;
    out_.references[id].name = global.name;
    const Type type = global.type->parameters[0];
    if (IsMessage(type)) {
      SetType(id, type);
    } else {
      Report(id, "'{}' is not a message type", type->name);
      SetType(id, types::kError);
    }
    for (std::size_t i = 0; i < node(id).child_count; ++i) {
      CheckField(id, i, type);
    }
  }

  // Objects, and the types that stand for well-known protobuf messages.
  static bool IsMessage(Type type) {
    switch (type->kind) {
      case TypeKind::kObject:
      case TypeKind::kAny:
      case TypeKind::kDyn:
      case TypeKind::kNull:
      case TypeKind::kTimestamp:
      case TypeKind::kDuration:
        return true;
      case TypeKind::kList:
        return type->parameters[0]->kind == TypeKind::kDyn;
      default:
        return false;
    }
  }

  void CheckField(NodeId id, std::size_t n, Type object) {
    const std::uint32_t detail = node(id).detail + static_cast<std::uint32_t>(n);
    const NodeId value = ast_.child(id, n);
    Visit(value);
    const std::string_view field = ast_.field_names[detail];
    const std::uint32_t position = ast_.field_positions[detail];
    const Type wanted = ObjectFieldType(position, MessageName(object), field);
    const Type given = ElementType(value, ast_.is_optional(id, n));
    if (!types_.Assignable(wanted, given)) {
      issues_.Report(position,
                     fmt::format("expected type of field '{}' is '{}' but provided type is '{}'",
                                 field, ToString(wanted), ToString(given)));
    }
  }

  // Folds -------------------------------------------------------------------------------------

  void CheckComprehension(NodeId id) {
    const auto [range, init, condition, step, result] = Parts(id);
    const Comprehension& variables = ast_.comprehension(id);
    Visit(range);
    Visit(init);
    const Type range_type = types_.Substitute(TypeOf(range), false);
    const Type accumulated = TypeOf(init);
    const std::size_t outer = locals_.size();
    locals_.push_back({variables.accumulator, accumulated});
    Declare(variables, range, range_type);
    Visit(condition);
    Assert(condition, types::kBool);
    Visit(step);
    Assert(step, accumulated);
    locals_.resize(outer + 1);
    Visit(result);
    locals_.resize(outer);
    SetType(id, types_.Substitute(TypeOf(result), false));
  }

  struct FoldParts {
    NodeId range, init, condition, step, result;
  };
  FoldParts Parts(NodeId id) const {
    return {ast_.child(id, 0), ast_.child(id, 1), ast_.child(id, 2), ast_.child(id, 3),
            ast_.child(id, 4)};
  }

  // Declares what iterates: elements of a list, keys of a map; index or key and value if there are
  // two variables.
  void Declare(const Comprehension& variables, NodeId range, Type type) {
    const bool two = !variables.iteration2.empty();
    Type first = types::kDyn;
    Type second = types::kDyn;
    switch (type->kind) {
      case TypeKind::kList:
        first = two ? types::kInt : type->parameters[0];
        second = type->parameters[0];
        break;
      case TypeKind::kMap:
        first = type->parameters[0];
        second = type->parameters[1];
        break;
      case TypeKind::kDyn:
      case TypeKind::kError:
      case TypeKind::kParam:
        types_.Assignable(types::kDyn, type);
        break;
      default:
        Report(range,
               "expression of type '{}' cannot be range of a comprehension (must be list, map, or "
               "dynamic)",
               ToString(type));
        first = second = types::kError;
    }
    locals_.push_back({variables.iteration, first});
    if (two) {
      locals_.push_back({variables.iteration2, second});
    }
  }

  void Assert(NodeId id, Type type) {
    if (!types_.Assignable(type, TypeOf(id))) {
      ReportMismatch(id, type, TypeOf(id));
    }
  }

  const Environment& environment_;
  Ast& ast_;
  CheckedAst& out_;
  IssueList& issues_;
  TypeInference types_;
  std::vector<Local> locals_;
};

}  // namespace

CheckOutcome Check(const Environment& environment, std::unique_ptr<Ast> ast) {
  auto checked = std::make_unique<CheckedAst>();
  checked->environment = &environment;
  IssueList issues;
  Checker(environment, *ast, *checked, issues).Run();
  checked->ast = std::move(ast);
  if (issues.empty()) {
    Validate(*checked, issues);
  }
  if (!issues.empty()) {
    return {.issues = std::move(issues).Sorted(checked->ast->source)};
  }
  return {.checked = std::move(checked)};
}

}  // namespace quadra::cel
