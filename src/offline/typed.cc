#include "offline/typed.h"

#include <fmt/format.h>

namespace quadra::offline {

Error ErrorAt(const json::Manifest& manifest, std::string_view field, std::string message) {
  const std::string name = manifest.file() == "standard input" ? "-" : manifest.file();
  return {.reason = Reason::kInvalid,
          .message = fmt::format("{}:{}: {}", manifest.file(), manifest.Locate(field).line,
                                 std::move(message)),
          .remedy = fmt::format("quadra validate -f {} says more", name)};
}

Result<api::Object> DecodeCurrent(const json::Manifest& manifest, std::string_view api_version) {
  api::Decoded<api::Object> object =
      api::DecodeJson(manifest.json(), {.strictness = api::Strictness::kLenient});
  if (!object) {
    return Fail(ErrorAt(manifest, object.error().exact, object.error().message));
  }
  Result<api::Object> converted = api::Convert(*object, api_version);
  if (!converted) {
    return Fail(ErrorAt(manifest, "", converted.error().ToString()));
  }
  return converted;
}

}  // namespace quadra::offline
