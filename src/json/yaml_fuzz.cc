// Any bytes: reading YAML and manifests neither crashes nor gives bad JSON; what is written of it
// reads back.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "json/manifest.h"
#include "json/value.h"
#include "json/yaml.h"

namespace {

void Require(bool condition) {
  if (!condition) {
    std::abort();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  if (const auto json = quadra::json::YamlToJson(text)) {
    const auto value = quadra::json::ParseValue(*json);
    Require(value.has_value());
    const auto again = quadra::json::YamlToJson(quadra::json::ToYaml(*value));
    Require(again.has_value());
  }
  const auto read =
      quadra::json::ReadManifestText("fuzz", text, [](const quadra::json::Manifest& manifest) {
        Require(quadra::json::ParseValue(manifest.json()).has_value());
        Require(manifest.Locate("spec.a[0]").line >= 1);
        return quadra::Status();
      });
  Require(read.has_value() || !read.error().message.empty());
  return 0;
}
