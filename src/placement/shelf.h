// Shelf: objects of one kind, found by namespace and name, in the order in which they came.
#pragma once

#include <list>
#include <string>
#include <string_view>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "api/kinds.h"

namespace quadra::placement {

// T has metadata. Not thread-safe. An object stays where it is until it is removed, so pointers
// hold that long; Put over it changes what they point at. Cost of each call: a look-up.
template <typename T>
class Shelf {
 public:
  // In place of the object of that name, or as the last one. False if it replaced one.
  bool Put(T object) {
    const auto [at, added] = places_.try_emplace(api::FullNameOf(object));
    if (added) {
      at->second = objects_.insert(objects_.end(), std::move(object));
    } else {
      *at->second = std::move(object);
    }
    return added;
  }

  void Remove(std::string_view ns, std::string_view name) {
    if (const auto found = places_.find(api::FullName(ns, name)); found != places_.end()) {
      objects_.erase(found->second);
      places_.erase(found);
    }
  }

  // Null if there is none.
  const T* Find(std::string_view ns, std::string_view name) const {
    const auto found = places_.find(api::FullName(ns, name));
    return found == places_.end() ? nullptr : &*found->second;
  }

  const std::list<T>& all() const { return objects_; }

 private:
  std::list<T> objects_;
  absl::flat_hash_map<std::string, typename std::list<T>::iterator> places_;
};

}  // namespace quadra::placement
