// Meter: what an evaluation costs, step by step as upstream's tracker counts, and when it is over.
//
// Upstream keeps a stack of the values it has observed, looks a call's operands up in it by node
// id, and charges nothing where it does not find them. Where a plan evaluates every node at most
// once the outcome of that is known, and the stack is left out (`kStack` false). With it, every
// operation is amortised constant time. For one evaluation on one thread.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "absl/container/inlined_vector.h"
#include "cel/machine.h"
#include "cel/plan.h"

namespace quadra::cel {

// The internal error upstream's tracker ends with when an operand is not of the type it insists on.
Value PanicError(Arena& arena, const Value& operand, std::string_view why);

template <bool kStack>
class Meter {
 protected:
  Meter(const Plan& plan, MachineMemory& memory, const Limits& limits)
      : plan_(plan), memory_(memory), limit_(limits.cost) {
    if constexpr (kStack) {
      memory.stack.clear();
      memory.latest.assign(plan.checked->ast->nodes.size(), 0);
    }
  }

  Arena& arena() { return memory_.arena; }

  // Ends the evaluation; nothing is charged any more.
  Value Stop(const EvalError& error) {
    if (stopped_ == nullptr) {
      stopped_ = &error;
    }
    return Value::Of(stopped_);
  }

  void Charge(std::uint64_t cost) {
    if (stopped_ != nullptr) {
      return;
    }
    cost_ += cost;
    if (cost_ > limit_) [[unlikely]] {
      stopped_ = &errors::kCostLimit;
    }
  }

  // Several steps of 1: the evaluation stops at the first that is too many.
  void ChargeSteps(std::uint64_t count) {
    if (stopped_ != nullptr) {
      return;
    }
    cost_ += count;
    if (cost_ > limit_) [[unlikely]] {
      cost_ = limit_ + 1;
      stopped_ = &errors::kCostLimit;
    }
  }

  void Push(std::uint32_t id, const Value& value) {
    if constexpr (kStack) {
      if (stopped_ == nullptr) {
        memory_.stack.push_back({id, memory_.latest[id], value});
        memory_.latest[id] = static_cast<std::uint32_t>(memory_.stack.size());
      }
    }
  }

  // Keeps the first `size` values. Each is popped once: constant time a value pushed.
  void Truncate(std::size_t size) {
    while (memory_.stack.size() > size) {
      memory_.latest[memory_.stack.back().id] = memory_.stack.back().earlier;
      memory_.stack.pop_back();
    }
  }

  // Forgets the latest value of `id` and all that came after it.
  void Drop(std::uint32_t id) {
    if constexpr (kStack) {
      if (const std::uint32_t position = memory_.latest[id]; position > 0) {
        Truncate(position - 1);
      }
    }
  }

  // The observed values of a node's operands, last to first; false at the first that is missing.
  bool DropOperands(const PlanNode& node, Value* values) {
    for (std::uint32_t n = node.count; n > 0; --n) {
      const std::uint32_t id = plan_.nodes[plan_.operands[node.first + n - 1]].id;
      const std::uint32_t position = memory_.latest[id];
      if (position == 0) {
        return false;
      }
      if (values != nullptr) {
        values[n - 1] = memory_.stack[position - 1].value;
      }
      Truncate(position - 1);
    }
    return true;
  }

  // Upstream's meter insists on the type of an operand and panics.
  [[gnu::noinline]] void Panic(const Value& operand, std::string_view why) {
    stopped_ = &PanicError(arena(), operand, why).as_error();
  }

  void ChargeRule(CostFunction rule, std::span<const Value> arguments, const Value& result) {
    if (stopped_ != nullptr) {
      return;
    }
    if (rule == &cost::One) {
      Charge(1);
      return;
    }
    const cel::Charge charge = rule(arguments, result);
    if (charge.panic != nullptr) [[unlikely]] {
      Panic(arguments[charge.operand], charge.panic);
      return;
    }
    Charge(charge.cost);
  }

  // A call whose operands were all evaluated, or, with the stack, may have been.
  void ObserveCall(const PlanNode& node, CostFunction rule, std::span<const Value> arguments,
                   bool complete, const Value& result) {
    if (result.is_error() && result.as_error().fatal) [[unlikely]] {
      Stop(result.as_error());
      return;
    }
    if constexpr (kStack) {
      if (stopped_ != nullptr) {
        return;
      }
      absl::InlinedVector<Value, 4> seen(node.count);
      if (DropOperands(node, seen.data())) {
        ChargeRule(rule, seen, result);
      }
      Push(node.id, result);
    } else if (complete) {
      ChargeRule(rule, arguments, result);
    }
  }

  void ObserveLiteral(const PlanNode& node, std::uint64_t cost, const Value& result) {
    if constexpr (kStack) {
      if (stopped_ == nullptr) {
        DropOperands(node, nullptr);
      }
    }
    Charge(cost);
    Push(node.id, result);
  }

  void ObserveQualifier(const Qualifier& qualifier, const Value& value) {
    if constexpr (kStack) {
      if (qualifier.form == Qualifier::Form::kComputed) {
        Drop(plan_.attributes[qualifier.attribute].last_id);
      }
    }
    Charge(1);
    Push(qualifier.id, value);
  }

  const Plan& plan_;
  MachineMemory& memory_;
  std::uint64_t cost_ = 0;
  const EvalError* stopped_ = nullptr;  // why it is over

 private:
  std::uint64_t limit_;
};

}  // namespace quadra::cel
