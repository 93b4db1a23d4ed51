#include "cel/type_inference.h"

#include <algorithm>

#include "absl/container/inlined_vector.h"

namespace quadra::cel {
namespace {

bool IsWildcard(Type type) { return IsDyn(type) || type->kind == TypeKind::kError; }

}  // namespace

bool IsDyn(Type type) { return type->kind == TypeKind::kDyn || type->kind == TypeKind::kAny; }

bool IsOptional(Type type) {
  return type->kind == TypeKind::kOpaque && type->name == "optional_type";
}

std::uint32_t TypeInference::Reserve(std::size_t count) {
  const std::uint32_t first = next_;
  next_ += static_cast<std::uint32_t>(count);
  return first;
}

bool TypeInference::Assignable(Type from, Type to) {
  const std::size_t mark = changes_.size();
  const bool fits = Fits(from, to);
  if (!fits) {
    Undo(mark);
  }
  return fits;
}

bool TypeInference::Assignable(std::span<const Type> from, std::span<const Type> to) {
  const std::size_t mark = changes_.size();
  const bool fits = FitsAll(from, to);
  if (!fits) {
    Undo(mark);
  }
  return fits;
}

Type TypeInference::Find(Type variable) const {
  const std::uint32_t number = variable->variable;
  return number == 0 || number > bindings_.size() ? nullptr : bindings_[number - 1];
}

void TypeInference::Bind(Type variable, Type type) {
  const std::uint32_t number = variable->variable;
  if (number > bindings_.size()) {
    bindings_.resize(std::max<std::size_t>(next_, number));
  }
  changes_.emplace_back(number, bindings_[number - 1]);
  bindings_[number - 1] = type;
}

void TypeInference::Undo(std::size_t mark) {
  while (changes_.size() > mark) {
    bindings_[changes_.back().first - 1] = changes_.back().second;
    changes_.pop_back();
  }
}

bool TypeInference::Fits(Type from, Type to) {
  if (!Count()) {
    return true;
  }
  if (to->kind == TypeKind::kParam) {
    const Standing standing = Stands(to, from);
    if (standing.valid || standing.bound) {
      return standing.valid;
    }
  }
  if (from->kind == TypeKind::kParam) {
    return Stands(from, to).valid;
  }
  if (IsWildcard(from) || IsWildcard(to)) {
    return true;
  }
  if (from->kind == TypeKind::kNull) {
    return FitsNull(to);
  }
  if (to->kind == TypeKind::kNull) {
    return FitsNull(from);
  }
  switch (from->kind) {
    case TypeKind::kType:
      return to->kind == TypeKind::kType;
    case TypeKind::kOpaque:
    case TypeKind::kList:
    case TypeKind::kMap:
      return from->kind == to->kind && from->name == to->name &&
             FitsAll(from->parameters, to->parameters);
    case TypeKind::kObject:
      return from->kind == to->kind && from->name == to->name;
    default:
      return from->kind == to->kind;
  }
}

bool TypeInference::FitsAll(std::span<const Type> from, std::span<const Type> to) {
  if (from.size() != to.size()) {
    return false;
  }
  for (std::size_t i = 0; i < from.size(); ++i) {
    if (!Fits(from[i], to[i])) {
      return false;
    }
  }
  return true;
}

bool TypeInference::FitsNull(Type type) const {
  switch (type->kind) {
    case TypeKind::kNull:
    case TypeKind::kOpaque:
    case TypeKind::kObject:
    case TypeKind::kDuration:
    case TypeKind::kTimestamp:
      return true;
    default:
      return false;
  }
}

// Whether `variable` may stand for `type`, from now on if it stood for nothing.
TypeInference::Standing TypeInference::Stands(Type variable, Type type) {
  if (type->kind == TypeKind::kParam && type->variable == variable->variable) {
    return {true, true};
  }
  if (const Type bound = Find(variable)) {
    if (Exact(type, bound)) {
      return {true, true};
    }
    if (!Fits(type, bound)) {
      return {false, true};
    }
    const Type general = MostGeneral(type, bound);
    if (!Occurs(variable, general)) {
      Bind(variable, general);
    }
    return {true, true};
  }
  if (Occurs(variable, type)) {
    return {false, false};
  }
  Bind(variable, type);
  return {true, false};
}

bool TypeInference::Occurs(Type variable, Type type) {
  if (!type->open || !Count()) {
    return false;
  }
  if (type->kind == TypeKind::kParam) {
    if (type->variable == variable->variable) {
      return true;
    }
    const Type bound = Find(type);
    return bound != nullptr && Occurs(variable, bound);
  }
  return std::ranges::any_of(type->parameters, [&](Type p) { return Occurs(variable, p); });
}

// Whether `a` equals `b` but for dyn and variables in `a`.
bool TypeInference::LessSpecific(Type a, Type b) {
  if (IsDyn(a) || a->kind == TypeKind::kParam || !Count()) {
    return true;
  }
  if (IsDyn(b) || b->kind == TypeKind::kParam || a->kind != b->kind) {
    return false;
  }
  switch (a->kind) {
    case TypeKind::kOpaque:
    case TypeKind::kList:
    case TypeKind::kMap:
      return a->name == b->name &&
             std::ranges::equal(a->parameters, b->parameters,
                                [&](Type p, Type q) { return LessSpecific(p, q); });
    case TypeKind::kType:
      return true;
    default:
      return a->name == b->name;
  }
}

bool TypeInference::Exact(Type a, Type b) {
  if (a == b) {
    return true;
  }
  return a->kind == b->kind && a->name == b->name && Count() &&
         std::ranges::equal(a->parameters, b->parameters,
                            [&](Type p, Type q) { return Exact(p, q); });
}

Type TypeInference::Substitute(Type type, bool unbound_to_dyn) {
  if (!type->open || !Count()) {
    return type;
  }
  if (type->kind == TypeKind::kParam) {
    if (const Type bound = Find(type)) {
      return Substitute(bound, unbound_to_dyn);
    }
    return unbound_to_dyn ? types::kDyn : type;
  }
  absl::InlinedVector<Type, 4> parameters(type->parameters.begin(), type->parameters.end());
  bool changed = false;
  for (Type& parameter : parameters) {
    const Type before = std::exchange(parameter, Substitute(parameter, unbound_to_dyn));
    changed = changed || before != parameter;
  }
  return changed ? arena_.Like(type, parameters) : type;
}

}  // namespace quadra::cel
