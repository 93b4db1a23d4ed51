// Value: any JSON value as a tree that can be changed.
//
// For objects of kinds we have no struct for, and for work on parts of objects; hot paths read with
// Reader instead. Numbers keep their spelling, objects the order of their members and every
// duplicate. 40 bytes, cheap to move. Copying, comparing, parsing, writing and destroying need no
// recursion, so depth costs heap, not stack. Not thread-safe.
//
//   QUADRA_TRY(Value claim, ParseValue(text));
//   claim.Set("kind", Value("ResourceClaim"));
//   if (const Value* spec = claim.Find("spec")) { ... spec->members() ... }
#pragma once

#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "base/result.h"
#include "json/reader.h"
#include "json/writer.h"

namespace quadra::json {

class Value {
 public:
  struct Member;
  using Array = std::vector<Value>;
  using Object = std::vector<Member>;

  Value();  // null
  explicit Value(std::same_as<bool> auto boolean) : data_(boolean) {}
  explicit Value(std::string text);
  explicit Value(Array items);
  explicit Value(Object members);
  static Value Int(std::int64_t number);
  // REQUIRES: a JSON number.
  static Value Number(std::string spelling);

  Value(const Value& other);
  Value(Value&& other) noexcept;
  Value& operator=(const Value& other);
  Value& operator=(Value&& other) noexcept;
  ~Value();

  Kind kind() const { return static_cast<Kind>(data_.index()); }
  bool is_null() const { return kind() == Kind::kNull; }

  // REQUIRES: kind() is the one asked for.
  bool boolean() const { return std::get<bool>(data_); }
  const std::string& number() const { return std::get<Spelling>(data_).text; }
  const std::string& string() const { return std::get<std::string>(data_); }
  const Array& items() const { return std::get<Array>(data_); }
  Array& items() { return std::get<Array>(data_); }
  const Object& members() const { return std::get<Object>(data_); }
  Object& members() { return std::get<Object>(data_); }

  // The string, empty for every other kind.
  const std::string& text() const;

  // The first member of that name; null where there is none or this is no object. Linear in the
  // number of members.
  const Value* Find(std::string_view key) const;
  Value* Find(std::string_view key);
  // The same, answering a JSON null where Find finds nothing.
  const Value& Get(std::string_view key) const;
  // Replaces the first member of that name, or appends one. REQUIRES: an object.
  Value& Set(std::string_view key, Value value);
  // Removes all members of that name; whether there were any. REQUIRES: an object.
  bool Erase(std::string_view key);

  // Numbers are equal when spelled alike; the order of members does not matter.
  friend bool operator==(const Value& a, const Value& b);

 private:
  struct Spelling {
    std::string text;
  };
  bool HasNested() const;
  void MoveNestedTo(Array& out);
  void Dismantle() noexcept;

  std::variant<std::monostate, bool, Spelling, std::string, Array, Object>
      data_;  // in Kind's order
};

struct Value::Member {
  std::string key;
  Value value;
};

// Consumes the value at hand; null after an error, which stays with the reader.
Value ReadValue(Reader& reader);
Result<Value> ParseValue(std::string_view text);

void WriteValue(const Value& value, Writer& writer);
std::string ToJson(const Value& value, int indent = 0);

// The path of the first key that stands twice in one object, e.g. "spec.devices[0].name".
std::optional<std::string> FindDuplicateKey(const Value& value);

}  // namespace quadra::json
