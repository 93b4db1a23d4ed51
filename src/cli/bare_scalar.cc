#include "cli/bare_scalar.h"

#include <fmt/format.h>

namespace quadra::cli {
namespace {

// What the complaint says stands in the place of a string; empty where it says something else.
std::string_view Mistaken(std::string_view message) {
  if (message.ends_with("must be a string, not bool")) {
    return "boolean";
  }
  return message.ends_with("must be a string, not number") ? "number" : "";
}

}  // namespace

std::string BareScalarRemedy(const json::Manifest& manifest, std::string_view field,
                             std::string_view message) {
  const std::string_view mistaken = Mistaken(message);
  const std::string text = mistaken.empty() ? "" : manifest.BareText(field);
  return text.empty()
             ? ""
             : fmt::format("YAML reads a bare {0} as a {1}: write \"{0}\"", text, mistaken);
}

}  // namespace quadra::cli
