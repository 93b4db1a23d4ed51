// Slot and Binding: how a codec reaches into a plain struct. A Slot describes one C++ type (a
// scalar, an optional, a List, a Map, a struct); a Binding lists where a struct keeps each field of
// its schema.
//
// Private to api/. Everything is a constant or built on first use; reading is thread-safe.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "api/containers.h"
#include "api/generated/bindings.h"
#include "api/members.h"
#include "api/schema.h"
#include "base/clock.h"
#include "quantity/quantity.h"

namespace quadra::api {

enum class SlotForm : std::uint8_t { kScalar, kOptional, kList, kMap, kStruct };

enum class ScalarForm : std::uint8_t {
  kNone,
  kText,
  kBool,
  kInt32,
  kInt64,
  kRaw,
  kAmount,
  kMoment
};

struct Slot {
  SlotForm form = SlotForm::kScalar;
  ScalarForm scalar = ScalarForm::kNone;
  const Slot* inner = nullptr;            // kOptional, kList, kMap: the element
  const Binding& (*binding)() = nullptr;  // kStruct

  // Writing. `Open` on an optional makes its value, on a list or map makes it present; it returns
  // the value's address for optionals. `Add` appends to a list, or makes the entry of a map, and
  // returns the element's address; `append` does so for a new key of a map, which `order` then
  // sorts.
  void* (*open)(void*) = nullptr;
  void* (*add)(void*, std::string_view key) = nullptr;
  void* (*append)(void*, std::string_view key) = nullptr;
  void (*order)(void*) = nullptr;
  void (*reserve)(void*, std::size_t n) = nullptr;
  void (*clear)(void*) = nullptr;  // back to absent; scalars have none

  // Reading. `Get` is null for an absent optional or a nil list or map. `At` is the n-th element of
  // a list or map.
  const void* (*get)(const void*) = nullptr;
  std::size_t (*size)(const void*) = nullptr;
  const void* (*at)(const void*, std::size_t n) = nullptr;
  std::string_view (*key)(const void*, std::size_t n) = nullptr;
};

struct Member {
  std::string_view json;
  std::size_t offset = 0;
  const Slot* slot = nullptr;  // null: the struct does not keep this field
};

// A set of fields or members, by position.
using Positions = std::uint64_t;
inline constexpr std::size_t kMaxPositions = 64;
constexpr Positions PositionBit(std::size_t position) { return Positions{1} << position; }

// Where a plain struct keeps the fields of one schema.
struct MemberTable {
  const Struct* schema;
  std::vector<Member> members;               // by position in schema->fields
  std::vector<std::size_t> field_of_member;  // from the position in the binding
  Positions always_in_json = 0;              // the fields that are written even when absent
  Positions always_in_proto = 0;
};

// Where a plain struct keeps the fields of its schemas. A struct may stand for several schemas of
// the same shape (versions; containers and ephemeral containers).
class Binding {
 public:
  // `openapi`: names of the schemas, space separated; the first is the one the struct is written
  // as. Every member must be a field of each, with a fitting type (checked). `present` tells which
  // of them a struct has.
  Binding(std::string_view openapi, std::initializer_list<Member> members,
          Positions (*present)(const void* place));

  bool Has(const Struct& schema) const {
    return std::ranges::any_of(tables_,
                               [&](const MemberTable& table) { return table.schema == &schema; });
  }
  const Struct& schema() const { return *tables_.front().schema; }
  // REQUIRES: `schema` is one of ours.
  const MemberTable& TableOf(const Struct& schema) const {
    for (const MemberTable& table : tables_) {
      if (table.schema == &schema) {
        return table;
      }
    }
    Missing(schema);
  }
  // The fields of the table's schema that the struct at `place` has, neither absent nor zero.
  Positions PresentFields(const MemberTable& table, const void* place) const {
    Positions fields = 0;
    for (Positions left = present_(place); left != 0; left &= left - 1) {
      fields |=
          PositionBit(table.field_of_member[static_cast<std::size_t>(std::countr_zero(left))]);
    }
    return fields;
  }

 private:
  [[noreturn]] static void Missing(const Struct& schema);

