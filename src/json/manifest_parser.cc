#include "json/manifest_parser.h"

#include <algorithm>
#include <utility>

#include <fmt/core.h>

namespace quadra::json {
namespace {

constexpr std::string_view kUtf8Mark = "\xEF\xBB\xBF";
constexpr int kMaxListNesting = 16;

// What the reader at an object says; its error stays with it.
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

// Members to put in front of an item that its PodList or the like lets go without them.
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

// `json`, an object, with `members` (which end in a comma) in front.
std::string WithMembers(std::string_view json, std::string members) {
  const std::size_t inside = json.find('{') + 1;
  if (json[SkipSpaces(json, inside)] == '}') {
    members.pop_back();
  }
  return "{" + members + std::string(json.substr(inside));
}

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

ManifestParser::ManifestParser(std::shared_ptr<const ManifestSource> source,
                               const ManifestSink& sink)
    : source_(std::move(source)), sink_(sink), text_(source_->text) {
  if (text_.starts_with(kUtf8Mark)) {
    text_.remove_prefix(kUtf8Mark.size());
  }
}

Status ManifestParser::Run() {
  if (text_.starts_with("\xFF\xFE") || text_.starts_with("\xFE\xFF")) {
    return ErrorAt({}, Reason::kSyntax, "the file is UTF-16", "save it as UTF-8");
  }
  const std::size_t start = SkipSpaces(text_, 0);
  if (start == text_.size()) {
    return ErrorAt({}, Reason::kSyntax, "the file is empty",
                   "write an object with apiVersion and kind into it");
  }
  QUADRA_RETURN_IF_ERROR(text_[start] == '{' ? ReadJson() : ReadYaml(0));
  if (document_ == 0) {
    return ErrorAt({}, Reason::kSyntax, "the file holds comments only",
                   "write an object with apiVersion and kind into it");
  }
  return {};
}

tl::unexpected<Error> ManifestParser::ErrorAt(Position position, Reason reason, std::string what,
                                              std::string remedy) const {
  return Fail(Error{
      .reason = reason,
      .message = fmt::format("{}:{}:{}: {}", source_->file, position.line, position.column, what),
      .remedy = std::move(remedy)});
}

tl::unexpected<Error> ManifestParser::InFile(Error error) const {
  error.message = source_->file + ": " + error.message;
  return Fail(std::move(error));
}

Position ManifestParser::PositionAt(std::size_t offset) {
  if (offset < known_offset_) {
    known_offset_ = 0;
    known_position_ = {};
  }
  const Position moved = PositionOf(text_.substr(known_offset_), offset - known_offset_);
  known_position_ = {known_position_.line + moved.line - 1,
                     moved.line == 1 ? known_position_.column + moved.column - 1 : moved.column};
  known_offset_ = offset;
  return known_position_;
}

Manifest ManifestParser::NewManifest() const {
  Manifest manifest;
  manifest.source_ = source_;
  manifest.document_ = document_;
  return manifest;
}

Status ManifestParser::Emit(const Manifest& manifest) {
  if (manifest.json().size() > kMaxObjectBytes) {
    return ErrorAt(
        manifest.start(), Reason::kTooLarge,
        fmt::format("the object has {} bytes of JSON, more than the 3 MB an API server takes",
                    manifest.json().size()),
        "split it into several objects");
  }
  return sink_(manifest);
}

// Reads and checks the value in `part`.
Result<ObjectFacts> ManifestParser::FactsOf(Span part) {
  Reader reader(part.In(text_));
  ObjectFacts facts = ReadFacts(reader);
  if (!reader.Finish()) {
    return ErrorAt(PositionAt(part.begin + reader.error_offset()), Reason::kSyntax,
                   "invalid JSON: " + std::string(reader.error_what()));
  }
  return facts;
}

Status ManifestParser::ReadJson() {
  for (std::size_t at = SkipSpaces(text_, 0); at < text_.size();) {
    ++document_;
    std::size_t end = 0;
    QUADRA_RETURN_IF_ERROR(ReadJsonDocument(at, end));
    if (end == text_.size()) {
      break;
    }
    at = SkipSpaces(text_, end);
  }
  return {};
}

// As kubectl does, takes what is no JSON for YAML, unless more than one JSON object stands before
// it.
Status ManifestParser::ReadJsonDocument(std::size_t at, std::size_t& end) {
  const std::optional<ScannedObject> object = ScanObject(text_, at);
  end = object ? object->end : text_.size();
  const Span part{at, end};
  if (part.size() > kMaxObjectBytes) {
    return object ? ReadLargeList(at, *object)
                  : ErrorAt(PositionAt(at), Reason::kSyntax, "invalid JSON: the object has no end",
                            "check that the file is complete");
  }
  const Result<ObjectFacts> facts = FactsOf(part);
  if (facts) {
    return EmitJson(part, *facts, 0);
  }
  if (document_ > 2) {
    return Fail(facts.error());
  }
  end = text_.size();
  --document_;
  const std::size_t documents = document_;
  const Status as_yaml = ReadYaml(at);
  const bool is_yaml =
      as_yaml || document_ > documents + 1 || as_yaml.error().reason != Reason::kSyntax;
  return is_yaml ? as_yaml : Fail(facts.error());
}

// An object of more than 3 MB may only be a List. Its items are read one by one.
Status ManifestParser::ReadLargeList(std::size_t at, const ScannedObject& object) {
  const ObjectFacts facts{.is_object = true,
                          .kind = std::string(object.Text(text_, "kind")),
                          .api_version = std::string(object.Text(text_, "apiVersion")),
                          .has_items = object.items.has_value()};
  if (!object.items || !facts.IsList()) {
    return ErrorAt(PositionAt(at), Reason::kTooLarge,
                   fmt::format("the object has {} bytes, more than the 3 MB an API server takes",
                               object.end - at),
                   "split it into several objects");
  }
  QUADRA_RETURN_IF_ERROR(CheckEnvelope(object));
  return EmitJsonItems(*object.items, facts, 1);
}

Status ManifestParser::CheckEnvelope(const ScannedObject& object) {
  for (const ScannedMember& member : object.members) {
    if (member.key != "items") {
      QUADRA_RETURN_IF_ERROR(FactsOf(member.value));
    }
  }
  return {};
}

Status ManifestParser::EmitJson(Span part, const ObjectFacts& facts, int nesting) {
  if (!facts.IsList()) {
    return EmitWritten(part, {});
  }
  if (nesting > kMaxListNesting) {
    return ErrorAt(PositionAt(part.begin), Reason::kTooLarge, "Lists are nested too deep");
  }
  const std::optional<ScannedObject> object = ScanObject(text_, part.begin);
  const std::vector<Span> none;
  return EmitJsonItems(object && object->items ? *object->items : none, facts, nesting + 1);
}

Status ManifestParser::EmitJsonItems(const std::vector<Span>& items, const ObjectFacts& list,
                                     int nesting) {
  for (const Span& item : items) {
    QUADRA_TRY(const ObjectFacts facts, FactsOf(item));
    if (!facts.is_object) {
      return ErrorAt(PositionAt(item.begin), Reason::kSyntax, "an item of the List is no object",
                     "write an object with apiVersion and kind");
    }
    QUADRA_RETURN_IF_ERROR(facts.IsList() ? EmitJson(item, facts, nesting)
                                          : EmitWritten(item, MissingTypeMembers(facts, list)));
  }
  return {};
}

Status ManifestParser::EmitWritten(Span part, std::string injected) {
  Manifest manifest = NewManifest();
  manifest.start_ = PositionAt(part.begin);
  manifest.written_ = part.In(text_);
  if (!injected.empty()) {
    manifest.converted_ = WithMembers(manifest.written_, std::move(injected));
  }
  return Emit(manifest);
}

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
        return ErrorAt({line, behind + 1}, Reason::kSyntax,
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
    return ErrorAt(item.start, Reason::kSyntax, "an item of the List is no object",
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
    return ErrorAt(start, Reason::kSyntax, "this is no object",
                   "write an object with apiVersion and kind, or several under items of a List");
  }
  Manifest manifest = NewManifest();
  manifest.start_ = start;
  manifest.yaml_ = document.part.In(text_);
  manifest.yaml_start_ = {document.first_line, 1};
  for (YamlDuplicate& duplicate : duplicates) {
    manifest.duplicates_.push_back({std::move(duplicate.path), duplicate.position});
  }
  manifest.converted_ = *std::move(json);
  return EmitConverted(manifest, 0);
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
    return ErrorAt(manifest.start(), Reason::kTooLarge, "Lists are nested too deep");
  }
  for (std::size_t i = 0; i < object->items->size(); ++i) {
    Manifest item = NewManifest();
    item.start_ = manifest.start_;
    item.yaml_ = manifest.yaml_;
    item.yaml_start_ = manifest.yaml_start_;
    item.within_ = Joined(manifest.within_, fmt::format("items[{}]", i));
    item.start_ = item.Locate("");
    YamlItem part{.json = std::string((*object->items)[i].In(manifest.converted_))};
    Reader item_reader(part.json);
    const ObjectFacts facts = ReadFacts(item_reader);
    if (!facts.is_object) {
      return ErrorAt(item.start_, Reason::kSyntax, "an item of the List is no object",
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
