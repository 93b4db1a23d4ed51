// ManifestParser: takes one file's text apart into objects and hands them to the sink.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "json/json_scan.h"
#include "json/manifest.h"
#include "json/manifest_source.h"
#include "json/object_facts.h"
#include "json/value.h"
#include "json/yaml_decoder.h"
#include "json/yaml_events.h"
#include "json/yaml_tree.h"

namespace quadra::json {

class ManifestParser {
 public:
  ManifestParser(std::shared_ptr<const ManifestSource> source, const ManifestSink& sink);

  Status Run();

 private:
  // An item of a YAML List, converted and waiting for the end of the List to be told a List.
  struct YamlItem {
    std::string json;
    Position start;
    Span part;  // of the file; empty if unknown
    std::vector<DuplicateKey> duplicates;
  };
  struct YamlDocument {
    Span part;
    std::size_t first_line = 1;
  };
  // The parts of a document that is a mapping.
  struct YamlMapping {
    Value::Object members;
    std::optional<std::vector<YamlItem>> items;
    std::vector<DuplicateKey> duplicates;
    bool is_odd = false;  // needs the whole document to be understood
  };

  Status ReadJson();
  Status ReadJsonDocument(std::size_t at, std::size_t& end);
  Status ReadLargeList(std::size_t at, const ScannedObject& object);
  Status CheckEnvelope(const ScannedObject& object);
  Status EmitJson(Span part, const ObjectFacts& facts, int nesting);
  Status EmitJsonItems(const std::vector<Span>& items, const ObjectFacts& list, int nesting);
  Status EmitWritten(Span part, std::string injected);

  Status ReadYaml(std::size_t from);
  Status ReadYamlDocument(const YamlDocument& document);
  Result<YamlMapping> ReadYamlMapping(YamlEvents& events, const YamlDocument& document);
  Status ReadYamlMember(YamlEvents& events, const YamlDocument& document, YamlTree& tree,
                        YamlDecoder& decoder, YamlMapping& mapping);
  Result<std::vector<YamlItem>> ReadYamlItems(YamlEvents& events, const YamlDocument& document,
                                              YamlTree& tree, YamlDecoder& decoder);
  Status EmitMapping(YamlMapping mapping, const YamlDocument& document, Position start);
  Status EmitYamlItem(YamlItem item, std::size_t index, const ObjectFacts& list,
                      const YamlDocument& document);
  Status ConvertWhole(const YamlDocument& document, Position start);
  // Fails where the mapping is two objects, one written behind the other: its last keys would
  // silently replace the first.
  Status CheckIsOneObject(const std::vector<DuplicateKey>& duplicates) const;
  Status EmitConverted(const Manifest& manifest, int nesting);

  Result<ObjectFacts> FactsOf(Span part);
  Position PositionAt(std::size_t offset);
  Manifest NewManifest() const;
  Status Emit(const Manifest& manifest);
  tl::unexpected<Error> ErrorAt(Position position, ErrorKind kind, std::string what,
                                std::string remedy = {}) const;
  tl::unexpected<Error> ListsTooDeep(Position position) const;
  tl::unexpected<Error> InFile(Error error) const;

  std::shared_ptr<const ManifestSource> source_;
  const ManifestSink& sink_;
  std::string_view text_;     // without byte order mark
  std::size_t document_ = 0;  // the number of the one at hand
  // The last place whose line was asked for; places come in order.
  std::size_t known_offset_ = 0;
  Position known_position_;
};

}  // namespace quadra::json
