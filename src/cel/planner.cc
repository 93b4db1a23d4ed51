// The compiler: CheckedAst to Plan, decision by decision as upstream's planner and its decorators.
#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "absl/container/inlined_vector.h"
#include "cel/containers.h"
#include "cel/equality.h"
#include "cel/go_text.h"
#include "cel/numbers.h"
#include "cel/plan.h"
#include "cel/regex_calls.h"

namespace quadra::cel {
namespace {

using NodeIndex = std::uint32_t;
using Planned = Result<NodeIndex>;

// Deeper than any expression the parser lets through.
constexpr int kMaxDepth = 4000;

tl::unexpected<Error> Refuse(std::string message) {
  return Fail(ErrorKind::kInvalid, std::move(message));
}

tl::unexpected<Error> RefuseUnhashable(const char* type) {
  return Refuse(fmt::format("internal error: runtime error: hash of unhashable type {}", type));
}

bool IsPrimitive(const Value& value) {
  switch (value.kind()) {
    case Kind::kBool:
    case Kind::kDouble:
    case Kind::kInt:
    case Kind::kString:
    case Kind::kUint:
      return true;
    default:
      return false;
  }
}

// The same number in the other kinds, as upstream adds them to a constant set.
void AppendTwins(const Value& value, std::vector<Value>& set) {
  switch (value.kind()) {
    case Kind::kDouble:
      if (const auto number = LosslessInt(value.as_double())) {
        set.push_back(Value::Int(*number));
      }
      if (const auto number = LosslessUint(value.as_double())) {
        set.push_back(Value::Uint(*number));
      }
      break;
    case Kind::kInt:
      set.push_back(Value::Double(static_cast<double>(value.as_int())));
      if (const auto number = LosslessUint(value.as_int())) {
        set.push_back(Value::Uint(*number));
      }
      break;
    case Kind::kUint:
      set.push_back(Value::Double(static_cast<double>(value.as_uint())));
      if (const auto number = LosslessInt(value.as_uint())) {
        set.push_back(Value::Int(*number));
      }
      break;
    default:
      break;
  }
}

class Planner {
 public:
  Planner(Plan& plan, Linker* linker)
      : plan_(plan),
        checked_(*plan.checked),
        ast_(*checked_.ast),
        environment_(*checked_.environment),
        linker_(linker) {}

  Status Run(NodeId root) {
    plan_.nodes.reserve(ast_.nodes.size());
    plan_.operands.reserve(ast_.nodes.size());
    QUADRA_TRY(plan_.root, Visit(root));
    Finish();
    return {};
  }

 private:
  // Attributes grow while their parents are planned; they are laid out flat at the end.
  struct Draft {
    Attribute attribute;
    absl::InlinedVector<Qualifier, 4> qualifiers;
  };

  struct Scope {
    std::string_view accumulator;
    std::string_view iteration;
    std::string_view iteration2;
    std::uint32_t frame = 0;
    bool in_result = false;
  };

  CallContext Context(std::string_view function) {
    return {.arena = plan_.arena, .zones = plan_.zones, .function = function};
  }

  // Nodes -------------------------------------------------------------------------------------

  NodeIndex Add(Op op, NodeId id, std::uint32_t detail = 0) {
    plan_.nodes.push_back({.op = op, .id = id, .detail = detail});
    return static_cast<NodeIndex>(plan_.nodes.size() - 1);
  }

  NodeIndex AddWithOperands(Op op, NodeId id, std::span<const NodeIndex> operands,
                            std::uint32_t detail = 0) {
    const auto first = static_cast<std::uint32_t>(plan_.operands.size());
    plan_.operands.insert(plan_.operands.end(), operands.begin(), operands.end());
    const NodeIndex index = Add(op, id, detail);
    plan_.nodes[index].first = first;
    plan_.nodes[index].count = static_cast<std::uint32_t>(operands.size());
    return index;
  }

  NodeIndex AddConstant(NodeId id, const Value& value) {
    plan_.constants.push_back(value);
    return Add(Op::kConstant, id, static_cast<std::uint32_t>(plan_.constants.size() - 1));
  }

