// What the text of a YAML scalar means: YAML 1.1 as sigs.k8s.io/yaml resolves it.
//
// yes, on, y are booleans; 0755, 0o755, 0x1F, 0b11 and 1_000 integers; base 60 is text; dates are
// text, but text that must be quoted when written.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace quadra::json {

inline constexpr std::string_view kTagPrefix = "tag:yaml.org,2002:";

enum class ScalarType : std::uint8_t { kNull, kBool, kInt, kUint, kFloat, kString, kTimestamp };

struct Scalar {
  ScalarType type = ScalarType::kString;
  bool boolean = false;
  std::int64_t integer = 0;
  std::uint64_t natural = 0;  // kUint: beyond int64
  double number = 0;
};

// The meaning of `text` under `tag` (in full, e.g. tag:yaml.org,2002:int), where "" lets the text
// decide. Tags of no standard scalar mean strings. Nothing if the text is not of the type that the
// tag names.
std::optional<Scalar> ResolveScalar(std::string_view tag, std::string_view text);

// Whether `text` would be read as a string when written without quotes by upstream's writer.
bool IsPlainString(std::string_view text);

// Go's 'g' format with the fewest digits that read back as the same float or double; .inf and .nan
// as YAML has them.
std::string FormatFloat(float number);
std::string FormatFloat(double number);

}  // namespace quadra::json
