// Base64 with the standard alphabet and padding.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace quadra {

// Line breaks are skipped, as Go does; anything else outside the alphabet is refused.
std::optional<std::string> DecodeBase64(std::string_view text);
void AppendBase64(std::string& out, std::string_view bytes);

}  // namespace quadra