  bool IsConstant(NodeIndex node) const { return plan_.nodes[node].op == Op::kConstant; }
  bool IsAttribute(NodeIndex node) const {
    return plan_.nodes[node].op == Op::kAttribute || plan_.nodes[node].op == Op::kTest;
  }
  const Value& ConstantOf(NodeIndex node) const {
    return plan_.constants[plan_.nodes[node].detail];
  }

  Planned Visit(NodeId id) {
    if (++depth_ > kMaxDepth) {
      return Refuse("expression is nested too deeply");
    }
    Planned node = VisitKind(id);
    --depth_;
    return node;
  }

  Planned VisitKind(NodeId id) {
    switch (ast_.nodes[id].kind) {
      case NodeKind::kConstant:
        return AddConstant(id, LiteralOf(ast_.constant(id)));
      case NodeKind::kIdent:
        return VisitIdent(id);
      case NodeKind::kSelect:
        return VisitSelect(id);
      case NodeKind::kCall:
        return VisitCall(id);
      case NodeKind::kList:
        return VisitList(id);
      case NodeKind::kMap:
        return VisitMap(id);
      case NodeKind::kStruct:
        return VisitStruct(id);
      case NodeKind::kComprehension:
        return VisitComprehension(id);
    }
    return Refuse("unsupported expr");
  }

  using Operands = absl::InlinedVector<NodeIndex, 4>;
  Result<Operands> VisitChildren(NodeId id) {
    Operands operands;
    operands.reserve(ast_.nodes[id].child_count);
    for (const NodeId child : ast_.children(id)) {
      QUADRA_TRY(const NodeIndex operand, Visit(child));
      operands.push_back(operand);
    }
    return operands;
  }

  static Value LiteralOf(const Constant& constant) {
    struct Visitor {
      Value operator()(std::monostate) const { return Value::Null(); }
      Value operator()(bool value) const { return Value::Bool(value); }
      Value operator()(std::int64_t value) const { return Value::Int(value); }
      Value operator()(std::uint64_t value) const { return Value::Uint(value); }
      Value operator()(double value) const { return Value::Double(value); }
      Value operator()(std::string_view value) const { return Value::String(value); }
      Value operator()(const Bytes& value) const { return Value::Bytes(value.text); }
    };
    return std::visit(Visitor(), constant);
  }

  // Attributes --------------------------------------------------------------------------------

  std::uint32_t AddDraft(Attribute::Base form, std::uint32_t base, NodeId id) {
    drafts_.push_back({.attribute = {.form = form, .base = base, .id = id}, .qualifiers = {}});
    return static_cast<std::uint32_t>(drafts_.size() - 1);
  }

  // The id the meter knows it by, as far as it is planned.
  std::uint32_t DraftId(std::uint32_t draft) const {
    const Attribute& attribute = drafts_[draft].attribute;
    if (attribute.form == Attribute::Base::kConditional) {
      const std::uint32_t truthy = DraftId(attribute.truthy);
      return truthy == DraftId(attribute.falsy) ? truthy : attribute.id;
    }
    return drafts_[draft].qualifiers.empty() ? attribute.id : drafts_[draft].qualifiers.back().id;
  }

  std::uint32_t IdOf(NodeIndex node) const {
    return plan_.nodes[node].op == Op::kAttribute ? DraftId(plan_.nodes[node].detail)
                                                  : plan_.nodes[node].id;
  }

  // A conditional passes its qualifiers on to both branches.
  void AddQualifier(std::uint32_t draft, const Qualifier& qualifier) {
    const Attribute attribute = drafts_[draft].attribute;
    if (attribute.form == Attribute::Base::kConditional) {
      AddQualifier(attribute.truthy, qualifier);
      AddQualifier(attribute.falsy, qualifier);
      return;
    }
    drafts_[draft].qualifiers.push_back(qualifier);
  }

