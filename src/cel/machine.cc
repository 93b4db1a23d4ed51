#include "cel/machine.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include "absl/container/inlined_vector.h"
#include "cel/containers.h"
#include "cel/equality.h"
#include "cel/go_text.h"
#include "cel/meter.h"
#include "cel/numbers.h"

namespace quadra::cel {
namespace {

// The state of a fold while it runs. The accumulator is computed when it is first read.
struct Frame {
  Value accumulator;
  Value iteration;
  Value iteration2;
  std::uint32_t initial = 0;
  bool initialized = false;
  bool growing = false;
};

template <bool kStack>
class Machine : private Meter<kStack> {
 public:
  Machine(const Plan& plan, const Inputs& inputs, MachineMemory& memory, const Limits& limits)
      : Meter<kStack>(plan, memory, limits),
        inputs_(inputs),
        context_{.arena = memory.arena,
                 .zones = plan.zones,
                 .function = {},
                 .decimals = &memory.decimals} {
    if (plan.frames > 0) {
      frames_ = memory.arena.MakeArray<Frame>(plan.frames);
    }
  }

  Evaluation Run() {
    Value value = Eval(plan_.root);
    if (stopped_ != nullptr) {
      value = Value::Of(stopped_);
    }
    return {value, cost_};
  }

 private:
  using Base = Meter<kStack>;
  using Base::arena;
  using Base::Charge;
  using Base::ChargeSteps;
  using Base::cost_;
  using Base::Drop;
  using Base::ObserveCall;
  using Base::ObserveLiteral;
  using Base::ObserveQualifier;
  using Base::plan_;
  using Base::Push;
  using Base::Stop;
  using Base::stopped_;

  // Nodes -------------------------------------------------------------------------------------

  std::uint32_t Operand(const PlanNode& node, std::uint32_t n) const {
    return plan_.operands[node.first + n];
  }

  // Operand `n`, without a call for the most usual ones.
  [[gnu::always_inline]] Value EvalOperand(const PlanNode& node, std::uint32_t n) {
    const std::uint32_t index = Operand(node, n);
    if constexpr (!kStack) {
      const PlanNode& operand = plan_.nodes[index];
      if (operand.op == Op::kConstant) {
        return plan_.constants[operand.detail];
      }
      if (operand.op == Op::kAttribute &&
          plan_.attributes[operand.detail].form == Attribute::Base::kSlot) {
        const Value value = ResolveSlot(plan_.attributes[operand.detail]);
        ChargeSteps(1);
        return value;
      }
    }
    return Eval(index);
  }

  [[gnu::noinline]] Value Eval(std::uint32_t index) {
    const PlanNode& node = plan_.nodes[index];
    switch (node.op) {
      case Op::kConstant: {
        const Value& value = plan_.constants[node.detail];
        Push(node.id, value);
        return value;
      }
      case Op::kFolded:
        Charge(plan_.folded[node.detail].cost);
        return plan_.folded[node.detail].value;
      case Op::kAttribute:
        return EvalAttribute(node);
      case Op::kTest:
        return EvalTest(node);
      case Op::kAnd:
        return EvalLogic(node, /*decisive=*/false);
      case Op::kOr:
        return EvalLogic(node, /*decisive=*/true);
      case Op::kEqual:
        return EvalEqual(node, /*negated=*/false);
      case Op::kNotEqual:
        return EvalEqual(node, /*negated=*/true);
      case Op::kCall:
        return EvalCall(node);
      case Op::kVariadic:
        return EvalVariadic(node);
      case Op::kList:
        return EvalList(node);
      case Op::kMap:
        return EvalMap(node);
      case Op::kObject:
        return EvalObject(node);
      case Op::kFold:
        return EvalFold(node);
      case Op::kMember:
        return EvalMember(node);
      case Op::kOptionalOr:
      case Op::kOptionalOrValue:
        return EvalOptionalOr(node);
    }
    return {};
  }

