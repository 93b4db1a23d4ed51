#include "apiserver/generated_name.h"

namespace quadra::apiserver {
namespace {

// Without vowels and what is easily mistaken, so that no words come about.
constexpr std::string_view kAlphabet = "bcdfghjklmnpqrstvwxz2456789";
constexpr std::size_t kRandomLength = 5;
constexpr std::size_t kMostOfBase = 58;

}  // namespace

std::string GeneratedName(std::string_view base, Random& random) {
  std::string name(base.substr(0, kMostOfBase));
  for (std::size_t i = 0; i < kRandomLength; ++i) {
    name += kAlphabet[random.Below(kAlphabet.size())];
  }
  return name;
}

}  // namespace quadra::apiserver
