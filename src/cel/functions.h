// What functions do at run time: the behaviour of the rows, laid out by index once per Environment.
//
// FunctionTable knows how upstream's planner dispatches each call. Immutable, shared by threads; a
// call is found by its index, no name is looked up after planning.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "cel/arena.h"
#include "cel/behaviour.h"
#include "cel/call_cost.h"
#include "cel/environment.h"
#include "cel/program.h"
#include "cel/value.h"

namespace quadra::cel {

// What an implementation may use beyond its operands.
struct CallContext {
  Arena& arena;
  const TimeZones* zones = nullptr;
  std::string_view function;  // the name called
  // Quantities that an earlier comparison of this evaluation moved to the decimal form, as upstream
  // changes the receiver of a comparison.
  std::vector<const quantity::Quantity*>* decimals = nullptr;
};

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
  CostFunction cost = cost::One;
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
  std::vector<OverloadIndex> bound;  // overloads with an implementation, in order
  CostFunction cost = cost::One;     // where the overload is not known
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

// The left operand knows nothing of the operator. Texts and times are asked as receivers first,
// which words the refusal differently.
Value UnsupportedOperator(CallContext& context, const Value& left);

// The operator +, for those who sum.
Value Add(CallContext& context, std::span<const Value> arguments);

}  // namespace quadra::cel
