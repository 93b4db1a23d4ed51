#include "scheduler/plugins/inter_pod_affinity/topology_sums.h"

#include <algorithm>

namespace quadra::scheduler {
namespace {

std::int64_t SumAt(const absl::flat_hash_map<std::string, std::int64_t>& by_value,
                   const std::string* value) {
  const auto found = value == nullptr ? by_value.end() : by_value.find(*value);
  return found == by_value.end() ? 0 : found->second;
}

}  // namespace

void TopologySums::Add(const api::Node& node, const std::string& key, std::int64_t by) {
  if (const std::string* const value = node.metadata.labels.Find(key)) {
    by_key_[key][*value] += by;
  }
}

std::int64_t TopologySums::At(const api::Node& node, const std::string& key) const {
  const auto found = by_key_.find(key);
  return found == by_key_.end() ? 0 : SumAt(found->second, node.metadata.labels.Find(key));
}

std::int64_t TopologySums::TotalAt(const api::Node& node) const {
  std::int64_t total = 0;
  for (const auto& [key, by_value] : by_key_) {
    total += SumAt(by_value, node.metadata.labels.Find(key));
  }
  return total;
}

bool TopologySums::AnyPositiveAt(const api::Node& node) const {
  return std::ranges::any_of(by_key_, [&](const auto& each) {
    return SumAt(each.second, node.metadata.labels.Find(each.first)) > 0;
  });
}

bool TopologySums::IsZeroEverywhere() const {
  return std::ranges::all_of(by_key_, [](const auto& each) {
    return std::ranges::all_of(each.second, [](const auto& sum) { return sum.second == 0; });
  });
}

}  // namespace quadra::scheduler
