#include "cel/functions.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <string>

#include <fmt/format.h>

#include "cel/call_estimate.h"
#include "cel/eval_error.h"

namespace quadra::cel {
namespace {

struct NamedSpecial {
  std::string_view name;
  SpecialFunction special;
};

constexpr NamedSpecial kSpecials[] = {
    {"_&&_", SpecialFunction::kAnd},
    {"_||_", SpecialFunction::kOr},
    {"_?_:_", SpecialFunction::kConditional},
    {"_==_", SpecialFunction::kEquals},
    {"_!=_", SpecialFunction::kNotEquals},
    {"_[_]", SpecialFunction::kIndex},
    {"_[?_]", SpecialFunction::kOptionalIndex},
    {"_?._", SpecialFunction::kOptionalIndex},
    {"or", SpecialFunction::kOptionalOr},
    {"orValue", SpecialFunction::kOptionalOrValue},
    {"bool", SpecialFunction::kConversion},
    {"bytes", SpecialFunction::kConversion},
    {"double", SpecialFunction::kConversion},
    {"duration", SpecialFunction::kConversion},
    {"dyn", SpecialFunction::kConversion},
    {"int", SpecialFunction::kConversion},
    {"string", SpecialFunction::kConversion},
    {"timestamp", SpecialFunction::kConversion},
    {"type", SpecialFunction::kConversion},
    {"uint", SpecialFunction::kConversion},
    {"matches", SpecialFunction::kMatches},
    {"find", SpecialFunction::kFind},
    {"findAll", SpecialFunction::kFindAll},
};

SpecialFunction SpecialOf(std::string_view name) {
  const auto* found = std::ranges::find(kSpecials, name, &NamedSpecial::name);
  return found == std::end(kSpecials) ? SpecialFunction::kNone : found->special;
}

constexpr std::uint32_t Bit(Kind kind) { return 1U << static_cast<unsigned>(kind); }

// Every kind but errors.
constexpr std::uint32_t kAnyKind = ~(Bit(Kind::kError) | Bit(Kind::kAbsent));

std::uint32_t NamedKind(std::string_view name) {
  struct Row {
    std::string_view name;
    Kind kind;
  };
  constexpr Row kRows[] = {
      {"optional_type", Kind::kOptional},
      {"kubernetes.Quantity", Kind::kQuantity},
      {"kubernetes.Semver", Kind::kSemver},
      {"net.IP", Kind::kIp},
      {"net.CIDR", Kind::kCidr},
      {"kubernetes.URL", Kind::kUrl},
      {"kubernetes.NamedFormat", Kind::kFormat},
  };
  const auto* found = std::ranges::find(kRows, name, &Row::name);
  return found == std::end(kRows) ? 0 : Bit(found->kind);
}

std::uint32_t KindsOf(Type type) {
  switch (type->kind) {
    case TypeKind::kDyn:
    case TypeKind::kAny:
    case TypeKind::kParam:
      return kAnyKind;
    case TypeKind::kError:
      return 0;
    case TypeKind::kNull:
      return Bit(Kind::kNull);
    case TypeKind::kBool:
      return Bit(Kind::kBool);
    case TypeKind::kInt:
      return Bit(Kind::kInt);
    case TypeKind::kUint:
      return Bit(Kind::kUint);
    case TypeKind::kDouble:
      return Bit(Kind::kDouble);
    case TypeKind::kString:
      return Bit(Kind::kString);
    case TypeKind::kBytes:
      return Bit(Kind::kBytes);
    case TypeKind::kTimestamp:
      return Bit(Kind::kTimestamp);
    case TypeKind::kDuration:
      return Bit(Kind::kDuration);
    case TypeKind::kType:
      return Bit(Kind::kType);
    case TypeKind::kList:
      return Bit(Kind::kList);
    case TypeKind::kMap:
      return Bit(Kind::kMap);
    case TypeKind::kOpaque:
    case TypeKind::kObject:
      return NamedKind(type->name);
  }
  return 0;
}

// Whether the entries of a list or map matter.
bool IsDeep(Type type) {
  return std::ranges::any_of(type->parameters,
                             [](Type entry) { return KindsOf(entry) != kAnyKind; }) &&
         (type->kind == TypeKind::kList || type->kind == TypeKind::kMap);
}

ParameterGuard GuardOf(Type type, bool non_strict) {
  return {.kinds = KindsOf(type) | (non_strict ? Bit(Kind::kError) : 0),
          .deep = IsDeep(type) ? type : nullptr};
}

OverloadRuntime MakeOverload(const Overload& overload) {
  const Behaviour& behaviour = overload.behaviour;
  OverloadRuntime runtime;
  runtime.implementation = behaviour.Is(kByName) ? nullptr : behaviour.run();
  runtime.flags = behaviour.flags();
  runtime.cost = behaviour.cost();
  runtime.is_in_list = overload.id == "in_list";
  runtime.non_strict = behaviour.Is(kNonStrict);
  for (const Type parameter : overload.parameters) {
    runtime.guards.push_back(GuardOf(parameter, runtime.non_strict));
  }
  return runtime;
}

FunctionRuntime MakeFunction(const Environment& environment, const Function& function) {
  FunctionRuntime runtime;
  runtime.special = SpecialOf(function.name);
  for (const OverloadIndex index : function.overloads) {
    const Behaviour& behaviour = environment.overloads[index].behaviour;
    if (behaviour.Is(kByName)) {
      runtime.by_name = behaviour.run();
    } else if (behaviour.run() != nullptr) {
      runtime.bound.push_back(index);
    }
    if (behaviour.Is(kCostByName)) {
      runtime.cost = behaviour.cost();
    }
  }
  return runtime;
}

constexpr TypeNode Named(TypeKind kind, std::string_view name) {
  return {.kind = kind, .name = name, .parameters = {}};
}

constexpr TypeNode kOptionalType = Named(TypeKind::kOpaque, "optional_type");
constexpr TypeNode kQuantityType = Named(TypeKind::kObject, "kubernetes.Quantity");
constexpr TypeNode kSemverType = Named(TypeKind::kObject, "kubernetes.Semver");
constexpr TypeNode kIpType = Named(TypeKind::kOpaque, "net.IP");
constexpr TypeNode kCidrType = Named(TypeKind::kOpaque, "net.CIDR");
constexpr TypeNode kUrlType = Named(TypeKind::kObject, "kubernetes.URL");
constexpr TypeNode kFormatType = Named(TypeKind::kObject, "kubernetes.NamedFormat");

}  // namespace

Type RuntimeType(const Value& value) {
  const std::array<Type, 21> by_kind = {
      types::kError,    types::kError,    types::kNull,    types::kBool,      types::kInt,
      types::kUint,     types::kDouble,   types::kString,  types::kBytes,     types::kTimestamp,
      types::kDuration, types::kTypeType, types::kListDyn, types::kMapDynDyn, &kOptionalType,
      &kQuantityType,   &kSemverType,     &kIpType,        &kCidrType,        &kUrlType,
      &kFormatType};
  static_assert(static_cast<std::size_t>(Kind::kFormat) + 1 == by_kind.size());
  return by_kind[static_cast<std::size_t>(value.kind())];
}

std::string_view RuntimeTypeName(const Value& value) { return RuntimeType(value)->name; }

Behaviour NotImplemented() { return {kUnbound, cost::One, estimate::One}; }

bool IsAssignable(Type type, const Value& value) {
  if ((KindsOf(type) >> static_cast<unsigned>(value.kind()) & 1U) == 0) {
    return false;
  }
  if (type->kind == TypeKind::kList && !type->parameters.empty() && value.as_list().size() > 0) {
    return IsAssignable(type->parameters[0], value.as_list().At(0));
  }
  if (type->kind == TypeKind::kMap && type->parameters.size() == 2 && value.as_map().size() > 0) {
    return IsAssignable(type->parameters[0], value.as_map().KeyAt(0)) &&
           IsAssignable(type->parameters[1], value.as_map().ValueAt(0));
  }
  return true;
}

FunctionTable::FunctionTable(const Environment& environment) {
  overloads_.reserve(environment.overloads.size());
  std::ranges::transform(environment.overloads, std::back_inserter(overloads_), MakeOverload);
  functions_.reserve(environment.functions.size());
  for (const Function& function : environment.functions) {
    functions_.push_back(MakeFunction(environment, function));
  }
}

Value FunctionTable::Dispatch(std::uint32_t function, CallContext& context,
                              std::span<const Value> arguments) const {
  for (const OverloadIndex index : functions_[function].bound) {
    const OverloadRuntime& overload = overloads_[index];
    if (overload.guards.size() == arguments.size() && overload.Admits(arguments)) {
      return overload.implementation(context, arguments);
    }
  }
  return NoSuchOverloadFor(context, arguments);
}

const FunctionTable& TableOf(const Environment& environment) {
  std::call_once(environment.runtime.made, [&] {
    environment.runtime.table = std::make_shared<const FunctionTable>(environment);
  });
  return *environment.runtime.table;
}

Value UnsupportedOperator(CallContext& context, const Value& left) {
  switch (left.kind()) {
    case Kind::kString:
    case Kind::kTimestamp:
    case Kind::kDuration:
      return Value::Of(&errors::kNoSuchOverload);
    default:
      return TextError(context.arena, fmt::format("no such overload: {}", context.function));
  }
}

Value NoSuchOverloadFor(CallContext& context, std::span<const Value> arguments) {
  std::string names;
  for (const Value& argument : arguments) {
    if (argument.is_error()) {
      return argument;
    }
    names += names.empty() ? "" : ", ";
    names += RuntimeTypeName(argument);
  }
  return TextError(context.arena, fmt::format("no such overload: {}({})", context.function, names));
}

}  // namespace quadra::cel
