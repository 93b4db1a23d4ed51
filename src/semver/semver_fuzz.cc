// Any bytes: no crash; what parses prints itself, matches the specification and orders
// consistently.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/check.h"
#include "semver/semver.h"

namespace quadra::semver {
namespace {

void CheckReaders(std::string_view text) {
  const auto parsed = Version::Parse(text);
  const auto normalized = Version::ParseNormalized(text);
  if (parsed) {
    QUADRA_CHECK(MatchesSpec(text), "Parse takes no more than the specification");
    QUADRA_CHECK(parsed->ToString() == text, "a version prints as it was read");
    QUADRA_CHECK(normalized && normalized->ToString() == text, "a version is normal already");
  }
  if (normalized) {
    const auto again = Version::Parse(normalized->ToString());
    QUADRA_CHECK(again && *again == *normalized, "normalised text is a version");
  }
}

void Check(std::string_view text) {
  const std::size_t middle = text.find('|');
  const std::string_view left = text.substr(0, middle);
  const std::string_view right = middle == text.npos ? "1.0.0-1" : text.substr(middle + 1);
  CheckReaders(left);
  const auto a = Version::ParseNormalized(left);
  const auto b = Version::ParseNormalized(right);
  if (a && b) {
    QUADRA_CHECK((*a < *b) == (*b > *a), "order is antisymmetric");
    QUADRA_CHECK((*a == *b) == !(*a < *b || *b < *a), "order is total");
  }
}

}  // namespace
}  // namespace quadra::semver

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  quadra::semver::Check({reinterpret_cast<const char*>(data), size});
  return 0;
}
