// AttributeValues: an attribute of a device as constraints compare it, a set of numbered values.
//
// Comparing numbers is what the search does most under a constraint, so texts are looked at once,
// when a value gets its number. Equal numbers mean equal type and value; versions count by their
// text, as upstream's do. Not thread-safe.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "api/kinds.h"
#include "cel/value.h"

namespace quadra::allocator {

using ValueId = std::uint32_t;

// Hands out the numbers, from 0 without gaps: they are also indices.
class ValueNumbers {
 public:
  ValueId OfInt(std::int64_t value) { return Number(ints_, value); }
  ValueId OfBool(bool value) { return Number(bools_, std::int64_t{value}); }
  ValueId OfText(std::string_view value) { return Number(texts_, value); }
  ValueId OfVersion(std::string_view text) { return Number(versions_, text); }
  // For explanations: the value of a number that was handed out. Cost: all values.
  std::string TextOf(ValueId id) const;
  // Starts again at 0.
  void Clear();

 private:
  struct TextHash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const {
      return std::hash<std::string_view>()(text);
    }
  };
  // Most nodes have a handful of values, which are compared sooner than hashed.
  template <typename Key, typename Many>
  struct Known {
    static constexpr std::size_t kFew = 16;
    std::vector<std::pair<Key, ValueId>> few;
    Many many;  // those that came after the few

    // Null if the number was given to another. Cost: all of them.
    const Key* ValueOf(ValueId id) const {
      for (const auto& [value, number] : few) {
        if (number == id) {
          return &value;
        }
      }
      for (const auto& [value, number] : many) {
        if (number == id) {
          return &value;
        }
      }
      return nullptr;
    }
    void Clear() {
      few.clear();
      if (!many.empty()) {
        many.clear();
      }
    }
  };
  using Texts =
      Known<std::string, absl::flat_hash_map<std::string, ValueId, TextHash, std::equal_to<>>>;
  using Integers = Known<std::int64_t, absl::flat_hash_map<std::int64_t, ValueId>>;

  template <typename Ids, typename Value>
  ValueId Number(Ids& ids, Value value) {
    for (const auto& [known, id] : ids.few) {
      if (known == value) {
        return id;
      }
    }
    if (ids.few.size() < Ids::kFew) {
      return ids.few.emplace_back(value, next_++).second;
    }
    const auto known = ids.many.find(value);
    return known != ids.many.end() ? known->second : ids.many.emplace(value, next_++).first->second;
  }

  Integers ints_;
  Integers bools_;
  Texts texts_;
  Texts versions_;
  ValueId next_ = 0;
};

// A scalar is a set of one. Which of upstream's two rules applies depends on the gate for lists;
// see constraint.h.
struct AttributeValues {
  std::vector<ValueId> ids;  // ascending, each once; none: no value, or an empty list
  bool is_list = false;

  // Those of an attribute in the selector's table, or of one that an expression derived, instead
  // of the present ones.
  void Assign(const cel::Value& attribute, ValueNumbers& numbers);
  void Assign(const api::DeviceAttribute& attribute, ValueNumbers& numbers);

  friend bool operator==(const AttributeValues&, const AttributeValues&) = default;
};

// Whether a number is in both. Cost: the smaller set, times the logarithm of a much larger one.
bool HaveCommon(const std::vector<ValueId>& a, const std::vector<ValueId>& b);

}  // namespace quadra::allocator
