#include "api/engine_read.h"

#include <optional>
#include <string>
#include <utility>

#include "api/old_mappings.h"

namespace quadra::api {

Decoded<ResourceSlice> DecodeSliceForEngine(std::string_view json, const KindSchema* assumed) {
  const std::optional<std::string> renewed = RenewMappings(json);
  auto object = DecodeJson(renewed ? std::string_view(*renewed) : json,
                           {.strictness = Strictness::kLenient, .assumed = assumed});
  if (!object) {
    return tl::unexpected(std::move(object).error());
  }
  const auto v1 = Convert(*object, "resource.k8s.io/v1");
  if (!v1) {
    return tl::unexpected(DecodeError{.error_class = DecodeError::Class::kHeader,
                                      .path = {},
                                      .exact = {},
                                      .message = v1.error().ToString()});
  }
  return ToTyped<ResourceSlice>(*v1);
}

}  // namespace quadra::api
