// Any text as what a query of a list can hold: reading it never crashes, and a continue token that
// reads leads to a key below its prefix and encodes as a token that reads the same.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "api/vocabulary.h"
#include "base/check.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace quadra::api;  // NOLINT(google-build-using-namespace): a fuzzer is one function
  constexpr std::string_view kPrefix = "/registry/pods/";
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  if (const auto selector = LabelSelector::Parse(text)) {
    selector->MatchesBy([](const auto& key) { return std::optional<std::string_view>(key); });
  }
  if (const auto selector = FieldSelector::Parse(text)) {
    selector->MatchesBy([](const auto& field) { return std::string_view(field); });
  }
  const auto token = DecodeContinue(text, kPrefix);
  if (!token || token->start_key == kPrefix) {
    return 0;
  }
  QUADRA_CHECK(token->start_key.starts_with(kPrefix), "a token cannot leave its list");
  const auto encoded = EncodeContinue(*token, kPrefix);
  QUADRA_CHECK(encoded.has_value(), "the key is below its prefix");
  const auto again = DecodeContinue(*encoded, kPrefix);
  QUADRA_CHECK(again && again->start_key == token->start_key &&
                   again->resource_version == token->resource_version,
               "what we encode we read");
  return 0;
}