  // The node itself if it is an attribute, else an attribute relative to its value.
  NodeIndex AsAttribute(NodeIndex node) {
    if (IsAttribute(node)) {
      return node;
    }
    const std::uint32_t id = plan_.nodes[node].id;
    return Add(Op::kAttribute, id, AddDraft(Attribute::Base::kOperand, node, id));
  }

  Planned VisitIdent(NodeId id) {
    const std::string_view name = checked_.references[id].name;
    if (checked_.types[id]->kind == TypeKind::kType) {
      return VisitTypeName(id, name);
    }
    if (!name.starts_with('.')) {
      for (auto scope = scopes_.rbegin(); scope != scopes_.rend(); ++scope) {
        if (name == scope->accumulator) {
          return AddLocal(Attribute::Base::kAccumulator, scope->frame, id);
        }
        if (!scope->in_result && name == scope->iteration) {
          return AddLocal(Attribute::Base::kIteration, scope->frame, id);
        }
        if (!scope->in_result && !scope->iteration2.empty() && name == scope->iteration2) {
          return AddLocal(Attribute::Base::kIteration2, scope->frame, id);
        }
      }
    }
    return VisitVariable(id, name.starts_with('.') ? name.substr(1) : name);
  }

  NodeIndex AddLocal(Attribute::Base form, std::uint32_t frame, NodeId id) {
    return Add(Op::kAttribute, id, AddDraft(form, frame, id));
  }

  Planned VisitTypeName(NodeId id, std::string_view name) {
    if (name.starts_with('.')) {
      name.remove_prefix(1);
    }
    if (const TypeName* known = environment_.FindTypeName(name);
        known != nullptr && known->has_value) {
      return AddConstant(id, Value::Of(known->denoted));
    }
    return Refuse(fmt::format("reference to undefined type: {}", name));
  }

  Planned VisitVariable(NodeId id, std::string_view name) {
    for (std::size_t i = environment_.variables.size(); i > 0; --i) {
      if (environment_.variables[i - 1].name == name) {
        const auto variable = static_cast<std::uint32_t>(i - 1);
        return Add(Op::kAttribute, id, AddDraft(Attribute::Base::kVariable, variable, id));
      }
    }
    return Refuse(fmt::format("no such attribute(s): {}", name));
  }

  Planned VisitSelect(NodeId id) {
    const Node& select = ast_.nodes[id];
    QUADRA_TRY(const NodeIndex operand, Visit(ast_.child(id, 0)));
    NodeIndex node = AsAttribute(operand);
    AddQualifier(plan_.nodes[node].detail,
                 {.test_only = select.test_only, .id = id, .key = Value::String(select.name)});
    if (select.test_only) {
      node = Add(Op::kTest, id, plan_.nodes[node].detail);
    }
    return node;
  }

  Planned PlanIndex(NodeId id, const Operands& operands, bool optional) {
    const NodeIndex node = AsAttribute(operands[0]);
    Qualifier qualifier = {.optional = optional, .id = id};
    const NodeIndex key = operands[1];
    if (IsConstant(key)) {
      if (!IsPrimitive(ConstantOf(key))) {
        return Refuse("invalid qualifier type: " + GoTypeName(ConstantOf(key)));
      }
      qualifier.key = ConstantOf(key);
    } else if (IsAttribute(key)) {
      qualifier.form = Qualifier::Form::kAttribute;
      qualifier.attribute = plan_.nodes[key].detail;
    } else {
      qualifier.form = Qualifier::Form::kComputed;
      qualifier.attribute = AddDraft(Attribute::Base::kOperand, key, id);
    }
    AddQualifier(plan_.nodes[node].detail, qualifier);
    return node;
  }

  std::uint32_t BranchOf(NodeIndex node) {
    return IsAttribute(node) ? plan_.nodes[node].detail
                             : AddDraft(Attribute::Base::kOperand, node, plan_.nodes[node].id);
  }

