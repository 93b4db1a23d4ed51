// Wanted: how much a simulation is to play, by a variable of the environment.
#pragma once

#include <cstdint>
#include <cstdlib>

namespace quadra::simulation {

inline std::uint64_t Wanted(const char* variable, std::uint64_t usual) {
  const char* const wanted = std::getenv(variable);  // NOLINT(concurrency-mt-unsafe)
  return wanted == nullptr ? usual : std::strtoull(wanted, nullptr, 10);
}

}  // namespace quadra::simulation
