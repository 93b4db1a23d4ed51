#include "apiserver/version_order.h"

#include <charconv>
#include <compare>
#include <optional>
#include <system_error>

namespace quadra::apiserver {
namespace {

// Greater is better.
struct Maturity {
  int stage = 0;  // 0 alpha, 1 beta, 2 stable
  unsigned major = 0;
  unsigned minor = 0;
  friend auto operator<=>(const Maturity&, const Maturity&) = default;
};

// The number that `text` begins with; nothing when it begins with none, with 0 or too large a one.
std::optional<unsigned> TakeNumber(std::string_view& text) {
  unsigned number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || number == 0) {
    return std::nullopt;
  }
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return number;
}

bool TakePrefix(std::string_view& text, std::string_view prefix) {
  if (!text.starts_with(prefix)) {
    return false;
  }
  text.remove_prefix(prefix.size());
  return true;
}

std::optional<Maturity> MaturityOf(std::string_view version) {
  if (!TakePrefix(version, "v")) {
    return std::nullopt;
  }
  const std::optional<unsigned> major = TakeNumber(version);
  if (!major) {
    return std::nullopt;
  }
  if (version.empty()) {
    return Maturity{2, *major, 0};
  }
  const int stage = TakePrefix(version, "beta") ? 1 : 0;
  if (stage == 0 && !TakePrefix(version, "alpha")) {
    return std::nullopt;
  }
  const std::optional<unsigned> minor = TakeNumber(version);
  return minor && version.empty() ? std::optional(Maturity{stage, *major, *minor}) : std::nullopt;
}

}  // namespace

bool PrecedesVersion(std::string_view a, std::string_view b) {
  const std::optional<Maturity> of_a = MaturityOf(a);
  const std::optional<Maturity> of_b = MaturityOf(b);
  if (of_a != of_b) {
    return of_a > of_b;
  }
  return a < b;
}

}  // namespace quadra::apiserver
