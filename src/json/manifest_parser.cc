#include "json/manifest_parser.h"

#include <algorithm>
#include <utility>

#include <fmt/core.h>

namespace quadra::json {
namespace {

constexpr std::string_view kTooDeep = "values are nested";  // how the reader's complaint begins
constexpr std::string_view kLeadingMark = "\xEF\xBB\xBF";

}  // namespace

ManifestParser::ManifestParser(std::shared_ptr<const ManifestSource> source,
                               const ManifestSink& sink)
    : source_(std::move(source)), sink_(sink), text_(source_->text) {
  if (text_.starts_with(kLeadingMark)) {
    text_.remove_prefix(kLeadingMark.size());
  }
}

Status ManifestParser::Run() {
  if (text_.starts_with("\xFF\xFE") || text_.starts_with("\xFE\xFF")) {
    return ErrorAt({}, ErrorKind::kSyntax, "the file is UTF-16", "save it as UTF-8");
  }
  const std::size_t start = SkipSpaces(text_, 0);
  if (start == text_.size()) {
    return ErrorAt({}, ErrorKind::kSyntax, "the file is empty",
                   "write an object with apiVersion and kind into it");
  }
  QUADRA_RETURN_IF_ERROR(text_[start] == '{' ? ReadJson() : ReadYaml(0));
  if (document_ == 0) {
    return ErrorAt({}, ErrorKind::kSyntax, "the file holds comments only",
                   "write an object with apiVersion and kind into it");
  }
  return {};
}

tl::unexpected<Error> ManifestParser::ErrorAt(Position position, ErrorKind kind, std::string what,
                                              std::string remedy) const {
  return Fail(Error{
      .kind = kind,
      .message = fmt::format("{}:{}:{}: {}", source_->file, position.line, position.column, what),
      .remedy = std::move(remedy)});
}

tl::unexpected<Error> ManifestParser::ListsTooDeep(Position position) const {
  return ErrorAt(position, ErrorKind::kTooLarge, "Lists are nested too deep",
                 "put their objects into one List");
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
        manifest.start(), ErrorKind::kTooLarge,
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
    const bool too_deep = std::string_view(reader.error_what()).starts_with(kTooDeep);
    return ErrorAt(PositionAt(part.begin + reader.error_offset()),
                   too_deep ? ErrorKind::kTooLarge : ErrorKind::kSyntax,
                   "invalid JSON: " + std::string(reader.error_what()),
                   too_deep ? "correct the text there, or check that the file is complete" : "");
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
    return object
               ? ReadLargeList(at, *object)
               : ErrorAt(PositionAt(at), ErrorKind::kSyntax, "invalid JSON: the object has no end",
                         "check that the file is complete");
  }
  const Result<ObjectFacts> facts = FactsOf(part);
  if (facts) {
    return EmitJson(part, *facts, 0);
  }
  if (document_ > 2 || facts.error().kind == ErrorKind::kTooLarge) {
    return Fail(facts.error());  // as YAML it would be too deep as well, and take long to say so
  }
  end = text_.size();
  --document_;
  const std::size_t documents = document_;
  const Status as_yaml = ReadYaml(at);
  const bool is_yaml =
      as_yaml || document_ > documents + 1 || as_yaml.error().kind != ErrorKind::kSyntax;
  return is_yaml ? as_yaml : Fail(facts.error());
}

// An object of more than 3 MB may only be a List. Its items are read one by one.
Status ManifestParser::ReadLargeList(std::size_t at, const ScannedObject& object) {
  const ObjectFacts facts{.is_object = true,
                          .kind = std::string(object.Text(text_, "kind")),
                          .api_version = std::string(object.Text(text_, "apiVersion")),
                          .has_items = object.items.has_value()};
  if (!object.items || !facts.IsList()) {
    return ErrorAt(PositionAt(at), ErrorKind::kTooLarge,
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
    return ListsTooDeep(PositionAt(part.begin));
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
      return ErrorAt(PositionAt(item.begin), ErrorKind::kSyntax, "an item of the List is no object",
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

}  // namespace quadra::json
