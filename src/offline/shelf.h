// Shelf: objects of one kind, found by namespace and name, in the order in which they came.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"

namespace quadra::offline {

// namespace/name, as messages have it too.
inline std::string KeyOf(std::string_view ns, std::string_view name) {
  return std::string(ns) + "/" + std::string(name);
}

// T has metadata. Not thread-safe; pointers hold until the next Put.
template <typename T>
class Shelf {
 public:
  // In place of the object of that name, or as the last one. False if it replaced one.
  bool Put(T object) {
    const auto [at, added] =
        places_.try_emplace(KeyOf(object.metadata.ns, object.metadata.name), objects_.size());
    if (added) {
      objects_.push_back(std::move(object));
    } else {
      objects_[at->second] = std::move(object);
    }
    return added;
  }

  // Null if there is none.
  const T* Find(std::string_view ns, std::string_view name) const {
    const auto at = places_.find(KeyOf(ns, name));
    return at == places_.end() ? nullptr : &objects_[at->second];
  }

  const std::vector<T>& all() const { return objects_; }

 private:
  std::vector<T> objects_;
  absl::flat_hash_map<std::string, std::size_t> places_;
};

}  // namespace quadra::offline