  [[gnu::noinline]] Value EvalLogic(const PlanNode& node, bool decisive) {
    Value error;
    Value result = Value::Bool(!decisive);
    for (std::uint32_t i = 0; i < node.count; ++i) {
      const Value value = Eval(Operand(node, i));
      if (stopped_ != nullptr) [[unlikely]] {
        return Value::Of(stopped_);
      }
      if (value.kind() == Kind::kBool) {
        if (value.as_bool() == decisive) {
          error = Value();
          result = value;
          break;
        }
      } else if (error.is_absent()) {
        error = MaybeNoSuchOverload(value);
      }
    }
    if (!error.is_absent()) {
      result = error;
    }
    if constexpr (kStack) {
      for (std::uint32_t i = 0; i < node.count; ++i) {
        Drop(plan_.nodes[Operand(node, i)].id);
      }
    }
    Push(node.id, result);
    return result;
  }

  [[gnu::noinline]] Value EvalEqual(const PlanNode& node, bool negated) {
    std::array<Value, 2> sides;
    sides[0] = EvalOperand(node, 0);
    if (stopped_ != nullptr) [[unlikely]] {
      return Value::Of(stopped_);
    }
    sides[1] = EvalOperand(node, 1);
    if constexpr (!kStack) {
      if (sides[0].kind() == Kind::kString && sides[1].kind() == Kind::kString) {
        const bool equal = sides[0].as_text() == sides[1].as_text();
        Charge(TextComparisonCost(sides[0].as_text(), sides[1].as_text(), equal));
        return Value::Bool(equal != negated);
      }
    }
    Value result;
    if (sides[0].is_error()) {
      result = sides[0];
    } else if (sides[1].is_error()) {
      result = sides[1];
    } else {
      const Equality equality = Equal(sides[0], sides[1]);
      if (equality == Equality::kTooLong) [[unlikely]] {
        return Stop(errors::kCostLimit);
      }
      if (negated) {
        result = Value::Bool(equality != Equality::kYes);
      } else {
        result = equality == Equality::kError ? Value::Of(&errors::kNoSuchOverload)
                                              : Value::Bool(equality == Equality::kYes);
      }
    }
    ObserveCall(node, negated ? cost::ShorterText : cost::Equal, sides, true, result);
    return result;
  }

  // Nobody implements the call: texts and times are asked as receivers first.
  [[gnu::noinline]] Value NotImplemented(const Call& call, std::span<const Value> arguments,
                                         std::uint32_t id) {
    const Kind kind = arguments[0].kind();
    if (kind == Kind::kString || kind == Kind::kTimestamp || kind == Kind::kDuration) {
      return Value::Of(&errors::kNoSuchOverload);
    }
    return TextError(arena(), arguments.size() > 2
                                  ? fmt::format("no such overload: {} {}", call.name, id)
                                  : fmt::format("no such overload: {}", call.name));
  }

  Value Invoke(const Call& call, std::span<const Value> arguments, std::uint32_t id) {
    context_.function = call.name;
    if (call.regex != nullptr) {
      return call.with_regex(*call.regex, context_, arguments);
    }
    if (call.dispatch) {
      return plan_.functions->Dispatch(call.function, context_, arguments);
    }
    if (call.implementation == nullptr) {
      return NotImplemented(call, arguments, id);
    }
    if (call.overload != nullptr && !call.overload->Admits(arguments)) {
      return NoSuchOverloadFor(context_, arguments);
    }
    return call.implementation(context_, arguments);
  }

  [[gnu::noinline]] Value EvalCall(const PlanNode& node) {
    const Call& call = plan_.calls[node.detail];
    std::array<Value, 2> arguments;
    Value result;
    for (std::uint32_t i = 0; i < node.count; ++i) {
      arguments[i] = EvalOperand(node, i);
      if (stopped_ != nullptr) [[unlikely]] {
        return Value::Of(stopped_);
      }
      if (arguments[i].is_error() && result.is_absent() && !call.non_strict) {
        result = arguments[i];
      }
    }
    const std::span<const Value> given = std::span(arguments).first(node.count);
    if (result.is_absent()) {
      result = Invoke(call, given, node.id);
    }
    ObserveCall(node, call.cost, given, true, result);
    return result;
  }