  Planned PlanConditional(NodeId id, const Operands& operands) {
    const std::uint32_t truthy = BranchOf(operands[1]);
    const std::uint32_t falsy = BranchOf(operands[2]);
    const std::uint32_t draft = AddDraft(Attribute::Base::kConditional, operands[0], id);
    drafts_[draft].attribute.truthy = truthy;
    drafts_[draft].attribute.falsy = falsy;
    return Add(Op::kAttribute, id, draft);
  }

  // Calls -------------------------------------------------------------------------------------

  Planned VisitCall(NodeId id) {
    QUADRA_TRY(const Operands operands, VisitChildren(id));
    const std::span<const OverloadIndex> candidates = checked_.overloads(id);
    if (candidates.empty()) {
      return Refuse(fmt::format("no such overload: {}", ast_.nodes[id].name));
    }
    const std::uint32_t function = environment_.overloads[candidates.front()].function;
    switch (plan_.functions->function(function).special) {
      case SpecialFunction::kAnd:
        return AddWithOperands(Op::kAnd, id, operands);
      case SpecialFunction::kOr:
        return AddWithOperands(Op::kOr, id, operands);
      case SpecialFunction::kConditional:
        return PlanConditional(id, operands);
      case SpecialFunction::kEquals:
        return AddWithOperands(Op::kEqual, id, operands);
      case SpecialFunction::kNotEquals:
        return AddWithOperands(Op::kNotEqual, id, operands);
      case SpecialFunction::kIndex:
        return PlanIndex(id, operands, /*optional=*/false);
      case SpecialFunction::kOptionalIndex:
        return PlanIndex(id, operands, /*optional=*/true);
      case SpecialFunction::kOptionalOr:
        return AddWithOperands(Op::kOptionalOr, id, operands);
      case SpecialFunction::kOptionalOrValue:
        return AddWithOperands(Op::kOptionalOrValue, id, operands);
      default:
        return PlanFunction(id, operands, function, candidates);
    }
  }

  Planned PlanFunction(NodeId id, const Operands& operands, std::uint32_t function,
                       std::span<const OverloadIndex> candidates) {
    const FunctionRuntime& runtime = plan_.functions->function(function);
    const OverloadRuntime* overload =
        candidates.size() == 1 ? &plan_.functions->overload(candidates.front()) : nullptr;
    if (overload != nullptr && overload->is_in_list && IsConstant(operands[1])) {
      return PlanMembership(id, operands, function, candidates);
    }
    if (runtime.special == SpecialFunction::kConversion && operands.size() == 1 &&
        IsConstant(operands[0])) {
      return FoldConversion(id, operands[0], function, overload);
    }
    const bool has_pattern = operands.size() >= 2 && IsConstant(operands[1]) &&
                             ConstantOf(operands[1]).kind() == Kind::kString;
    switch (runtime.special) {
      case SpecialFunction::kMatches:
      case SpecialFunction::kFind:
      case SpecialFunction::kFindAll:
        if (has_pattern) {
          return PlanRegex(id, operands, function, overload);
        }
        [[fallthrough]];
      default:
        return PlanCall(id, operands, function, overload);
    }
  }

  Call MakeCall(std::uint32_t function, const OverloadRuntime* overload) const {
    const FunctionRuntime& runtime = plan_.functions->function(function);
    Call call = {.function = function,
                 .cost = overload == nullptr ? runtime.cost : overload->cost,
                 .name = environment_.functions[function].name};
    if (runtime.by_name != nullptr) {
      call.implementation = runtime.by_name;
    } else if (overload != nullptr && overload->implementation != nullptr) {
      call.implementation = overload->implementation;
      call.overload = overload;
      call.non_strict = overload->non_strict;
    } else if (runtime.bound.size() == 1) {
      call.overload = &plan_.functions->overload(runtime.bound.front());
      call.implementation = call.overload->implementation;
      call.non_strict = call.overload->non_strict;
    } else {
      call.dispatch = !runtime.bound.empty();
    }
    return call;
  }

