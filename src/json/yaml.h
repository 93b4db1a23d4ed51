// YAML as sigs.k8s.io/yaml v1.6.0 reads and writes it: what kubectl and the API server accept and
// print.
//
// Reading turns the first document of a text into JSON with sorted keys: YAML 1.1 scalars
// (yaml_scalar.h), anchors, aliases with upstream's limit against bombs, merge keys; keys that are
// numbers or booleans become strings. Memory is proportional to the document; nothing recurses.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "json/reader.h"
#include "json/value.h"

namespace quadra::json {

// A key that stands twice in one YAML mapping, merged ones included.
struct YamlDuplicate {
  std::string path;  // e.g. spec.devices[0].name
  Position position;
};

// YAMLToJSON: of keys that stand twice, the last one counts; they are listed if `duplicates` is
// given.
// `first_line` is the number of the text's first line in messages.
Result<std::string> YamlToJson(std::string_view text,
                               std::vector<YamlDuplicate>* duplicates = nullptr,
                               std::size_t first_line = 1);
// YAMLToJSONStrict: keys that stand twice are errors.
Result<std::string> YamlToJsonStrict(std::string_view text);

// JSONToYAML: block style, sorted keys, quotes only where needed, numbers as Go prints them; ends
// in a newline.
std::string ToYaml(const Value& value);

}  // namespace quadra::json