  [[gnu::noinline]] Value EvalVariadic(const PlanNode& node) {
    const Call& call = plan_.calls[node.detail];
    absl::InlinedVector<Value, 4> arguments(node.count);
    Value result;
    for (std::uint32_t i = 0; i < node.count; ++i) {
      arguments[i] = Eval(Operand(node, i));
      if (stopped_ != nullptr) [[unlikely]] {
        return Value::Of(stopped_);
      }
      if (arguments[i].is_error()) {
        result = arguments[i];
        break;
      }
    }
    // An error in the last operand: all were evaluated.
    const bool complete =
        result.is_absent() || (node.count > 0 && arguments[node.count - 1].is_error());
    const std::span<const Value> given = arguments;
    if (result.is_absent()) {
      result = Invoke(call, given, node.id);
    }
    ObserveCall(node, call.cost, given, complete, result);
    return result;
  }

  [[gnu::noinline]] Value EvalMember(const PlanNode& node) {
    const Value value = Eval(Operand(node, 0));
    Value result = value;
    if (!value.is_error()) {
      if (const char* unhashable = UnhashableType(value)) {
        const std::string text =
            fmt::format("internal error: runtime error: hash of unhashable type {}", unhashable);
        return Stop(FatalError(arena(), text).as_error());
      }
      const bool is_nan = value.kind() == Kind::kDouble && std::isnan(value.as_double());
      const bool found = !is_nan && std::ranges::binary_search(plan_.sets[node.detail], value,
                                                               [](const Value& a, const Value& b) {
                                                                 return CompareKeys(a, b) < 0;
                                                               });
      result = Value::Bool(found);
    }
    Push(node.id, result);
    return result;
  }

  [[gnu::noinline]] Value EvalOptionalOr(const PlanNode& node) {
    Value result = Eval(Operand(node, 0));
    if (stopped_ != nullptr) [[unlikely]] {
      return Value::Of(stopped_);
    }
    if (result.kind() == Kind::kOptional) {
      const Value* value = result.as_optional();
      if (value == nullptr) {
        result = Eval(Operand(node, 1));
      } else if (node.op == Op::kOptionalOrValue) {
        result = *value;
      }
    } else if (!result.is_error()) {
      result = Value::Of(&errors::kNoSuchOverload);
    }
    Push(node.id, result);
    return result;
  }

  // Literals ----------------------------------------------------------------------------------

  [[gnu::noinline]] Value EvalList(const PlanNode& node) {
    const Value result = BuildList(node);
    ObserveLiteral(node, 10, result);
    return result;
  }

  Value BuildList(const PlanNode& node) {
    Value* values = arena().template MakeArray<Value>(node.count);
    std::size_t size = 0;
    for (std::uint32_t i = 0; i < node.count; ++i) {
      Value value = Eval(Operand(node, i));
      if (value.is_error()) {
        return value;
      }
      if (node.has_optionals && plan_.optionals[node.first + i]) {
        if (value.kind() != Kind::kOptional) {
          return TextError(
              arena(),
              "cannot initialize optional list element from non-optional value " + GoText(value));
        }
        if (value.as_optional() == nullptr) {
          continue;
        }
        value = *value.as_optional();
      }
      values[size++] = value;
    }
    return MakeList(arena(), {values, size});
  }

  [[gnu::noinline]] Value EvalMap(const PlanNode& node) {
    const Value result = BuildMap(node);
    ObserveLiteral(node, 30, result);
    return result;
  }

  Value BuildMap(const PlanNode& node) {
    auto* map = arena().template Make<GrowingMap>(arena());
    for (std::uint32_t i = 0; i < node.count; i += 2) {
      const Value key = Eval(Operand(node, i));
      if (key.is_error()) {
        return key;
      }
      Value value = Eval(Operand(node, i + 1));
      if (value.is_error()) {
        return value;
      }
      const bool optional = node.has_optionals && plan_.optionals[node.first + i];
      if (optional && value.kind() != Kind::kOptional) {
        return TextError(arena(), fmt::format("cannot initialize optional entry '{}' from "
                                              "non-optional value {}",
                                              GoText(key), GoText(value)));
      }
      if (const char* unhashable = UnhashableType(key)) {
        const std::string text =
            fmt::format("internal error: runtime error: hash of unhashable type {}", unhashable);
        return Stop(FatalError(arena(), text).as_error());
      }
      if (optional && value.as_optional() == nullptr) {
        map->Remove(key);
        continue;
      }
      map->Put(key, optional ? *value.as_optional() : value);
    }
    return Value::Of(static_cast<const MapObject*>(map));
  }

