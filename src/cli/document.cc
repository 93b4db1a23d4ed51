#include "cli/document.h"

#include "base/check.h"
#include "json/value.h"
#include "json/yaml.h"

namespace quadra::cli {

std::string AsYaml(std::string_view json) {
  const Result<json::Value> tree = json::ParseValue(json);
  QUADRA_CHECK(tree.has_value(), "what is written is valid JSON");
  return json::ToYaml(*tree);
}

}  // namespace quadra::cli
