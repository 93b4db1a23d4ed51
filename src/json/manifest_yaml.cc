// The YAML half of ManifestParser: a document is read member by member, and the items of a List one
// by one, so that only one of them is held as a tree.
#include <algorithm>
#include <optional>
#include <utility>

#include <fmt/core.h>

#include "json/manifest_parser.h"

namespace quadra::json {
namespace {

bool IsPlainKey(const YamlEvents& events) {
  const auto& scalar = events.event().data.scalar;
  return events.type() == YAML_SCALAR_EVENT && scalar.anchor == nullptr && scalar.tag == nullptr &&
         !(scalar.plain_implicit != 0 &&
           std::string_view(reinterpret_cast<const char*>(scalar.value), scalar.length) == "<<");
}

// Whether the node at hand is an alias, or a list that one may refer to.
bool IsShared(const YamlEvents& events) {
  return events.type() == YAML_ALIAS_EVENT ||
         (events.type() == YAML_SEQUENCE_START_EVENT &&
          events.event().data.sequence_start.anchor != nullptr);
}

std::string Joined(const std::string& path, const std::string& inner) {
  return path + (inner.empty() || inner[0] == '[' ? "" : ".") + inner;
}

Value* FindMember(Value::Object& members, std::string_view key) {
  const auto found = std::ranges::find(members, key, &Value::Member::key);
  return found == members.end() ? nullptr : &found->value;
}

// Those of them that stand inside of one item, as it sees them.
std::vector<DuplicateKey> DuplicatesWithin(const std::string& item,
                                           const std::vector<DuplicateKey>& duplicates) {
  std::vector<DuplicateKey> inside;
  for (const DuplicateKey& duplicate : duplicates) {
    if (duplicate.path.starts_with(item + ".")) {
      inside.push_back({duplicate.path.substr(item.size() + 1), duplicate.position});
    }
  }
  return inside;
}

ObjectFacts FactsOfMembers(Value::Object& members, bool has_items) {
  ObjectFacts facts{.is_object = true, .has_items = has_items};
  const auto text = [&members](std::string_view key) {
    const Value* const found = FindMember(members, key);
    return found != nullptr && found->kind() == Kind::kString ? found->string() : std::string();
  };
  facts.kind = text("kind");
  facts.api_version = text("apiVersion");
  return facts;
}

}  // namespace

// Cuts the text at lines that begin with ---, as kubectl does before it reads YAML.
Status ManifestParser::ReadYaml(std::size_t from) {
  YamlDocument document{{from, from}, PositionAt(from).line};
  std::size_t line = document.first_line;
  for (std::size_t at = from; at < text_.size(); ++line) {
    const std::size_t end = std::min(text_.find('\n', at), text_.size() - 1) + 1;
    const std::string_view content = text_.substr(at, end - at);
    if (content.starts_with("---")) {
      const std::size_t behind = SkipSpaces(content, 3);
      if (behind < content.size() && content[behind] != '#') {
        return ErrorAt({line, behind + 1}, ErrorKind::kSyntax,
                       "something stands behind the --- between two documents",
                       "put it on a line of its own");
      }
      document.part.end = at;
      QUADRA_RETURN_IF_ERROR(ReadYamlDocument(document));
      document = {{end, end}, line + 1};
    }
    at = end;
  }
  document.part.end = text_.size();
  return ReadYamlDocument(document);
}

Status ManifestParser::ReadYamlDocument(const YamlDocument& document) {
  YamlEvents events(document.part.In(text_), document.first_line);
  const Result<bool> has_document = events.EnterDocument();
  if (!has_document) {
    return InFile(has_document.error());
  }
  if (!*has_document) {
    return {};
  }
  const Position start = events.position();
  if (events.type() != YAML_MAPPING_START_EVENT ||
      events.event().data.mapping_start.anchor != nullptr) {
    return ConvertWhole(document, start);
  }
  Result<YamlMapping> mapping = ReadYamlMapping(events, document);
  if (!mapping) {
    return InFile(mapping.error());
  }
  if (mapping->is_odd) {
    return ConvertWhole(document, start);
  }
  QUADRA_RETURN_IF_ERROR(CheckIsOneObject(mapping->duplicates));
  ++document_;
  return EmitMapping(*std::move(mapping), document, start);
}

Result<ManifestParser::YamlMapping> ManifestParser::ReadYamlMapping(YamlEvents& events,
                                                                    const YamlDocument& document) {
  YamlTree tree;
  YamlDecoder decoder;
  YamlMapping mapping;
  QUADRA_RETURN_IF_ERROR(events.Next());
  while (events.type() != YAML_MAPPING_END_EVENT) {
    if (!IsPlainKey(events)) {
      mapping.is_odd = true;
      return mapping;
    }
    QUADRA_RETURN_IF_ERROR(ReadYamlMember(events, document, tree, decoder, mapping));
    if (mapping.is_odd) {
      return mapping;
    }
  }
  QUADRA_RETURN_IF_ERROR(events.Next());
  return mapping;
}

Status ManifestParser::ReadYamlMember(YamlEvents& events, const YamlDocument& document,
                                      YamlTree& tree, YamlDecoder& decoder, YamlMapping& mapping) {
  const Position position = events.position();
  QUADRA_TRY(YamlNode* const key_node, tree.Load(events));
  QUADRA_TRY(const Value key, decoder.Decode(*key_node));
  const bool is_items = key.kind() == Kind::kString && key.string() == "items";
  mapping.is_odd = key.kind() != Kind::kString || (is_items && (mapping.items || IsShared(events)));
  if (mapping.is_odd) {
    return {};
  }
  if (is_items && events.type() == YAML_SEQUENCE_START_EVENT) {
    QUADRA_TRY(mapping.items, ReadYamlItems(events, document, tree, decoder));
    return {};
  }
  QUADRA_TRY(YamlNode* const node, tree.Load(events));
  QUADRA_TRY(Value value, decoder.Decode(*node));
  for (YamlDuplicate& duplicate : std::exchange(decoder.duplicates(), {})) {
    mapping.duplicates.push_back({Joined(key.string(), duplicate.path), duplicate.position});
  }
  if (Value* const earlier = FindMember(mapping.members, key.string())) {
    mapping.duplicates.push_back({key.string(), position});
    *earlier = std::move(value);
  } else {
    mapping.members.push_back({key.string(), std::move(value)});
  }
  tree.Forget();
  return {};
}

Result<std::vector<ManifestParser::YamlItem>> ManifestParser::ReadYamlItems(
    YamlEvents& events, const YamlDocument& document, YamlTree& tree, YamlDecoder& decoder) {
  std::vector<YamlItem> items;
  QUADRA_RETURN_IF_ERROR(events.Next());
  while (events.type() != YAML_SEQUENCE_END_EVENT) {
    YamlItem item{.start = events.position()};
    const std::size_t begin = events.offset();
    QUADRA_TRY(YamlNode* const node, tree.Load(events));
    QUADRA_TRY(const Value value, decoder.Decode(*node));
    item.json = ToJson(value);
    if (!events.edited()) {
      item.part = {document.part.begin + begin, document.part.begin + events.offset()};
    }
    for (YamlDuplicate& duplicate : std::exchange(decoder.duplicates(), {})) {
      item.duplicates.push_back({std::move(duplicate.path), duplicate.position});
    }
    items.push_back(std::move(item));
    tree.Forget();
  }
  QUADRA_RETURN_IF_ERROR(events.Next());
  return items;
}

Status ManifestParser::EmitMapping(YamlMapping mapping, const YamlDocument& document,
                                   Position start) {
  const ObjectFacts facts = FactsOfMembers(mapping.members, mapping.items.has_value());
  if (mapping.items && facts.IsList()) {
    std::size_t index = 0;
    for (YamlItem& item : *mapping.items) {
      QUADRA_RETURN_IF_ERROR(EmitYamlItem(std::move(item), index++, facts, document));
    }
    return {};
  }
  if (mapping.items) {
    return ConvertWhole(document, start);
  }
  std::ranges::sort(mapping.members, {}, &Value::Member::key);
  Manifest manifest = NewManifest();
  manifest.start_ = start;
  manifest.yaml_ = document.part.In(text_);
  manifest.yaml_start_ = {document.first_line, 1};
  manifest.duplicates_ = std::move(mapping.duplicates);
  manifest.converted_ = ToJson(Value(std::move(mapping.members)));
  return Emit(manifest);
}

Status ManifestParser::EmitYamlItem(YamlItem item, std::size_t index, const ObjectFacts& list,
                                    const YamlDocument& document) {
  Reader reader(item.json);
  const ObjectFacts facts = ReadFacts(reader);
  if (!facts.is_object) {
    return ErrorAt(item.start, ErrorKind::kSyntax, "an item of the List is no object",
                   "write an object with apiVersion and kind");
  }
  Manifest manifest = NewManifest();
  manifest.start_ = item.start;
  manifest.duplicates_ = std::move(item.duplicates);
  if (item.part.size() > 0) {
    manifest.yaml_ = item.part.In(text_);
    manifest.yaml_start_ = item.start;
  } else {
    manifest.yaml_ = document.part.In(text_);
    manifest.yaml_start_ = {document.first_line, 1};
    manifest.within_ = fmt::format("items[{}]", index);
  }
  std::string injected = MissingTypeMembers(facts, list);
  manifest.converted_ =
      injected.empty() ? std::move(item.json) : WithMembers(item.json, std::move(injected));
  return EmitConverted(manifest, 1);
}

// For documents that cannot be read member by member: with aliases as keys, merges at the top, no
// mapping at all.
Status ManifestParser::ConvertWhole(const YamlDocument& document, Position start) {
  std::vector<YamlDuplicate> duplicates;
  Result<std::string> json = YamlToJson(document.part.In(text_), &duplicates, document.first_line);
  if (!json) {
    return InFile(json.error());
  }
  if (*json == "null") {
    return {};
  }
  ++document_;
  if ((*json)[0] != '{') {
    return ErrorAt(start, ErrorKind::kSyntax, "this is no object",
                   "write an object with apiVersion and kind, or several under items of a List");
  }
  Manifest manifest = NewManifest();
  manifest.start_ = start;
  manifest.yaml_ = document.part.In(text_);
  manifest.yaml_start_ = {document.first_line, 1};
  for (YamlDuplicate& duplicate : duplicates) {
    manifest.duplicates_.push_back({std::move(duplicate.path), duplicate.position});
  }
  QUADRA_RETURN_IF_ERROR(CheckIsOneObject(manifest.duplicates_));
  manifest.converted_ = *std::move(json);
  return EmitConverted(manifest, 0);
}

Status ManifestParser::CheckIsOneObject(const std::vector<DuplicateKey>& duplicates) const {
  const auto twice = [&](std::string_view key) {
    return std::ranges::find(duplicates, key, &DuplicateKey::path) != duplicates.end();
  };
  if (!twice("items") && !(twice("apiVersion") && twice("kind"))) {
    return {};
  }
  const auto first = std::ranges::find_if(duplicates, [](const DuplicateKey& duplicate) {
    return duplicate.path.find_first_of(".[") == std::string::npos;
  });
  return ErrorAt(
      first->position, ErrorKind::kSyntax,
      fmt::format("{} stands twice: a second object begins in the same document", first->path),
      "put a line --- between the two");
}

// Passes an object out of YAML on, or its items if it is a List.
Status ManifestParser::EmitConverted(const Manifest& manifest, int nesting) {
  Reader reader(manifest.converted_);
  const ObjectFacts list = ReadFacts(reader);
  if (!list.IsList()) {
    return Emit(manifest);
  }
  const std::optional<ScannedObject> object = ScanObject(manifest.converted_, 0);
  if (nesting > kMaxListNesting || !object || !object->items) {
    return ListsTooDeep(manifest.Locate(""));
  }
  for (std::size_t i = 0; i < object->items->size(); ++i) {
    Manifest item = NewManifest();
    item.start_ = manifest.start_;
    item.yaml_ = manifest.yaml_;
    item.yaml_start_ = manifest.yaml_start_;
    const std::string place = fmt::format("items[{}]", i);
    item.within_ = Joined(manifest.within_, place);
    item.duplicates_ = DuplicatesWithin(place, manifest.duplicates_);
    YamlItem part{.json = std::string((*object->items)[i].In(manifest.converted_))};
    Reader item_reader(part.json);
    const ObjectFacts facts = ReadFacts(item_reader);
    if (!facts.IsList()) {  // a List itself needs no place, and to find it is slow where it is deep
      item.start_ = item.Locate("");
    }
    if (!facts.is_object) {
      return ErrorAt(item.start_, ErrorKind::kSyntax, "an item of the List is no object",
                     "write an object with apiVersion and kind");
    }
    std::string injected = MissingTypeMembers(facts, list);
    item.converted_ =
        injected.empty() ? std::move(part.json) : WithMembers(part.json, std::move(injected));
    QUADRA_RETURN_IF_ERROR(EmitConverted(item, nesting + 1));
  }
  return {};
}

}  // namespace quadra::json
