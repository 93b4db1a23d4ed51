// Value: an object of any kind as a tree whose shape a schema gives. It holds what Go's struct
// would hold, not what the JSON text said: numbers are numbers, quantities and times are parsed,
// absent differs from empty.
//
// A tree belongs to one version of one kind: struct members are keyed by the Field of that
// version's table. Encoders, conversion, defaulting and patches walk trees; the engine's own kinds
// also exist as plain structs (kinds.h).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "api/members.h"
#include "api/schema.h"
#include "base/clock.h"
#include "quantity/quantity.h"

namespace quadra::api {

class Value {
 public:
  struct Nil {
    friend bool operator==(Nil, Nil) = default;
  };
  using Items = std::vector<Value>;                             // kList
  using Entries = std::vector<std::pair<std::string, Value>>;   // kMap, sorted by key
  using Members = std::vector<std::pair<const Field*, Value>>;  // kStruct, in schema order

  Value() = default;
  template <typename T>
  explicit Value(T content) : content_(std::move(content)) {}

  bool is_nil() const { return std::holds_alternative<Nil>(content_); }

  // The content as T, or null when it is something else. T: bool, int64_t (integers, IntOrString
  // numbers, durations in nanoseconds), double, std::string (strings and decoded bytes), RawJson,
  // Quantity, Time, Items, Entries, Members.
  template <typename T>
  const T* As() const {
    return std::get_if<T>(&content_);
  }
  template <typename T>
  T* As() {
    return std::get_if<T>(&content_);
  }

  // Becomes an empty T unless it is a T already.
  template <typename T>
  T& Make() {
    if (T* have = As<T>()) {
      return *have;
    }
    return content_.emplace<T>();
  }
  template <typename T>
  void Set(T content) {
    content_ = std::move(content);
  }

  // Member of a struct, by Field or by JSON name; null when this is no struct or has none.
  const Value* Member(const Field& field) const;
  Value* Member(const Field& field);
  const Value* Member(std::string_view json) const;
  Value* Member(std::string_view json);
  // The member, made (nil) in schema order if absent. Makes a nil value a struct.
  Value& AddMember(const Field& field);
  void EraseMember(const Field& field);
  void EraseMember(std::string_view json);
  // Entry of a map, made if absent. Makes a nil value a map.
  Value& AddEntry(std::string_view key);

 private:
  std::variant<Nil, bool, std::int64_t, double, std::string, RawJson, quantity::Quantity, Time,
               Items, Entries, Members>
      content_;
};

// Semantic equality under a type, as upstream's apiequality.Semantic: absent, empty and zero lists
// and maps are equal, quantities compare by value. Pointers that are absent differ from pointers to
// zero.
bool Equal(const Type& type, const Value& a, const Value& b);

}  // namespace quadra::api
