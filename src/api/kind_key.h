// KindKey: what kinds are sorted and found by. Private to api/.
#pragma once

#include <string_view>
#include <tuple>

#include "api/schema.h"

namespace quadra::api {

// Group, version, kind.
using KindKey = std::tuple<std::string_view, std::string_view, std::string_view>;

inline KindKey KeyOf(const KindSchema& schema) {
  return {schema.group, schema.version, schema.kind};
}

inline KindKey KeyOf(std::string_view api_version, std::string_view kind) {
  const std::size_t slash = api_version.find('/');
  if (slash == std::string_view::npos) {
    return {"", api_version, kind};
  }
  return {api_version.substr(0, slash), api_version.substr(slash + 1), kind};
}

}  // namespace quadra::api
