#include "base/random.h"

#include <fmt/core.h>
#include <sys/random.h>

#include "base/check.h"

namespace quadra {

std::uint64_t Random::Below(std::uint64_t bound) {
  QUADRA_CHECK(bound > 0, "a number below zero does not exist");
  const std::uint64_t fair = UINT64_MAX - UINT64_MAX % bound;
  std::uint64_t number = Next();
  while (number >= fair) {
    number = Next();
  }
  return number % bound;
}

std::uint64_t SeededRandom::Next() {
  state_ += 0x9e3779b97f4a7c15;
  std::uint64_t z = state_;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

std::uint64_t SystemRandom::Next() {
  std::uint64_t number = 0;
  const ssize_t got = getrandom(&number, sizeof number, 0);
  QUADRA_CHECK(got == sizeof number, "the kernel serves up to 256 bytes whole");
  return number;
}

std::string NewUuid(Random& random) {
  const std::uint64_t high = (random.Next() & 0xffffffffffff0fff) | 0x4000;
  const std::uint64_t low = (random.Next() & 0x3fffffffffffffff) | 0x8000000000000000;
  return fmt::format("{:08x}-{:04x}-{:04x}-{:04x}-{:012x}", high >> 32, (high >> 16) & 0xffff,
                     high & 0xffff, low >> 48, low & 0xffffffffffff);
}

}  // namespace quadra
