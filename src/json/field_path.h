// Finding the place of a field in an object's text, by a path as validation spells it:
// spec.devices[0].attributes[a/b].
#pragma once

#include <cstddef>
#include <string_view>

#include "json/yaml_tree.h"

namespace quadra::json {

// Offset in `json` of the key or item that `field` names, or of the nearest part of the path that
// exists; where a key stands twice, of the second one. REQUIRES: `json` is valid.
std::size_t LocateInJson(std::string_view json, std::string_view field);

struct YamlSpot {
  Position position;
  const YamlNode* value = nullptr;  // null where only a part of the path exists
};
// The same among nodes, following aliases.
YamlSpot LocateInYaml(const YamlNode& root, std::string_view field);

}  // namespace quadra::json
