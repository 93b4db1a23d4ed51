// Lists and maps that an evaluation or a program builds.
//
// They live in an Arena (or as members of a program) and own nothing. Immutable, but for the
// growing ones, which belong to one accumulator of one evaluation.
#pragma once

#include <cstddef>
#include <span>

#include "cel/arena.h"
#include "cel/value.h"

namespace quadra::cel {

class ArrayList final : public ListObject {
 public:
  explicit ArrayList(std::span<const Value> values) : values_(values) {}
  std::size_t size() const override { return values_.size(); }
  Value At(std::size_t n) const override { return values_[n]; }

 private:
  std::span<const Value> values_;
};

// Left then right, without copying; At() walks down the tree of concatenations.
class ConcatList final : public ListObject {
 public:
  ConcatList(const Value& left, const Value& right)
      : left_(left), right_(right), size_(left.as_list().size() + right.as_list().size()) {}
  std::size_t size() const override { return size_; }
  Value At(std::size_t n) const override;

 private:
  Value left_;
  Value right_;
  std::size_t size_;
};

// The accumulator of a fold. Append() is amortised O(1).
class GrowingList final : public ListObject {
 public:
  explicit GrowingList(Arena& arena) : arena_(&arena) {}
  std::size_t size() const override { return size_; }
  Value At(std::size_t n) const override { return values_[n]; }
  void Append(const Value& value);
  std::span<const Value> values() const { return {values_, size_}; }

 private:
  Arena* arena_;
  Value* values_ = nullptr;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
};

struct MapEntry {
  Value key;
  Value value;
};

// A total order of keys that may appear in one map: by kind, then by value. Keys of kinds that
// upstream compares by identity (lists, maps, quantities) order by address.
int CompareKeys(const Value& a, const Value& b);
// The name upstream's runtime gives a kind that cannot be a key, or null: "types.Bytes".
const char* UnhashableType(const Value& key);

// Entries sorted by key. Find() is O(log n) and follows the language's numeric keys: 1, 1u and 1.0
// find each other.
class ArrayMap final : public MapObject {
 public:
  // REQUIRES: sorted by CompareKeys, no key twice.
  explicit ArrayMap(std::span<const MapEntry> entries) : entries_(entries) {}
  std::size_t size() const override { return entries_.size(); }
  Value Find(const Value& key) const override;
  bool Contains(const Value& key) const override { return !Find(key).is_absent(); }
  Value KeyAt(std::size_t n) const override { return entries_[n].key; }
  Value ValueAt(std::size_t n) const override { return entries_[n].value; }
  bool HashesKeys() const override { return true; }

 private:
  std::span<const MapEntry> entries_;
};

// A map under construction, always sorted; also the accumulator of a fold.
class GrowingMap final : public MapObject {
 public:
  explicit GrowingMap(Arena& arena) : arena_(&arena) {}
  std::size_t size() const override { return size_; }
  Value Find(const Value& key) const override { return ArrayMap(entries()).Find(key); }
  bool Contains(const Value& key) const override { return !Find(key).is_absent(); }
  Value KeyAt(std::size_t n) const override { return entries_[n].key; }
  Value ValueAt(std::size_t n) const override { return entries_[n].value; }
  bool HashesKeys() const override { return true; }
  // The last of equal keys stays.
  void Put(const Value& key, const Value& value);
  void Remove(const Value& key);
  std::span<const MapEntry> entries() const { return {entries_, size_}; }

 private:
  MapEntry* LowerBound(const Value& key);
  void Reserve();

  Arena* arena_;
  MapEntry* entries_ = nullptr;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
};

Value MakeList(Arena& arena, std::span<const Value> values);
// An accumulator as a value of its own, no longer changed by what comes later.
Value Settle(Arena& arena, const Value& value);

}  // namespace quadra::cel
