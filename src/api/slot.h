// Slot and Binding: how a codec reaches into a plain struct. A Slot describes one C++ type (a
// scalar, an optional, a List, a Map, a struct); a Binding lists where a struct keeps each field of
// its schema.
//
// Private to api/. Everything is a constant or built on first use; reading is thread-safe.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "api/containers.h"
#include "api/meta.h"
#include "api/schema.h"
#include "base/clock.h"
#include "quantity/quantity.h"

namespace quadra::api {

struct Binding;

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
  // returns the element's address.
  void* (*open)(void*) = nullptr;
  void* (*add)(void*, std::string_view key) = nullptr;
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

// Where a plain struct keeps the fields of its schemas. A struct may stand for several schemas of
// the same shape (versions; containers and ephemeral containers).
struct Binding {
  // `openapi`: names of the schemas, space separated; the first is the one the struct is written
  // as. Every member must be a field of each, with a fitting type (checked).
  Binding(std::string_view openapi, std::initializer_list<Member> members);

  bool Has(const Struct& schema) const {
    return std::ranges::any_of(tables_,
                               [&](const Table& table) { return table.schema == &schema; });
  }
  const Struct& schema() const { return *tables_.front().schema; }
  // REQUIRES: `schema` is one of ours. By position in `schema.fields`.
  const Member& At(const Struct& schema, std::size_t field) const {
    for (const Table& table : tables_) {
      if (table.schema == &schema) {
        return table.members[field];
      }
    }
    return Missing(schema);
  }

 private:
  struct Table {
    const Struct* schema;
    std::vector<Member> members;
  };
  [[noreturn]] static const Member& Missing(const Struct& schema);

  std::vector<Table> tables_;
};

// The binding of a struct: specialised in the source file of its kind, declared in bindings.h.
template <typename T>
const Binding& BindingOf();

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

template <typename T>
struct SlotOf {
  static constexpr ScalarForm kScalar = ScalarFormOf<T>();
  static constexpr Slot Make() {
    if constexpr (kScalar != ScalarForm::kNone) {
      return {.scalar = kScalar};
    } else {
      return {.form = SlotForm::kStruct, .binding = &BindingOf<T>};
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
  static const void* Get(const void* p) { return static_cast<const L*>(p)->is_nil() ? nullptr : p; }
  static std::size_t Size(const void* p) { return static_cast<const L*>(p)->size(); }
  static const void* At(const void* p, std::size_t n) { return &(*static_cast<const L*>(p))[n]; }
  static constexpr Slot kSlot{.form = SlotForm::kList,
                              .inner = &SlotOf<T>::kSlot,
                              .open = Open,
                              .add = Add,
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
                              .clear = Clear,
                              .get = Get,
                              .size = Size,
                              .at = At,
                              .key = Key};
};

}  // namespace quadra::api