  std::vector<MemberTable> tables_;
  Positions (*present_)(const void* place);
};

template <typename T>
constexpr ScalarForm ScalarFormOf() {
  if constexpr (std::is_same_v<T, std::string>) {
    return ScalarForm::kText;
  } else if constexpr (std::is_same_v<T, bool>) {
    return ScalarForm::kBool;
  } else if constexpr (std::is_same_v<T, std::int32_t>) {
    return ScalarForm::kInt32;
  } else if constexpr (std::is_same_v<T, std::int64_t>) {
    return ScalarForm::kInt64;
  } else if constexpr (std::is_same_v<T, RawJson>) {
    return ScalarForm::kRaw;
  } else if constexpr (std::is_same_v<T, quantity::Quantity>) {
    return ScalarForm::kAmount;
  } else if constexpr (std::is_same_v<T, Time>) {
    return ScalarForm::kMoment;
  } else {
    return ScalarForm::kNone;
  }
}

// Of a struct that is bound so.
constexpr Slot StructSlot(const Binding& (*binding)()) {
  return {.form = SlotForm::kStruct, .binding = binding};
}

template <typename T>
struct SlotOf {
  static constexpr ScalarForm kScalar = ScalarFormOf<T>();
  static constexpr Slot Make() {
    if constexpr (kScalar != ScalarForm::kNone) {
      return {.scalar = kScalar};
    } else {
      return StructSlot(&BindingOf<T>);
    }
  }
  static constexpr Slot kSlot = Make();
};

template <typename T>
struct SlotOf<std::optional<T>> {
  static void* Open(void* p) {
    auto& optional = *static_cast<std::optional<T>*>(p);
    return optional ? &*optional : &optional.emplace();
  }
  static const void* Get(const void* p) {
    const auto& optional = *static_cast<const std::optional<T>*>(p);
    return optional ? &*optional : nullptr;
  }
  static void Clear(void* p) { static_cast<std::optional<T>*>(p)->reset(); }
  static constexpr Slot kSlot{.form = SlotForm::kOptional,
                              .inner = &SlotOf<T>::kSlot,
                              .open = Open,
                              .clear = Clear,
                              .get = Get};
};

template <typename T>
struct SlotOf<List<T>> {
  using L = List<T>;
  static void* Open(void* p) { return static_cast<L*>(p)->MakePresent(), p; }
  static void Clear(void* p) { static_cast<L*>(p)->Reset(); }
  static void* Add(void* p, std::string_view) { return &static_cast<L*>(p)->emplace_back(); }
  static void Reserve(void* p, std::size_t n) { static_cast<L*>(p)->reserve(n); }
  static const void* Get(const void* p) { return static_cast<const L*>(p)->is_nil() ? nullptr : p; }
  static std::size_t Size(const void* p) { return static_cast<const L*>(p)->size(); }
  static const void* At(const void* p, std::size_t n) { return &(*static_cast<const L*>(p))[n]; }
  static constexpr Slot kSlot{.form = SlotForm::kList,
                              .inner = &SlotOf<T>::kSlot,
                              .open = Open,
                              .add = Add,
                              .reserve = Reserve,
                              .clear = Clear,
                              .get = Get,
                              .size = Size,
                              .at = At};
};

template <typename T>
struct SlotOf<Map<T>> {
  using M = Map<T>;
  static void* Open(void* p) { return static_cast<M*>(p)->MakePresent(), p; }
  static void Clear(void* p) { static_cast<M*>(p)->Reset(); }
  static void* Add(void* p, std::string_view key) { return &(*static_cast<M*>(p))[key]; }
  static void* Append(void* p, std::string_view key) { return &static_cast<M*>(p)->Append(key); }
  static void Order(void* p) { static_cast<M*>(p)->Order(); }
  static void Reserve(void* p, std::size_t n) { static_cast<M*>(p)->reserve(n); }
  static const void* Get(const void* p) { return static_cast<const M*>(p)->is_nil() ? nullptr : p; }
  static std::size_t Size(const void* p) { return static_cast<const M*>(p)->size(); }
  static const void* At(const void* p, std::size_t n) {
    return &static_cast<const M*>(p)->At(n).second;
  }
  static std::string_view Key(const void* p, std::size_t n) {
    return static_cast<const M*>(p)->At(n).first;
  }
  static constexpr Slot kSlot{.form = SlotForm::kMap,
                              .inner = &SlotOf<T>::kSlot,
                              .open = Open,
                              .add = Add,
                              .append = Append,
                              .order = Order,
                              .reserve = Reserve,
                              .clear = Clear,
                              .get = Get,
                              .size = Size,
                              .at = At,
                              .key = Key};
};

// Whether a value is neither absent nor zero. Structs, quantities and times always are there.
template <typename T>
bool IsPresent(const T& value) {
  if constexpr (std::is_same_v<T, std::string>) {
    return !value.empty();
  } else if constexpr (std::is_arithmetic_v<T>) {
    return value != 0;
  } else {
    return true;
  }
}
template <typename T>
bool IsPresent(const std::optional<T>& value) {
  return value.has_value();
}
template <typename T>
bool IsPresent(const List<T>& list) {
  return !list.is_nil();
}
template <typename T>
bool IsPresent(const Map<T>& map) {
  return !map.is_nil();
}

// One member of a bound struct, known to the compiler.
template <typename T, std::size_t kOffset>
struct BoundMember {
  std::string_view json;

  Member ToMember() const { return {json, kOffset, &SlotOf<T>::kSlot}; }
  static bool IsPresent(const void* place) {
    return api::IsPresent(*reinterpret_cast<const T*>(static_cast<const char*>(place) + kOffset));
  }
};

template <typename... Bound>
Positions PresentMembers(const void* place) {
  Positions present = 0;
  std::size_t n = 0;
  ((present |= Positions{Bound::IsPresent(place)} << n++), ...);
  return present;
}

template <typename... Bound>
Binding Bind(std::string_view openapi, Bound... members) {
  static_assert(sizeof...(Bound) <= kMaxPositions);
  return Binding(openapi, {members.ToMember()...}, &PresentMembers<Bound...>);
}

}  // namespace quadra::api
