// Constraint: a claim's demand that devices agree in an attribute (matchAttribute), or differ
// pairwise (distinctAttribute).
//
// The values are looked up once while planning; the search adds and removes devices like a stack.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "api/kinds.h"
#include "cel/value.h"

namespace quadra::allocator {

// A value of an attribute, with its type, as a number. Versions count by their text.
using ValueId = std::uint32_t;

// Hands out the numbers; equal values have equal ones. Not thread-safe.
class ValueNumbers {
 public:
  enum class Type : std::uint8_t { kInt, kBool, kText, kVersion };
  ValueId Of(Type type, std::string_view text);

 private:
  absl::flat_hash_map<std::string, ValueId> ids_;  // by type and text
};

// An attribute's values as constraints compare them. A scalar is a set of one. Which of upstream's
// two rules applies depends on the gate for lists.
struct AttributeValues {
  std::vector<ValueId> ids;  // ascending, each once; none: no value, or an empty list
  bool is_list = false;
  friend bool operator==(const AttributeValues&, const AttributeValues&) = default;
};
AttributeValues ValuesOf(const api::DeviceAttribute& attribute, ValueNumbers& numbers);
// The same of an attribute in the selector's table.
AttributeValues ValuesOf(const cel::Value& attribute, ValueNumbers& numbers);

class Constraint {
 public:
  enum class Rule : std::uint8_t { kMatch, kDistinct };
  Constraint(Rule rule, bool lists) : rule_(rule), lists_(lists) {}

  // Whether the device may join; it then has. `values` is null where it lacks the attribute.
  bool Add(const AttributeValues* values);
  // Undoes the last Add() that said yes.
  void Remove();
  // Undoes them all.
  void Clear() {
    members_.clear();
    common_.clear();
  }

  // Whether Add() would say yes, now and for as long as nothing is removed.
  bool Admits(const AttributeValues* values) const;
  Rule rule() const { return rule_; }
  bool empty() const { return members_.empty(); }

 private:
  bool AdmitsScalar(const AttributeValues& values) const;
  bool AdmitsList(const AttributeValues& values) const;

  Rule rule_;
  bool lists_;  // compare as sets
  std::vector<const AttributeValues*> members_;
  // kMatch by sets: what all members up to here share.
  std::vector<std::vector<ValueId>> common_;
};

}  // namespace quadra::allocator
