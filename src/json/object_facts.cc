#include "json/object_facts.h"

#include "json/json_scan.h"
#include "json/writer.h"

namespace quadra::json {

ObjectFacts ReadFacts(Reader& reader) {
  ObjectFacts facts;
  if (reader.Peek() != Kind::kObject) {
    reader.Skip();
    return facts;
  }
  facts.is_object = true;
  std::string_view key;
  for (bool more = reader.EnterObject(); more && reader.NextKey(key);) {
    const Kind kind = reader.Peek();
    if (key == "kind" && kind == Kind::kString) {
      facts.kind = reader.String();
    } else if (key == "apiVersion" && kind == Kind::kString) {
      facts.api_version = reader.String();
    } else {
      facts.has_items = key == "items" ? kind == Kind::kArray : facts.has_items;
      reader.Skip();
    }
  }
  return facts;
}

std::string MissingTypeMembers(const ObjectFacts& item, const ObjectFacts& list) {
  if (list.kind == "List" || !item.is_object) {
    return {};
  }
  const std::string_view kind = std::string_view(list.kind).substr(0, list.kind.size() - 4);
  std::string members;
  const auto add = [&members](std::string_view key, std::string_view value) {
    AppendQuoted(members, key);
    members += ':';
    AppendQuoted(members, value);
    members += ',';
  };
  if (item.api_version.empty() && !list.api_version.empty()) {
    add("apiVersion", list.api_version);
  }
  if (item.kind.empty() && !kind.empty()) {
    add("kind", kind);
  }
  return members;
}

std::string WithMembers(std::string_view json, std::string members) {
  const std::size_t inside = json.find('{') + 1;
  if (json[SkipSpaces(json, inside)] == '}') {
    members.pop_back();
  }
  return "{" + members + std::string(json.substr(inside));
}

}  // namespace quadra::json
