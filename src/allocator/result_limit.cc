#include "allocator/result_limit.h"

#include <fmt/format.h>

namespace quadra::allocator {

std::optional<std::string> ResultLimit::Add(std::int64_t devices) {
  if (devices > static_cast<std::int64_t>(kMaxResults) - sum_) {
    return fmt::format(
        "adding {} devices exceeds the claim limit of {}, with {} already accounted "
        "for",
        devices, kMaxResults, sum_);
  }
  sum_ += devices;
  return std::nullopt;
}

}  // namespace quadra::allocator
