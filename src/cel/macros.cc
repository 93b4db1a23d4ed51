#include "cel/macros.h"

#include <fmt/format.h>

namespace quadra::cel {
namespace {

constexpr std::string_view kAccumulator = "@result";
constexpr std::string_view kFormerAccumulator = "__result__";
constexpr std::string_view kUnused = "#unused";
constexpr std::string_view kSortInput = "@__sortBy_input__";

// Builds the pieces of one expansion, all at the place of the call.
class Expander {
 public:
  Expander(AstBuilder& builder, const MacroCall& call) : builder_(builder), call_(call) {}

  const MacroCall& call() const { return call_; }
  NodeId argument(std::size_t n) const { return call_.arguments[n]; }
  const Node& node(NodeId id) const { return builder_.ast().nodes[id]; }
  NodeId Operand(NodeId select) const { return builder_.ast().child(select, 0); }
  bool IsIdent(NodeId id) const { return node(id).kind == NodeKind::kIdent; }

  NodeId Bool(bool value) { return builder_.Constant(call_.position, value); }
  NodeId Int(std::int64_t value) { return builder_.Constant(call_.position, value); }
  NodeId Ident(std::string_view name) { return builder_.Ident(call_.position, name); }
  NodeId Accumulator() { return Ident(kAccumulator); }
  NodeId EmptyList() { return builder_.List(call_.position, {}); }
  NodeId EmptyMap() { return builder_.Map(call_.position, {}); }
  NodeId ListOf(NodeId element) { return builder_.List(call_.position, {&element, 1}); }
  NodeId Call(std::string_view function, std::initializer_list<NodeId> arguments) {
    return builder_.Call(call_.position, function, arguments);
  }
  NodeId MemberCall(std::string_view function, std::initializer_list<NodeId> children) {
    return builder_.MemberCall(call_.position, function, {children.begin(), children.size()});
  }
  NodeId PresenceTest(NodeId operand, std::string_view field) {
    return builder_.Select(call_.position, operand, field, true);
  }
  NodeId Copy(NodeId node) { return builder_.Copy(node); }

  struct Steps {
    NodeId init, condition, step, result;
  };
  NodeId Fold(const Comprehension& variables, NodeId range, const Steps& steps) {
    return builder_.Fold(call_.position, variables, range, steps.init, steps.condition, steps.step,
                         steps.result);
  }
  // Evaluates `result` with `name` bound to `init`, lazily.
  NodeId Bind(std::string_view name, NodeId init, NodeId result) {
    const NodeId range = EmptyList();
    const NodeId condition = Bool(false);
    const NodeId step = Ident(name);
    return Fold({.iteration = kUnused, .accumulator = name}, range,
                {init, condition, step, result});
  }
  // `step` where `filter` holds; any `filter` if it is kNoNode.
  NodeId If(NodeId filter, NodeId step) {
    return filter == kNoNode ? step : Call(operators::kConditional, {filter, step, Accumulator()});
  }

