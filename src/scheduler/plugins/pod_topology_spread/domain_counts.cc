#include "scheduler/plugins/pod_topology_spread/domain_counts.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace quadra::scheduler {

void DomainCounts::Add(const std::string& domain, std::int32_t by) { by_domain_[domain] += by; }

void DomainCounts::Settle() {
  std::vector<std::pair<std::int32_t, std::string>> all;
  for (const auto& [domain, count] : by_domain_) {
    all.emplace_back(count, domain);
  }
  const std::size_t kept = std::min(all.size(), fewest_.size());
  std::ranges::partial_sort(all, all.begin() + static_cast<std::ptrdiff_t>(kept));
  for (std::size_t i = 0; i < kept; ++i) {
    fewest_.at(i) = {.name = std::move(all[i].second), .count = all[i].first};
  }
}

void DomainCounts::Change(const std::string& domain, std::int32_t by) {
  Add(domain, by);
  Compare(domain, by_domain_[domain]);
}

void DomainCounts::Compare(const std::string& domain, std::int32_t count) {
  auto& [first, second] = fewest_;
  if (domain == first.name || domain == second.name) {
    (domain == first.name ? first : second).count = count;
    if (first.count > second.count) {
      std::swap(first, second);
    }
  } else if (count < first.count) {
    second = std::exchange(first, {.name = domain, .count = count});
  } else if (count < second.count) {
    second = {.name = domain, .count = count};
  }
}

std::int32_t DomainCounts::Of(const std::string& domain) const {
  const auto found = by_domain_.find(domain);
  return found == by_domain_.end() ? 0 : found->second;
}

std::int32_t DomainCounts::Fewest(std::int32_t min_domains) const {
  const bool enough = domains() >= static_cast<std::size_t>(std::max(min_domains, 0));
  return enough ? fewest_.front().count : 0;
}

}  // namespace quadra::scheduler
