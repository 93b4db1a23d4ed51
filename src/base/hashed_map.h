// HashedMap: a map without order, of which copies share what is equal. See lineage.h for who may
// write what.
//
// An OrderedMap by the hash of the key, so a write of a new epoch copies a few small blocks, never
// the whole. A value is immutable once set: readers of older copies may still look at it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

#include "absl/hash/hash.h"
#include "base/ordered_map.h"

namespace quadra {

template <typename Key, typename Value>
class HashedMap {
 public:
  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  // Null if there is none. Valid as long as any copy that has the value.
  const Value* Find(const Key& key) const {
    for (const Entry* entry = FirstOf(key); entry != nullptr; entry = entry->next.get()) {
      if (entry->key == key) {
        return &entry->value;
      }
    }
    return nullptr;
  }
  bool contains(const Key& key) const { return Find(key) != nullptr; }

  void Set(Epoch writer, const Key& key, Value value) {
    Rest rest = Without(key);
    size_ += rest.had_it ? 0 : 1;
    by_hash_.Set(
        writer, HashOf(key),
        std::make_shared<const Entry>(Entry{key, std::move(value), std::move(rest.first)}));
  }
  void Erase(Epoch writer, const Key& key) {
    Rest rest = Without(key);
    if (!rest.had_it) {
      return;
    }
    --size_;
    if (rest.first != nullptr) {
      by_hash_.Set(writer, HashOf(key), std::move(rest.first));
    } else {
      by_hash_.Erase(writer, HashOf(key));
    }
  }

  // Calls visit(key, value) for all, in no particular order.
  template <typename Visit>
  void VisitAll(const Visit& visit) const {
    for (const auto& [hash, first] : by_hash_) {
      for (const Entry* entry = first.get(); entry != nullptr; entry = entry->next.get()) {
        visit(entry->key, entry->value);
      }
    }
  }

 private:
  struct Entry;
  using Link = std::shared_ptr<const Entry>;
  struct Entry {
    Key key;
    Value value;
    Link next;  // of the same hash
  };
  static std::uint64_t HashOf(const Key& key) { return absl::HashOf(key); }
  // Of those that share the key's hash; null if there are none.
  const Entry* FirstOf(const Key& key) const {
    const Link* first = by_hash_.Find(HashOf(key));
    return first == nullptr ? nullptr : first->get();
  }

  // The entries of the key's hash without its own.
  struct Rest {
    Link first;
    bool had_it = false;
  };
  Rest Without(const Key& key) const {
    Rest rest;
    for (const Entry* entry = FirstOf(key); entry != nullptr; entry = entry->next.get()) {
      if (entry->key == key) {
        rest.had_it = true;
      } else {
        rest.first =
            std::make_shared<const Entry>(Entry{entry->key, entry->value, std::move(rest.first)});
      }
    }
    return rest;
  }

  OrderedMap<std::uint64_t, Link> by_hash_;
  std::size_t size_ = 0;
};

}  // namespace quadra
