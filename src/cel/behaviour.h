// Behaviour: what a call does beyond its types. How it runs, what the meter charges for it and what
// admission estimates for it stand together in the row of its overload (declarations.h).
//
// None of the three has a default: a row that lacks one does not compile, because a forgotten cost
// would silently count as one and let expressions through that upstream refuses.
//
//   {"find", "string_find_string", kMember, "string, string", "string",
//    {Find, cost::Regex, FindEstimate, kCostByName}},
#pragma once

#include <cstdint>
#include <span>
#include <type_traits>

namespace quadra::cel {

class Value;
struct CallContext;   // functions.h
struct Charge;        // call_cost.h
struct CallSite;      // call_estimate.h
struct CallEstimate;  // call_estimate.h

using Implementation = Value (*)(CallContext& context, std::span<const Value> arguments);
using CostFunction = Charge (*)(std::span<const Value> arguments, const Value& result);
using EstimateFunction = CallEstimate (*)(const CallSite& site);

enum BehaviourFlags : std::uint8_t {
  kPlain = 0,
  kVariadic = 1,    // upstream binds it as a general function: an error stops its operands
  kUnguarded = 2,   // takes operands of any type
  kFoldable = 4,    // cheap enough to be computed once when its operands are constants
  kByName = 8,      // the implementation is that of the function, whatever the overload
  kNonStrict = 16,  // takes errors as operands
  // Kubernetes looks its costs up by the function's name: they also count where the overload is
  // only chosen at run time. The language's own count as one there.
  kCostByName = 32,
};

// In place of an implementation: the planner lays these calls out itself (_&&_, _[_]), or nobody
// implements them here (authorizer).
struct Unbound {};
inline constexpr Unbound kUnbound;

class Behaviour {
 public:
  constexpr Behaviour(std::remove_pointer_t<Implementation>& run,
                      std::remove_pointer_t<CostFunction>& cost,
                      std::remove_pointer_t<EstimateFunction>& estimate,
                      std::uint8_t flags = kPlain)
      : run_(&run), cost_(&cost), estimate_(&estimate), flags_(flags) {}
  constexpr Behaviour(Unbound /*none*/, std::remove_pointer_t<CostFunction>& cost,
                      std::remove_pointer_t<EstimateFunction>& estimate,
                      std::uint8_t flags = kPlain)
      : cost_(&cost), estimate_(&estimate), flags_(flags) {}

  // Null if it is unbound.
  Implementation run() const { return run_; }
  CostFunction cost() const { return cost_; }
  EstimateFunction estimate() const { return estimate_; }
  std::uint8_t flags() const { return flags_; }
  bool Is(BehaviourFlags flag) const { return (flags_ & flag) != 0; }

 private:
  Implementation run_ = nullptr;
  CostFunction cost_;
  EstimateFunction estimate_;
  std::uint8_t flags_;
};

// Of a function that an environment declares and nobody implements: it costs one.
Behaviour NotImplemented();

}  // namespace quadra::cel
