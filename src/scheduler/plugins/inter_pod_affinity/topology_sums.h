// TopologySums: a number for every value of every topology key, e.g. how many pods match in each zone.
//
// A value. Cost: one lookup a key.
#pragma once

#include <cstdint>
#include <string>

#include "absl/container/flat_hash_map.h"
#include "api/kinds.h"

namespace quadra::scheduler {

class TopologySums {
 public:
  // To where the node is; nothing where it has no such label.
  void Add(const api::Node& node, const std::string& key, std::int64_t by);
  // Where the node is; 0 where it has no such label.
  std::int64_t At(const api::Node& node, const std::string& key) const;
  // At() of all keys together.
  std::int64_t TotalAt(const api::Node& node) const;
  bool AnyPositiveAt(const api::Node& node) const;

  // Whether nothing was ever added.
  bool empty() const { return by_key_.empty(); }
  bool IsZeroEverywhere() const;

 private:
  using ByValue = absl::flat_hash_map<std::string, std::int64_t>;
  absl::flat_hash_map<std::string, ByValue> by_key_;
};

}  // namespace quadra::scheduler
