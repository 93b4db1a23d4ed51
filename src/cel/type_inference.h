// TypeInference: type variables, what they stand for so far, and assignability, rule by rule as
// upstream's checker has them.
//
// Work is counted: an expression whose types double in size with every step cannot take more than
// kMostSteps; exhausted() then says that no answer is reliable.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "cel/type.h"

namespace quadra::cel {

class TypeInference {
 public:
  explicit TypeInference(TypeArena& arena) : arena_(arena) {}

  Type NewVariable() { return arena_.Variable(next_++); }
  // Numbers for `count` variables at once; the first of them.
  std::uint32_t Reserve(std::size_t count);

  // Whether `from` fits `to`. On success the variables involved have been narrowed or widened; on
  // failure nothing has changed.
  bool Assignable(Type from, Type to);
  bool Assignable(std::span<const Type> from, std::span<const Type> to);

  // The type with all bound variables replaced; unbound ones by dyn if `unbound_to_dyn`.
  Type Substitute(Type type, bool unbound_to_dyn);

  // Of two types of which one fits the other.
  Type MostGeneral(Type a, Type b) { return LessSpecific(a, b) ? a : b; }

  bool exhausted() const { return steps_ > kMostSteps; }

 private:
  static constexpr std::uint32_t kMostSteps = 1 << 22;

  bool Count() { return ++steps_ <= kMostSteps; }
  Type Find(Type variable) const;
  void Bind(Type variable, Type type);
  void Undo(std::size_t mark);

  bool Fits(Type from, Type to);
  bool FitsAll(std::span<const Type> from, std::span<const Type> to);
  bool FitsNull(Type type) const;
  struct Standing {
    bool valid;
    bool bound;  // the variable already stood for something
  };
  Standing Stands(Type variable, Type type);
  bool Occurs(Type variable, Type type);
  bool LessSpecific(Type a, Type b);
  bool Exact(Type a, Type b);

  TypeArena& arena_;
  std::uint32_t next_ = 0;
  std::uint32_t steps_ = 0;
  std::vector<Type> bindings_;                           // by variable number
  std::vector<std::pair<std::uint32_t, Type>> changes_;  // what bindings were before
};

bool IsDyn(Type type);  // dyn or Any
bool IsOptional(Type type);

}  // namespace quadra::cel
