// What functions do at run time: implementations by upstream's overload ids, resolved once per
// Environment.
//
// Each library file lists its implementations; FunctionTable joins them with the declarations and
// knows how upstream's planner dispatches each call. Immutable, shared by threads.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "cel/arena.h"
#include "cel/call_cost.h"
#include "cel/environment.h"
#include "cel/program.h"
#include "cel/value.h"

namespace quadra::cel {

// What an implementation may use beyond its operands.
struct CallContext {
  Arena& arena;
  const TimeZoneSource* zones = nullptr;
  std::string_view function;  // the name called
  // Quantities that an earlier comparison of this evaluation moved to the decimal form, as upstream
  // changes the receiver of a comparison.
  std::vector<const quantity::Quantity*>* decimals = nullptr;
};

using Implementation = Value (*)(CallContext& context, std::span<const Value> arguments);

enum BindingFlags : std::uint8_t {
  kPlain = 0,
  kVariadic = 1,   // upstream binds it as a general function: an error stops its operands
  kUnguarded = 2,  // takes operands of any type
  kFoldable = 4,   // cheap enough to be computed once when its operands are constants
  kByName = 8,     // `id` is the function's name: one implementation for all overloads
};

struct Binding {
  std::string_view id;
  Implementation implementation;
  std::uint8_t flags = kPlain;
};

// One list a library, in the file of that name.
std::span<const Binding> OperatorBindings();
std::span<const Binding> ConversionBindings();
std::span<const Binding> TimeBindings();
std::span<const Binding> StringBindings();
std::span<const Binding> StringFormatBindings();
std::span<const Binding> ListBindings();
std::span<const Binding> KubernetesListBindings();
std::span<const Binding> SetBindings();
std::span<const Binding> OptionalBindings();
std::span<const Binding> QuantityBindings();
std::span<const Binding> SemverBindings();
std::span<const Binding> NetworkBindings();
std::span<const Binding> UrlBindings();
std::span<const Binding> RegexBindings();
std::span<const Binding> FormatBindings();

// Functions whose calls the planner turns into something else than a call.
enum class SpecialFunction : std::uint8_t {
  kNone,
  kAnd,
  kOr,
  kConditional,
  kEquals,
  kNotEquals,
  kIndex,
  kOptionalIndex,
  kOptionalOr,
  kOptionalOrValue,
  kConversion,  // folded when its operand is constant
  kMatches,     // compiled when the pattern is constant
  kFind,
  kFindAll,
};

// Whether a value may be passed for a parameter of this type. Lists and maps by their first entry.
bool IsAssignable(Type type, const Value& value);
// The name of a value's type in messages: "int", "kubernetes.Quantity".
std::string_view RuntimeTypeName(const Value& value);
// The type a value has, for type(x).
Type RuntimeType(const Value& value);

// Which values a parameter takes: a bit per Kind, and the type where more is to be asked.
struct ParameterGuard {
  std::uint32_t kinds = 0;
  Type deep = nullptr;
  bool Admits(const Value& value) const {
    return (kinds >> static_cast<unsigned>(value.kind()) & 1U) != 0 &&
           (deep == nullptr || IsAssignable(deep, value));
  }
};

struct OverloadRuntime {
  Implementation implementation = nullptr;  // null: none of its own
  std::uint8_t flags = kPlain;
  CostRule cost = CostRule::kOne;
  bool is_in_list = false;
  bool non_strict = false;
  std::vector<ParameterGuard> guards;

  bool Admits(std::span<const Value> arguments) const {
    if ((flags & kUnguarded) != 0) {
      return true;
    }
    for (std::size_t i = 0; i < guards.size(); ++i) {
      if (!guards[i].Admits(arguments[i])) {
        return false;
      }
    }
    return true;
  }
};

struct FunctionRuntime {
  SpecialFunction special = SpecialFunction::kNone;
  Implementation by_name = nullptr;
  std::uint8_t flags = kPlain;
  std::vector<OverloadIndex> bound;  // overloads with an implementation, in order
  CostRule cost = CostRule::kOne;    // where the overload is not known
};

class FunctionTable {
 public:
  explicit FunctionTable(const Environment& environment);

  const OverloadRuntime& overload(OverloadIndex index) const { return overloads_[index]; }
  const FunctionRuntime& function(std::uint32_t index) const { return functions_[index]; }

  // Calls the first overload of the function that takes these operands, in the order of
  // declaration.
  Value Dispatch(std::uint32_t function, CallContext& context,
                 std::span<const Value> arguments) const;

 private:
  std::vector<OverloadRuntime> overloads_;
  std::vector<FunctionRuntime> functions_;
};

// The table of an environment, made on first use.
const FunctionTable& TableOf(const Environment& environment);

// "no such overload: f(int, string)", or the first operand that is an error.
Value NoSuchOverloadFor(CallContext& context, std::span<const Value> arguments);

}  // namespace quadra::cel
