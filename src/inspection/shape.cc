#include "inspection/shape.h"

#include <fmt/format.h>

#include "json/value.h"

namespace quadra::inspection {

std::vector<api::DecodeError> ShapeProblems(std::string_view json) {
  std::vector<api::DecodeError> problems;
  const api::Decoded<api::Object> read =
      api::DecodeJson(json, {.strictness = api::Strictness::kLenient, .strict_errors = &problems});
  return read ? problems : std::vector<api::DecodeError>();
}

bool IsOldMapping(std::string_view path, const api::Identity& identity) {
  return identity.kind == "ResourceSlice" && (path.ends_with(".nodeAllocatableResourceMappings") ||
                                              path.ends_with(".nativeResourceMappings"));
}

std::string_view FittingVersion(std::string_view json, const api::Identity& identity) {
  Result<json::Value> object = json::ParseValue(json);
  for (const api::KindSchema& kind : api::AllKinds()) {
    if (!object || kind.kind != identity.kind || kind.group != identity.group()) {
      continue;
    }
    object->Set("apiVersion", json::Value(fmt::format("{}/{}", kind.group, kind.version)));
    if (api::DecodeJson(ToJson(*object))) {
      return kind.version;
    }
  }
  return "";
}

std::string FittingVersionHint(std::string_view json, const api::Identity& identity) {
  const std::string_view fitting = FittingVersion(json, identity);
  return fitting.empty() ? ""
                         : fmt::format("; this is the shape of {1}: write apiVersion: {0}/{1}",
                                       identity.group(), fitting);
}

}  // namespace quadra::inspection