  [[gnu::noinline]] Value EvalObject(const PlanNode& node) {
    const Value result = RefuseObject(node);
    ObserveLiteral(node, 40, result);
    return result;
  }

  // Its fields are evaluated first: their errors come before ours.
  Value RefuseObject(const PlanNode& node) {
    const Ast& ast = *plan_.checked->ast;
    const Node& written = ast.nodes[node.id];
    for (std::uint32_t i = 0; i < node.count; ++i) {
      const Value value = Eval(Operand(node, i));
      if (value.is_error()) {
        return value;
      }
      const bool optional = node.has_optionals && plan_.optionals[node.first + i];
      if (optional && value.kind() != Kind::kOptional) {
        return TextError(arena(), fmt::format("cannot initialize optional entry '{}' from "
                                              "non-optional value {}",
                                              ast.field_names[written.detail + i], GoText(value)));
      }
    }
    return TextError(arena(), fmt::format("unknown type '{}'", written.name));
  }

  // Attributes --------------------------------------------------------------------------------

  Value EvalAttribute(const PlanNode& node) {
    const Attribute& attribute = plan_.attributes[node.detail];
    const Value value =
        attribute.form == Attribute::Base::kSlot ? ResolveSlot(attribute) : Resolve(attribute);
    if (attribute.form == Attribute::Base::kConditional) {
      DropBranches(attribute);
    } else {
      Drop(attribute.last_id);
      ChargeSteps(1);
    }
    Push(node.id, value);
    return value;
  }

  void DropBranches(const Attribute& attribute) {
    if constexpr (kStack) {
      Drop(plan_.attributes[attribute.falsy].last_id);
      Drop(plan_.attributes[attribute.truthy].last_id);
      Drop(plan_.nodes[attribute.base].id);
    }
  }

  [[gnu::noinline]] Value EvalTest(const PlanNode& node) {
    const Attribute& attribute = plan_.attributes[node.detail];
    Value value = Resolve(attribute);
    if (value.kind() == Kind::kOptional) {
      value = Value::Bool(value.as_optional() != nullptr);
    }
    if (attribute.form == Attribute::Base::kConditional) {
      DropBranches(attribute);
      if (stopped_ == nullptr) {
        --cost_;
      }
    } else {
      Drop(attribute.last_id);
    }
    Push(node.id, value);
    return value;
  }

  Value Resolve(const Attribute& attribute) {
    switch (attribute.form) {
      case Attribute::Base::kSlot:
        return ResolveSlot(attribute);
      case Attribute::Base::kVariable:
        return Qualify(VariableOf(attribute.base), attribute);
      case Attribute::Base::kAccumulator:
        return Qualify(Accumulator(frames_[attribute.base]), attribute);
      case Attribute::Base::kIteration:
        return Qualify(frames_[attribute.base].iteration, attribute);
      case Attribute::Base::kIteration2:
        return Qualify(frames_[attribute.base].iteration2, attribute);
      case Attribute::Base::kOperand:
        return Qualify(Eval(attribute.base), attribute);
      case Attribute::Base::kConditional:
        return ResolveConditional(attribute);
    }
    return {};
  }

  [[gnu::noinline]] Value ResolveConditional(const Attribute& attribute) {
    const Value condition = Eval(attribute.base);
    if (stopped_ != nullptr) [[unlikely]] {
      return Value::Of(stopped_);
    }
    if (condition.kind() != Kind::kBool) {
      return MaybeNoSuchOverload(condition);
    }
    return Resolve(plan_.attributes[condition.as_bool() ? attribute.truthy : attribute.falsy]);
  }

  void PushCovered(const Attribute& attribute, std::uint32_t count, const Value& last) {
    if constexpr (kStack) {
      for (std::uint32_t i = 0; i < count; ++i) {
        const bool is_last = i + 1 == attribute.covered;
        Push(plan_.qualifiers[attribute.first + i].id, is_last ? last : Value::Null());
      }
    }
  }