 private:
  AstBuilder& builder_;
  const MacroCall& call_;
};

Expansion Refuse(NodeId at, std::string message) {
  return {.error_at = at, .error = std::move(message)};
}

bool HidesAccumulator(std::string_view name) {
  return name == kAccumulator || name == kFormerAccumulator;
}

// The variables of a fold from its first arguments, or why they cannot be.
struct Variables {
  Comprehension names;
  Expansion refusal;
  bool ok() const { return refusal.error.empty(); }
};

Variables OneVariable(const Expander& e, std::string_view refusal) {
  const NodeId first = e.argument(0);
  if (!e.IsIdent(first)) {
    return {.refusal = Refuse(first, std::string(refusal))};
  }
  if (HidesAccumulator(e.node(first).name)) {
    return {.refusal = Refuse(first, "iteration variable overwrites accumulator variable")};
  }
  return {.names = {.iteration = e.node(first).name, .accumulator = kAccumulator}};
}

Variables TwoVariables(const Expander& e) {
  for (const NodeId variable : {e.argument(0), e.argument(1)}) {
    if (!e.IsIdent(variable)) {
      return {.refusal = Refuse(variable, "argument must be a simple name")};
    }
  }
  const std::string_view first = e.node(e.argument(0)).name;
  const std::string_view second = e.node(e.argument(1)).name;
  if (first == second) {
    return {.refusal = Refuse(e.argument(1), fmt::format("duplicate variable name: {}", first))};
  }
  for (const NodeId variable : {e.argument(0), e.argument(1)}) {
    if (HidesAccumulator(e.node(variable).name)) {
      return {.refusal = Refuse(variable, "iteration variable overwrites accumulator variable")};
    }
  }
  return {.names = {.iteration = first, .iteration2 = second, .accumulator = kAccumulator}};
}

// How a quantifier folds; `predicate` is its last argument.
using MakeSteps = Expander::Steps (*)(Expander& e, NodeId predicate);

Expander::Steps AllSteps(Expander& e, NodeId predicate) {
  return {e.Bool(true), e.Call(operators::kNotStrictlyFalse, {e.Accumulator()}),
          e.Call(operators::kAnd, {e.Accumulator(), predicate}), e.Accumulator()};
}

Expander::Steps ExistsSteps(Expander& e, NodeId predicate) {
  return {e.Bool(false),
          e.Call(operators::kNotStrictlyFalse, {e.Call(operators::kNot, {e.Accumulator()})}),
          e.Call(operators::kOr, {e.Accumulator(), predicate}), e.Accumulator()};
}

Expander::Steps ExistsOneSteps(Expander& e, NodeId predicate) {
  return {e.Int(0), e.Bool(true),
          e.If(predicate, e.Call(operators::kAdd, {e.Accumulator(), e.Int(1)})),
          e.Call(operators::kEquals, {e.Accumulator(), e.Int(1)})};
}

template <MakeSteps kSteps>
Expansion Quantifier(Expander& e) {
  const bool one = e.call().arguments.size() == 2;
  Variables variables = one ? OneVariable(e, "argument must be a simple name") : TwoVariables(e);
  if (!variables.ok()) {
    return std::move(variables.refusal);
  }
  const NodeId predicate = e.call().arguments.back();
  return {.node = e.Fold(variables.names, e.call().receiver, kSteps(e, predicate))};
}

// Appends `element` to the accumulated list.
Expander::Steps ListSteps(Expander& e, NodeId filter, NodeId element) {
  const NodeId step = e.Call(operators::kAdd, {e.Accumulator(), e.ListOf(element)});
  return {e.EmptyList(), e.Bool(true), e.If(filter, step), e.Accumulator()};
}

// The transformation is the last argument; a filter may stand between it and the variables.
NodeId Filter(const Expander& e, std::size_t variables) {
  return e.call().arguments.size() == variables + 2 ? e.argument(variables) : kNoNode;
}

Expansion MapOver(Expander& e, NodeId range) {
  Variables variables = OneVariable(e, "argument is not an identifier");
  if (!variables.ok()) {
    return std::move(variables.refusal);
  }
  const NodeId element = e.call().arguments.back();
  return {.node = e.Fold(variables.names, range, ListSteps(e, Filter(e, 1), element))};
}

Expansion Map(Expander& e) { return MapOver(e, e.call().receiver); }

Expansion FilterElements(Expander& e) {
  Variables variables = OneVariable(e, "argument is not an identifier");
  if (!variables.ok()) {
    return std::move(variables.refusal);
  }
  const Expander::Steps steps = ListSteps(e, e.argument(1), e.argument(0));
  return {.node = e.Fold(variables.names, e.call().receiver, steps)};
}

Expansion TransformList(Expander& e) {
  Variables variables = TwoVariables(e);
  if (!variables.ok()) {
    return std::move(variables.refusal);
  }
  const Expander::Steps steps = ListSteps(e, Filter(e, 2), e.call().arguments.back());
  return {.node = e.Fold(variables.names, e.call().receiver, steps)};
}

// Inserts an entry given as a key and a value, or as a map.
template <bool kWithKey>
Expansion TransformMap(Expander& e) {
  constexpr std::string_view kInsert = "cel.@mapInsert";
  Variables variables = TwoVariables(e);
  if (!variables.ok()) {
    return std::move(variables.refusal);
  }
  const NodeId value = e.call().arguments.back();
  const NodeId insert =
      kWithKey ? e.Call(kInsert, {e.Accumulator(), e.Ident(variables.names.iteration), value})
               : e.Call(kInsert, {e.Accumulator(), value});
  const Expander::Steps steps = {e.EmptyMap(), e.Bool(true), e.If(Filter(e, 2), insert),
                                 e.Accumulator()};
  return {.node = e.Fold(variables.names, e.call().receiver, steps)};
}

Expansion Has(Expander& e) {
  const Node& argument = e.node(e.argument(0));
  if (argument.kind != NodeKind::kSelect) {
    return Refuse(e.argument(0), "invalid argument to has() macro");
  }
  return {.node = e.PresenceTest(e.Operand(e.argument(0)), argument.name)};
}

Expansion OptionalMap(Expander& e) {
  if (!e.IsIdent(e.argument(0))) {
    return Refuse(e.argument(0),
                  fmt::format("{}() variable name must be a simple identifier", e.call().function));
  }
  const bool flat = e.call().function == "optFlatMap";
  const NodeId test = e.MemberCall("hasValue", {e.call().receiver});
  const NodeId value = e.MemberCall("value", {e.Copy(e.call().receiver)});
  const NodeId bound = e.Bind(e.node(e.argument(0)).name, value, e.argument(1));
  const NodeId some = flat ? bound : e.Call("optional.of", {bound});
  return {.node = e.Call(operators::kConditional, {test, some, e.Call("optional.none", {})})};
}

// cel.bind(x, init, result). Nothing if the receiver is not `cel`.
std::optional<Expansion> BindVariable(Expander& e) {
  const Node& receiver = e.node(e.call().receiver);
  if (receiver.kind != NodeKind::kIdent || receiver.name != "cel") {
    return std::nullopt;
  }
  if (!e.IsIdent(e.argument(0))) {
    return Refuse(e.argument(0), "cel.bind() variable names must be simple identifiers");
  }
  return Expansion{.node = e.Bind(e.node(e.argument(0)).name, e.argument(1), e.argument(2))};
}

Expansion SortBy(Expander& e) {
  const NodeKind kind = e.node(e.call().receiver).kind;
  if (kind == NodeKind::kConstant || kind == NodeKind::kMap || kind == NodeKind::kStruct) {
    return Refuse(e.call().receiver,
                  "sortBy can only be applied to a list, identifier, comprehension, call or select "
                  "expression");
  }
  Expansion keys = MapOver(e, e.Ident(kSortInput));
  if (keys.node == kNoNode) {
    return keys;
  }
  const NodeId sorted = e.MemberCall("@sortByAssociatedKeys", {e.Ident(kSortInput), keys.node});
  return {.node = e.Bind(kSortInput, e.call().receiver, sorted)};
}

struct Macro {
  std::string_view name;
  std::size_t arguments;
  bool receiver;
  bool Options::* enabled;  // null: always
  Expansion (*expand)(Expander& e);
};

constexpr Macro kMacros[] = {
    {"has", 1, false, nullptr, Has},
    {"all", 2, true, nullptr, Quantifier<AllSteps>},
    {"exists", 2, true, nullptr, Quantifier<ExistsSteps>},
    {"exists_one", 2, true, nullptr, Quantifier<ExistsOneSteps>},
    {"map", 2, true, nullptr, Map},
    {"map", 3, true, nullptr, Map},
    {"filter", 2, true, nullptr, FilterElements},
    {"optMap", 2, true, &Options::optional_macros, OptionalMap},
    {"optFlatMap", 2, true, &Options::optional_macros, OptionalMap},
    {"all", 3, true, &Options::two_variable_macros, Quantifier<AllSteps>},
    {"exists", 3, true, &Options::two_variable_macros, Quantifier<ExistsSteps>},
    {"existsOne", 3, true, &Options::two_variable_macros, Quantifier<ExistsOneSteps>},
    {"exists_one", 3, true, &Options::two_variable_macros, Quantifier<ExistsOneSteps>},
    {"transformList", 3, true, &Options::two_variable_macros, TransformList},
    {"transformList", 4, true, &Options::two_variable_macros, TransformList},
    {"transformMap", 3, true, &Options::two_variable_macros, TransformMap<true>},
    {"transformMap", 4, true, &Options::two_variable_macros, TransformMap<true>},
    {"transformMapEntry", 3, true, &Options::two_variable_macros, TransformMap<false>},
    {"transformMapEntry", 4, true, &Options::two_variable_macros, TransformMap<false>},
    {"sortBy", 2, true, &Options::sort_by_macro, SortBy},
};

}  // namespace

std::optional<Expansion> ExpandMacro(AstBuilder& builder, const Options& options,
                                     const MacroCall& call) {
  if (!options.macros) {
    return std::nullopt;
  }
  const bool receiver = call.receiver != kNoNode;
  Expander expander(builder, call);
  if (receiver && options.bind_macro && call.function == "bind" && call.arguments.size() == 3) {
    return BindVariable(expander);
  }
  for (const Macro& macro : kMacros) {
    if (macro.arguments == call.arguments.size() && macro.receiver == receiver &&
        macro.name == call.function && (macro.enabled == nullptr || options.*macro.enabled)) {
      return macro.expand(expander);
    }
  }
  return std::nullopt;
}

}  // namespace quadra::cel