  NodeIndex AddCall(NodeId id, const Operands& operands, const Call& call) {
    const bool variadic = call.dispatch || call.regex != nullptr || operands.size() > 2 ||
                          (call.overload != nullptr && (call.overload->flags & kVariadic) != 0);
    plan_.calls.push_back(call);
    return AddWithOperands(variadic && !operands.empty() ? Op::kVariadic : Op::kCall, id, operands,
                           static_cast<std::uint32_t>(plan_.calls.size() - 1));
  }

  Planned PlanCall(NodeId id, const Operands& operands, std::uint32_t function,
                   const OverloadRuntime* overload) {
    const Call call = MakeCall(function, overload);
    if (operands.empty() && call.implementation == nullptr) {
      return Refuse(fmt::format("no such overload: {}()", call.name));
    }
    if (overload != nullptr && (overload->flags & kFoldable) != 0 && CanFold(operands)) {
      return FoldCall(id, operands, call);
    }
    return AddCall(id, operands, call);
  }

  bool CanFold(const Operands& operands) const {
    return environment_.options.fold_constants && !plan_.needs_stack &&
           std::ranges::all_of(operands, [&](NodeIndex node) { return IsConstant(node); });
  }

  // Computed once, charged every time.
  NodeIndex FoldCall(NodeId id, const Operands& operands, const Call& call) {
    absl::InlinedVector<Value, 4> arguments;
    for (const NodeIndex operand : operands) {
      arguments.push_back(ConstantOf(operand));
    }
    CallContext context = Context(call.name);
    const Value value = call.overload->Admits(arguments) ? call.implementation(context, arguments)
                                                         : NoSuchOverloadFor(context, arguments);
    plan_.folded.push_back({value, call.cost(arguments, value).cost});
    return Add(Op::kFolded, id, static_cast<std::uint32_t>(plan_.folded.size() - 1));
  }

  Planned FoldConversion(NodeId id, NodeIndex operand, std::uint32_t function,
                         const OverloadRuntime* overload) {
    const Call call = MakeCall(function, overload);
    const std::array<Value, 1> arguments = {ConstantOf(operand)};
    CallContext context = Context(call.name);
    Value value = arguments[0];
    if (!value.is_error()) {
      value = Invoke(call, context, arguments);
    }
    if (value.is_error()) {
      return Refuse(ErrorText(value.as_error()));
    }
    return AddConstant(id, value);
  }

  Value Invoke(const Call& call, CallContext& context, std::span<const Value> arguments) const {
    if (call.dispatch) {
      return plan_.functions->Dispatch(call.function, context, arguments);
    }
    if (call.overload != nullptr && !call.overload->Admits(arguments)) {
      return NoSuchOverloadFor(context, arguments);
    }
    return call.implementation(context, arguments);
  }

  Planned PlanRegex(NodeId id, const Operands& operands, std::uint32_t function,
                    const OverloadRuntime* overload) {
    Result<Regex> regex = Regex::Compile(ConstantOf(operands[1]).as_text());
    if (!regex) {
      return Refuse(regex.error().message);
    }
    plan_.regexes.push_back(*std::move(regex));
    Call call = MakeCall(function, overload);
    call.regex = &plan_.regexes.back();
    const SpecialFunction special = plan_.functions->function(function).special;
    call.with_regex = special == SpecialFunction::kMatches ? MatchesWith
                      : special == SpecialFunction::kFind  ? FindWith
                                                           : FindAllWith;
    return AddCall(id, operands, call);
  }

  // x in [constants]: a look-up in a set, free of charge.
  Planned PlanMembership(NodeId id, const Operands& operands, std::uint32_t function,
                         std::span<const OverloadIndex> candidates) {
    const OverloadRuntime* overload = &plan_.functions->overload(candidates.front());
    if (ConstantOf(operands[1]).kind() != Kind::kList) {
      return PlanCall(id, operands, function, overload);
    }
    const ListObject& list = ConstantOf(operands[1]).as_list();
    if (list.size() == 0) {
      return AddConstant(id, Value::Bool(false));
    }
    std::vector<Value> set;
    for (std::size_t i = 0; i < list.size(); ++i) {
      const Value element = list.At(i);
      if (!IsPrimitive(element)) {
        return PlanCall(id, operands, function, overload);
      }
      set.push_back(element);
      AppendTwins(element, set);
    }
    std::ranges::sort(set, [](const Value& a, const Value& b) { return CompareKeys(a, b) < 0; });
    plan_.sets.push_back(std::move(set));
    return AddWithOperands(Op::kMember, id, std::span(operands).first(1),
                           static_cast<std::uint32_t>(plan_.sets.size() - 1));
  }

