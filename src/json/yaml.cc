#include "json/yaml.h"

#include "json/yaml_decoder.h"
#include "json/yaml_events.h"
#include "json/yaml_tree.h"

namespace quadra::json {
Result<std::string> YamlToJson(std::string_view text, std::vector<YamlDuplicate>* duplicates,
                               std::size_t first_line) {
  YamlEvents events(text, first_line);
  QUADRA_TRY(const bool has_document, events.EnterDocument());
  if (!has_document) {
    return "null";
  }
  YamlTree tree;
  QUADRA_TRY(YamlNode* const root, tree.LoadRoot(events));
  YamlDecoder decoder;
  QUADRA_TRY(const Value value, decoder.Decode(*root));
  if (duplicates != nullptr) {
    *duplicates = std::move(decoder.duplicates());
  }
  return ToJson(value);
}

Result<std::string> YamlToJsonStrict(std::string_view text) {
  std::vector<YamlDuplicate> duplicates;
  QUADRA_TRY(std::string json, YamlToJson(text, &duplicates));
  if (!duplicates.empty()) {
    return YamlError(duplicates[0].position, "the key " + duplicates[0].path + " stands here again",
                     "keep one of them");
  }
  return json;
}

}  // namespace quadra::json
