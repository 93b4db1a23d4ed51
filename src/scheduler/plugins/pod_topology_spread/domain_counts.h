// DomainCounts: how many matching pods there are in each domain of a constraint's topology, and in which
// there are fewest.
//
// As upstream keeps it: the two fewest are remembered, so that pods can be imagined away and back at
// no cost; with more than two domains in play the second need not be the second fewest any more.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <string>

#include "absl/container/flat_hash_map.h"

namespace quadra::scheduler {

class DomainCounts {
 public:
  void Add(const std::string& domain, std::int32_t by);
  // Finds the fewest. Afterwards Change() keeps them.
  void Settle();
  void Change(const std::string& domain, std::int32_t by);

  std::size_t domains() const { return by_domain_.size(); }
  std::int32_t Of(const std::string& domain) const;
  // Of the domain with the fewest; 0 where there are fewer domains than wanted.
  std::int32_t Fewest(std::int32_t min_domains) const;

 private:
  struct Domain {
    std::string name;
    std::int32_t count = std::numeric_limits<std::int32_t>::max();
  };
  void Compare(const std::string& domain, std::int32_t count);

  absl::flat_hash_map<std::string, std::int32_t> by_domain_;
  std::array<Domain, 2> fewest_;
};

}  // namespace quadra::scheduler
