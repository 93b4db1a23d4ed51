// List and Map: the two containers of API objects. Unlike their std counterparts they know nil
// (never given) from empty (given as [] or {}), because validation and encoding do.
//
// Maps keep their entries sorted by key in one vector: API maps are small, written once and walked
// in key order. Who fills one in any order appends, and sorts at the end.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <initializer_list>
#include <memory>
#include <numeric>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace quadra::api {

// std::vector<bool> hands out no references, so lists of bool hold these.
struct BoolItem {
  bool value = false;
  BoolItem() = default;
  BoolItem(bool v) : value(v) {}  // NOLINT(google-explicit-constructor): stands in for bool
  operator bool() const { return value; }  // NOLINT(google-explicit-constructor)
};

// One pointer, since most lists of an object are nil; a present one costs two allocations.
template <typename T>
class List {
 public:
  using Item = std::conditional_t<std::is_same_v<T, bool>, BoolItem, T>;

  List() = default;
  List(std::initializer_list<Item> items) : items_(new std::vector<Item>(items)) {}
  List(const List& other)
      : items_(other.is_nil() ? nullptr : new std::vector<Item>(*other.items_)) {}
  List(List&&) noexcept = default;
  List& operator=(const List& other) { return *this = List(other); }
  List& operator=(List&&) noexcept = default;
  ~List() = default;

  bool is_nil() const { return items_ == nullptr; }
  bool empty() const { return size() == 0; }
  std::size_t size() const { return is_nil() ? 0 : items_->size(); }
  Item& operator[](std::size_t i) { return (*items_)[i]; }
  const Item& operator[](std::size_t i) const { return (*items_)[i]; }
  Item* begin() { return is_nil() ? nullptr : items_->data(); }
  Item* end() { return begin() + size(); }
  const Item* begin() const { return is_nil() ? nullptr : items_->data(); }
  const Item* end() const { return begin() + size(); }

  // Turns nil into empty.
  void MakePresent() { present(); }
  void reserve(std::size_t n) { present().reserve(n); }
  void push_back(Item item) { present().push_back(std::move(item)); }
  Item& emplace_back() { return present().emplace_back(); }
  // Back to nil.
  void Reset() { items_.reset(); }
  template <typename Predicate>
  void EraseIf(Predicate predicate) {
    if (!is_nil()) {
      std::erase_if(*items_, predicate);
    }
  }

  // Semantic equality: nil equals empty.
  friend bool operator==(const List& a, const List& b) { return std::ranges::equal(a, b); }

 private:
  std::vector<Item>& present() {
    if (is_nil()) {
      items_ = std::make_unique<std::vector<Item>>();
    }
    return *items_;
  }

  std::unique_ptr<std::vector<Item>> items_;
};

// Moves each item to its place: `order` tells which item belongs where, and is used up.
template <typename Item>
void MoveInto(std::span<std::size_t> order, std::vector<Item>& items) {
  for (std::size_t start = 0; start < order.size(); ++start) {
    if (order[start] == start) {
      continue;
    }
    Item first = std::move(items[start]);
    std::size_t hole = start;
    for (std::size_t next = order[hole]; next != start; next = order[hole]) {
      items[hole] = std::move(items[next]);
      order[hole] = hole;
      hole = next;
    }
    items[hole] = std::move(first);
    order[hole] = hole;
  }
}

// Sorts entries by their keys, moving each once: std::sort would move these large values again and
// again.
template <typename T>
void SortByKey(std::vector<std::pair<std::string, T>>& entries) {
  const auto key = [&](std::size_t n) -> std::string_view { return entries[n].first; };
  const std::size_t size = entries.size();
  std::size_t sorted = 1;
  while (sorted < size && key(sorted - 1) <= key(sorted)) {
    ++sorted;
  }
  if (sorted >= size) {
    return;
  }
  std::array<std::size_t, 32> few;
  std::vector<std::size_t> many(size > few.size() ? size : 0);
  const std::span<std::size_t> order =
      many.empty() ? std::span(few).first(size) : std::span<std::size_t>(many);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, {}, key);
  MoveInto(order, entries);
}

template <typename T>
class Map {
 public:
  using Entry = std::pair<std::string, T>;

  Map() = default;
  Map(std::initializer_list<Entry> entries) : entries_(entries), nil_(false) { Order(); }

  bool is_nil() const { return nil_; }
  bool empty() const { return entries_.empty(); }
  std::size_t size() const { return entries_.size(); }
  auto begin() { return entries_.begin(); }
  auto end() { return entries_.end(); }
  auto begin() const { return entries_.begin(); }
  auto end() const { return entries_.end(); }

  const T* Find(std::string_view key) const {
    const auto at = LowerBound(key);
    return at != entries_.end() && at->first == key ? &at->second : nullptr;
  }
  bool contains(std::string_view key) const { return Find(key) != nullptr; }
  // The n-th entry in key order.
  const Entry& At(std::size_t n) const { return entries_[n]; }

  void MakePresent() { nil_ = false; }
  void Reset() { *this = Map(); }
  void reserve(std::size_t n) { entries_.reserve(n); }
  // The value under `key`, made anew if there was none. Cheap when keys come in ascending order.
  T& operator[](std::string_view key) {
    nil_ = false;
    if (entries_.empty() || entries_.back().first < key) {
      return Append(key);
    }
    const auto at = entries_.begin() + (LowerBound(key) - entries_.cbegin());
    if (at != entries_.end() && at->first == key) {
      return at->second;
    }
    return entries_.emplace(at, std::string(key), T())->second;
  }
  // A new value under `key`, at the end. REQUIRES: `key` is new; Order() is called before anything
  // is looked up.
  T& Append(std::string_view key) {
    nil_ = false;
    return entries_
        .emplace_back(std::piecewise_construct, std::forward_as_tuple(key), std::tuple<>())
        .second;
  }
  // Sorts what was appended.
  void Order() { SortByKey(entries_); }

  friend bool operator==(const Map& a, const Map& b) { return a.entries_ == b.entries_; }

 private:
  static std::string_view NameIn(const Entry& entry) { return entry.first; }
  auto LowerBound(std::string_view key) const {
    return std::ranges::lower_bound(entries_, key, {}, NameIn);
  }

  std::vector<Entry> entries_;
  bool nil_ = true;
};

}  // namespace quadra::api