  // Literals ----------------------------------------------------------------------------------

  bool AllConstant(const Operands& operands) const {
    return std::ranges::all_of(operands, [&](NodeIndex node) { return IsConstant(node); });
  }

  void MarkOptionals(NodeIndex node, NodeId id) {
    PlanNode& planned = plan_.nodes[node];
    plan_.optionals.resize(plan_.operands.size());
    for (std::uint32_t i = 0; i < planned.count; ++i) {
      const bool optional = ast_.is_optional(id, i);
      plan_.optionals[planned.first + i] = optional;
      planned.has_optionals = planned.has_optionals || optional;
    }
  }

  bool HasOptionals(NodeId id) const {
    for (std::uint32_t i = 0; i < ast_.nodes[id].child_count; ++i) {
      if (ast_.is_optional(id, i)) {
        return true;
      }
    }
    return false;
  }

  Planned VisitList(NodeId id) {
    QUADRA_TRY(const Operands operands, VisitChildren(id));
    if (AllConstant(operands) && !HasOptionals(id)) {
      Value* values = plan_.arena.MakeArray<Value>(operands.size());
      std::ranges::transform(operands, values, [&](NodeIndex node) { return ConstantOf(node); });
      return AddConstant(id, MakeList(plan_.arena, {values, operands.size()}));
    }
    const NodeIndex node = AddWithOperands(Op::kList, id, operands);
    MarkOptionals(node, id);
    return node;
  }

  Planned VisitMap(NodeId id) {
    QUADRA_TRY(const Operands operands, VisitChildren(id));
    if (AllConstant(operands) && !HasOptionals(id)) {
      auto* map = plan_.arena.Make<GrowingMap>(plan_.arena);
      for (std::size_t i = 0; i < operands.size(); i += 2) {
        if (const char* unhashable = UnhashableType(ConstantOf(operands[i]))) {
          return RefuseUnhashable(unhashable);
        }
        map->Put(ConstantOf(operands[i]), ConstantOf(operands[i + 1]));
      }
      return AddConstant(id, Value::Of(static_cast<const MapObject*>(map)));
    }
    const NodeIndex node = AddWithOperands(Op::kMap, id, operands);
    MarkOptionals(node, id);
    return node;
  }

  // The name of an object type is enough for a program, which then fails where it makes one.
  Planned VisitStruct(NodeId id) {
    if (environment_.FindObject(ast_.nodes[id].name) == nullptr) {
      return Refuse(fmt::format("unknown type: {}", ast_.nodes[id].name));
    }
    QUADRA_TRY(const Operands operands, VisitChildren(id));
    const NodeIndex node = AddWithOperands(Op::kObject, id, operands);
    MarkOptionals(node, id);
    return node;
  }

  // Folds -------------------------------------------------------------------------------------

  Planned VisitComprehension(NodeId id) {
    const Comprehension& names = ast_.comprehension(id);
    Fold fold = {.frame = plan_.frames++, .two_variables = !names.iteration2.empty()};
    QUADRA_TRY(fold.initial, Visit(ast_.child(id, 1)));
    QUADRA_TRY(fold.range, Visit(ast_.child(id, 0)));
    scopes_.push_back({names.accumulator, names.iteration, names.iteration2, fold.frame});
    QUADRA_TRY(fold.condition, Visit(ast_.child(id, 2)));
    QUADRA_TRY(fold.step, Visit(ast_.child(id, 3)));
    scopes_.back().in_result = true;
    QUADRA_TRY(fold.result, Visit(ast_.child(id, 4)));
    scopes_.pop_back();
    plan_.folds.push_back(fold);
    return Add(Op::kFold, id, static_cast<std::uint32_t>(plan_.folds.size() - 1));
  }