  Value ResolveSlot(const Attribute& attribute) {
    const Value value = inputs_.Slot(attribute.base);
    const Qualifier& last = plan_.qualifiers[attribute.first + attribute.covered - 1];
    const bool absent = value.is_absent();
    const std::uint32_t seen = attribute.covered - (absent && last.optional ? 1 : 0);
    ChargeSteps(seen);
    PushCovered(attribute, seen, value);
    if (last.test_only) {
      return Value::Bool(!absent);
    }
    if (absent) {
      return last.optional ? Value::Optional(nullptr) : Value::Of(attribute.missing);
    }
    if (attribute.covered == attribute.count && !last.optional) {
      return value;
    }
    return ApplyQualifiers(value, attribute, attribute.covered, last.optional);
  }

  [[gnu::noinline]] Value Qualify(const Value& object, const Attribute& attribute) {
    if (object.is_error() || attribute.count == 0) {
      return object;
    }
    if (object.kind() != Kind::kOptional) {
      return ApplyQualifiers(object, attribute, 0, false);
    }
    if (object.as_optional() == nullptr) {
      return object;
    }
    return ApplyQualifiers(*object.as_optional(), attribute, 0, true);
  }

  // Absent only where the caller gave none.
  Value VariableOf(std::uint32_t variable) {
    const Value value = inputs_.Variable(variable);
    if (!value.is_absent()) {
      return value;
    }
    const std::string& name = plan_.checked->environment->variables[variable].name;
    return TextError(arena(), fmt::format("no such attribute(s): {}", name));
  }

  [[gnu::noinline]] Value ApplyQualifiers(Value object, const Attribute& attribute,
                                          std::uint32_t from, bool optional) {
    for (std::uint32_t i = from; i < attribute.count; ++i) {
      const Qualifier& qualifier = plan_.qualifiers[attribute.first + i];
      optional = optional || qualifier.optional;
      const bool presence = optional || qualifier.test_only;
      const Value next = Step(object, qualifier, presence);
      if (stopped_ != nullptr) [[unlikely]] {
        return Value::Of(stopped_);
      }
      if (optional) {
        if (next.is_error()) {
          return next;
        }
        if (next.is_absent()) {
          return Value::Optional(nullptr);
        }
        object = next;
      } else {
        object = qualifier.test_only && !next.is_error() ? Value::Bool(!next.is_absent()) : next;
      }
      ObserveQualifier(qualifier, object);
      if (object.is_error()) {
        return object;
      }
    }
    return optional ? Value::Optional(arena().template Make<Value>(object)) : object;
  }

  // One step: the value, absent where `presence` is asked and there is none, or an error.
  Value Step(const Value& object, const Qualifier& qualifier, bool presence) {
    if (qualifier.form == Qualifier::Form::kConstant) {
      return LookUp(object, qualifier.key, presence);
    }
    const Value key = Resolve(plan_.attributes[qualifier.attribute]);
    switch (key.kind()) {
      case Kind::kError:
        return key;
      case Kind::kString:
      case Kind::kInt:
      case Kind::kUint:
      case Kind::kDouble:
      case Kind::kBool:
        return LookUp(object, key, presence);
      default:
        return TextError(arena(), "invalid qualifier type: " + GoTypeName(key));
    }
  }

  Value LookUp(const Value& object, const Value& key, bool presence) {
    if (object.kind() == Kind::kMap) {
      const Value found = object.as_map().Find(key);
      return found.is_absent() && !presence ? NoSuchKey(arena(), key) : found;
    }
    if (object.kind() == Kind::kList) {
      return LookUpElement(object.as_list(), key, presence);
    }
    if (object.is_error()) {
      return object;
    }
    return presence ? Value() : NoSuchKey(arena(), key);
  }

  [[gnu::noinline]] Value LookUpElement(const ListObject& list, const Value& key, bool presence) {
    std::optional<std::int64_t> index;
    switch (key.kind()) {
      case Kind::kInt:
        index = key.as_int();
        break;
      case Kind::kUint:
        index = LosslessInt(key.as_uint());
        break;
      case Kind::kDouble:
        index = LosslessInt(key.as_double());
        break;
      default:
        return TextError(arena(), fmt::format("unsupported index type '{}' in list",
                                              ToString(RuntimeType(key))));
    }
    if (!index) {
      return TextError(arena(), fmt::format("unsupported index value {} in list", GoText(key)));
    }
    if (*index >= 0 && static_cast<std::uint64_t>(*index) < list.size()) {
      return list.At(static_cast<std::size_t>(*index));
    }
    return presence ? Value() : IndexOutOfBounds(arena(), key);
  }

