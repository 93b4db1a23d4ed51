// Manifests: Kubernetes objects out of files, one at a time.
//
// JSON and YAML are told apart by content, as kubectl does. A file may hold many YAML documents
// (`---`; without it two objects are an error), concatenated JSON objects, and Lists (a kind ending
// in List with `items`), which come out as items. An object may have 3 MB, a file 4 GB: reading
// takes the file's size and about as much again, also for one huge List. Each object knows its way
// back to the text, so that a finding can name file, line and column. Not thread-safe.
//
//   QUADRA_TRY(const auto files, FindManifestFiles("dumps/", {.recursive = true}));
//   for (const std::string& file : files) {
//     QUADRA_RETURN_IF_ERROR(ReadManifests(file, [&](const Manifest& manifest) -> Status {
//       Check(manifest.json());   // valid JSON, one object
//       Print("{}:{}", manifest.file(), manifest.Locate("spec.devices[0].name").line);
//       return {};
//     }));
//   }
#pragma once

#include <cstddef>
#include <functional>
#include <iosfwd>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "json/reader.h"

namespace quadra::json {

inline constexpr std::size_t kMaxObjectBytes =
    std::size_t{3} * 1024 * 1024;  // the API server's limit for a request
// Beyond what any cluster holds; devices without an end (/dev/zero) stop here.
inline constexpr std::size_t kMaxFileBytes = 0xFFFF'FFFF;

// A key that stands twice in one YAML mapping. The JSON keeps the last; strict readers refuse it.
struct DuplicateKey {
  std::string path;   // inside the object, e.g. spec.devices[0].name
  Position position;  // of the second one, in the file
};

// A file's name and text; private to this folder.
struct ManifestSource;

// One object. Keeps the file's text alive; copies of objects from JSON files share it.
class Manifest {
 public:
  // The object: as written in JSON files, compact with sorted keys out of YAML. Items of a PodList
  // and the like that lack apiVersion and kind get them. Valid while the manifest lives.
  std::string_view json() const { return converted_.empty() ? written_ : converted_; }
  const std::string& file() const;                    // as given
  std::size_t document() const { return document_; }  // counts from 1 in its file
  Position start() const { return start_; }
  // Where a field stands: its key, or its item in a list. `field` is spelled as validation does:
  // spec.devices[0].attributes[example.com/model].string. Where the field does not exist, the
  // nearest part of the path that does; where a key stands twice, the second one; "" is the object
  // itself. Reads the object again, so it is for messages, not for loops.
  Position Locate(std::string_view field) const;
  // What stands at `field`, as it is written, where that is text of YAML without quotes: y, 0x1F.
  // Empty for all else. Costs what Locate does.
  std::string BareText(std::string_view field) const;
  // Of YAML only; in JSON they are still part of json().
  const std::vector<DuplicateKey>& duplicates() const { return duplicates_; }

 private:
  friend class ManifestParser;
  Manifest() = default;

  struct Spot {
    Position position;
    std::string bare_text;
  };
  Spot FindInYaml(std::string_view field) const;

  std::shared_ptr<const ManifestSource> source_;
  std::size_t document_ = 0;
  Position start_;
  std::string_view written_;  // JSON: the part of the file
  std::string converted_;     // the JSON, where that is not what was written
  // YAML: the part of the file to read again, where it begins, and the path in it to this object.
  std::string_view yaml_;
  Position yaml_start_;
  std::string within_;
  std::vector<DuplicateKey> duplicates_;
};

// Called for each object in order; an Error ends the reading and is passed on.
using ManifestSink = std::function<Status(const Manifest&)>;

// Reads one file. Errors name the file, the line and a remedy; objects before the place of the
// error have been passed on by then.
Status ReadManifests(const std::string& path, const ManifestSink& sink);
// The same for a stream and for text at hand; `name` is used in messages.
Status ReadManifests(std::istream& in, std::string name, const ManifestSink& sink);
Status ReadManifestText(std::string name, std::string text, const ManifestSink& sink);

struct FindOptions {
  bool recursive = false;
};
// The files `path` stands for: itself, or in name order the .json, .yaml and .yml files of a
// directory.
Result<std::vector<std::string>> FindManifestFiles(const std::string& path, FindOptions options);

}  // namespace quadra::json
