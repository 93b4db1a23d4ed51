// NamedFormat: a rule for texts that expressions name (`format.dns1123Label()`), with upstream's
// messages for what breaks it.
//
// The formats are constants of the process. Checking is linear in the text.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace quadra::cel {

struct NamedFormat {
  std::string_view key;          // as expressions spell it: "dns1123Label"
  std::string_view name;         // as two formats are compared: "DNS1123Label"
  std::size_t pattern_size = 0;  // what the meter assumes
  // Empty if the text keeps the rule.
  std::vector<std::string> (*validate)(std::string_view text) = nullptr;
};

std::span<const NamedFormat> NamedFormats();
// Null if there is none.
const NamedFormat* FindNamedFormat(std::string_view key);

}  // namespace quadra::cel