  // Folds -------------------------------------------------------------------------------------

  Value Accumulator(Frame& frame) {
    if (!frame.initialized) {
      frame.initialized = true;
      Value value = Eval(frame.initial);
      if (value.kind() == Kind::kList && value.as_list().size() == 0) {
        frame.growing = true;
        value =
            Value::Of(static_cast<const ListObject*>(arena().template Make<GrowingList>(arena())),
                      ListForm::kGrowing);
      } else if (value.kind() == Kind::kMap && value.as_map().size() == 0) {
        frame.growing = true;
        value = Value::Of(static_cast<const MapObject*>(arena().template Make<GrowingMap>(arena())),
                          ListForm::kGrowing);
      }
      frame.accumulator = value;
    }
    return frame.accumulator;
  }

  [[gnu::noinline]] Value EvalFold(const PlanNode& node) {
    const Fold& fold = plan_.folds[node.detail];
    Frame& frame = frames_[fold.frame];
    frame = Frame{.initial = fold.initial};
    const Value range = Eval(fold.range);
    if (stopped_ != nullptr) [[unlikely]] {
      return Value::Of(stopped_);
    }
    const Value result = range.is_error() ? range : FoldOver(fold, frame, range);
    if (stopped_ != nullptr) [[unlikely]] {
      return Value::Of(stopped_);
    }
    Drop(plan_.nodes[fold.range].id);
    Push(node.id, result);
    return result;
  }

  Value FoldOver(const Fold& fold, Frame& frame, const Value& range) {
    switch (range.kind()) {
      case Kind::kList:
        FoldList(fold, frame, range.as_list());
        break;
      case Kind::kMap:
        FoldMap(fold, frame, range.as_map());
        break;
      default:
        return TextError(arena(),
                         fold.two_variables
                             ? "unsupported comprehension range type: " + GoTypeName(range)
                             : fmt::format("got '{}', expected iterable type", GoTypeName(range)));
    }
    if (stopped_ != nullptr) [[unlikely]] {
      return Value::Of(stopped_);
    }
    const Value result = Eval(fold.result);
    return frame.growing && !result.is_error() ? Settle(arena(), result) : result;
  }

  void FoldList(const Fold& fold, Frame& frame, const ListObject& list) {
    const std::size_t size = list.size();
    for (std::size_t i = 0; i < size; ++i) {
      const Value element = list.At(i);
      frame.iteration = fold.two_variables ? Value::Int(static_cast<std::int64_t>(i)) : element;
      frame.iteration2 = element;
      if (!FoldOnce(fold, frame)) {
        return;
      }
    }
  }

  void FoldMap(const Fold& fold, Frame& frame, const MapObject& map) {
    const std::size_t size = map.size();
    for (std::size_t i = 0; i < size; ++i) {
      frame.iteration = map.KeyAt(i);
      if (fold.two_variables) {
        frame.iteration2 = map.ValueAt(i);
      }
      if (!FoldOnce(fold, frame)) {
        return;
      }
    }
  }

  // Whether to go on.
  bool FoldOnce(const Fold& fold, Frame& frame) {
    const Value condition = Eval(fold.condition);
    if (stopped_ != nullptr) [[unlikely]] {
      return false;
    }
    if (condition.kind() == Kind::kBool && !condition.as_bool()) {
      return false;
    }
    const Value next = Eval(fold.step);
    frame.accumulator = next;
    frame.initialized = true;
    if (arena().used() > Arena::kLimit) [[unlikely]] {
      Stop(errors::kCostLimit);
    }
    return stopped_ == nullptr;
  }

  const Inputs& inputs_;
  CallContext context_;
  Frame* frames_ = nullptr;
};

}  // namespace

Evaluation Execute(const Plan& plan, const Inputs& inputs, MachineMemory& memory,
                   const Limits& limits) {
  if (plan.needs_stack) {
    return Machine<true>(plan, inputs, memory, limits).Run();
  }
  return Machine<false>(plan, inputs, memory, limits).Run();
}

}  // namespace quadra::cel
