// Random: the only source of chance. Seeded in tests and simulations, from the system in servers.
#pragma once

#include <cstdint>
#include <string>

namespace quadra {

class Random {
 public:
  virtual ~Random() = default;
  virtual std::uint64_t Next() = 0;

  // Uniform in [0, bound). REQUIRES: bound > 0.
  std::uint64_t Below(std::uint64_t bound);
};

// The same seed gives the same numbers on every platform (splitmix64). Not thread-safe, not for
// secrets.
class SeededRandom final : public Random {
 public:
  explicit SeededRandom(std::uint64_t seed) : state_(seed) {}
  std::uint64_t Next() override;

 private:
  std::uint64_t state_;
};

// The kernel's generator. Thread-safe.
class SystemRandom final : public Random {
 public:
  std::uint64_t Next() override;
};

// A version 4 UUID in lower case: 8-4-4-4-12 hexadecimal digits.
std::string NewUuid(Random& random);

}  // namespace quadra
