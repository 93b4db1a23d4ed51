#include "api/schema.h"

#include <algorithm>
#include <tuple>

#include "api/generated/structs.h"

namespace quadra::api {
namespace {

using Key = std::tuple<std::string_view, std::string_view, std::string_view>;

Key KeyOf(const KindSchema& schema) { return {schema.group, schema.version, schema.kind}; }

Key KeyOf(std::string_view api_version, std::string_view kind) {
  const std::size_t slash = api_version.find('/');
  if (slash == std::string_view::npos) {
    return {"", api_version, kind};
  }
  return {api_version.substr(0, slash), api_version.substr(slash + 1), kind};
}

}  // namespace

std::span<const KindSchema> AllKinds() { return generated::kKinds; }

const KindSchema* FindKind(std::string_view api_version, std::string_view kind) {
  const Key key = KeyOf(api_version, kind);
  const auto kinds = AllKinds();
  const auto at = std::ranges::lower_bound(kinds, key, {},
                                           [](const KindSchema& schema) { return KeyOf(schema); });
  return at != kinds.end() && KeyOf(*at) == key ? &*at : nullptr;
}

const Struct* FindStruct(std::string_view openapi) {
  const auto structs = generated::kStructs;
  const auto at = std::ranges::lower_bound(structs, openapi, {}, &Struct::openapi);
  return at != structs.end() && (*at)->openapi == openapi ? *at : nullptr;
}

const Field* FindField(const Struct& type, std::string_view json, std::size_t& hint) {
  const std::size_t size = type.fields.size();
  for (std::size_t tried = 0, i = hint < size ? hint : 0; tried < size;
       ++tried, i = i + 1 < size ? i + 1 : 0) {
    if (type.fields[i].json == json) {
      hint = i + 1;
      return &type.fields[i];
    }
  }
  return nullptr;
}

}  // namespace quadra::api