  // Layout ------------------------------------------------------------------------------------

  void Finish() {
    plan_.attributes.reserve(drafts_.size());
    for (std::uint32_t i = 0; i < drafts_.size(); ++i) {
      Attribute attribute = drafts_[i].attribute;
      attribute.last_id = DraftId(i);
      attribute.first = static_cast<std::uint32_t>(plan_.qualifiers.size());
      attribute.count = static_cast<std::uint32_t>(drafts_[i].qualifiers.size());
      plan_.qualifiers.insert(plan_.qualifiers.end(), drafts_[i].qualifiers.begin(),
                              drafts_[i].qualifiers.end());
      if (attribute.form == Attribute::Base::kVariable) {
        Link(attribute, drafts_[i]);
      }
      plan_.attributes.push_back(attribute);
    }
    for (PlanNode& node : plan_.nodes) {
      if (node.op == Op::kAttribute) {
        node.id = plan_.attributes[node.detail].last_id;
      }
    }
    plan_.optionals.resize(plan_.operands.size());
    std::ranges::sort(plan_.slots);
    const auto repeated = std::ranges::unique(plan_.slots);
    plan_.slots.erase(repeated.begin(), repeated.end());
  }

  // Asks for a slot that covers a path of constant names; has() and optional steps may only end it.
  void Link(Attribute& attribute, const Draft& draft) {
    absl::InlinedVector<std::string_view, 4> steps;
    for (const Qualifier& qualifier : draft.qualifiers) {
      if (qualifier.form != Qualifier::Form::kConstant || qualifier.key.kind() != Kind::kString) {
        break;
      }
      steps.push_back(qualifier.key.as_text());
      if (qualifier.optional || qualifier.test_only) {
        break;
      }
    }
    std::optional<Linker::Link> link;
    if (linker_ != nullptr && !steps.empty()) {
      link = linker_->Resolve(environment_.variables[attribute.base].name, steps);
    }
    if (!link || link->steps == 0) {
      plan_.reads_variables = true;
      return;
    }
    attribute.form = Attribute::Base::kSlot;
    attribute.base = link->slot;
    attribute.covered = static_cast<std::uint32_t>(link->steps);
    const Value& last = draft.qualifiers[link->steps - 1].key;
    attribute.missing = &NoSuchKey(plan_.arena, last).as_error();
    plan_.slots.push_back(link->slot);
  }

  Plan& plan_;
  const CheckedAst& checked_;
  const Ast& ast_;
  const Environment& environment_;
  Linker* linker_;
  std::vector<Draft> drafts_;
  std::vector<Scope> scopes_;
  int depth_ = 0;
};

// Whether the tree has loops or nodes with two parents.
bool MayRepeat(const Ast& ast) {
  std::vector<bool> seen(ast.nodes.size());
  for (const NodeId child : ast.links) {
    if (seen[child]) {
      return true;
    }
    seen[child] = true;
  }
  for (NodeId id = 0; id < ast.nodes.size(); ++id) {
    if (ast.nodes[id].kind == NodeKind::kComprehension) {
      const Node& range = ast.nodes[ast.child(id, 0)];
      if (range.kind != NodeKind::kList || range.child_count != 0) {
        return true;
      }
    }
  }
  return false;
}

}  // namespace

Result<std::unique_ptr<Plan>> MakePlan(std::shared_ptr<const CheckedAst> checked, NodeId root,
                                       Linker* linker, const TimeZones* zones) {
  auto plan = std::make_unique<Plan>();
  plan->checked = std::move(checked);
  plan->functions = &TableOf(*plan->checked->environment);
  plan->zones = zones;
  plan->needs_stack = MayRepeat(*plan->checked->ast);
  QUADRA_RETURN_IF_ERROR(Planner(*plan, linker).Run(root));
  return plan;
}

}  // namespace quadra::cel
