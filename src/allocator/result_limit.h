// ResultLimit: how many devices a claim may have.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace quadra::allocator {

inline constexpr std::size_t kMaxResults = 32;  // of one claim

// Adds up what the requests of a claim take at least. Counts below zero make room, as upstream's.
class ResultLimit {
 public:
  // Upstream's words where the claim may not have these too; then they are not added.
  std::optional<std::string> Add(std::int64_t devices);

 private:
  std::int64_t sum_ = 0;
};

}  // namespace quadra::allocator
