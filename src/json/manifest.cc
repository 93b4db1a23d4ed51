#include "json/manifest.h"

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <istream>
#include <iterator>
#include <system_error>
#include <utility>

#include "json/field_path.h"
#include "json/manifest_parser.h"
#include "json/manifest_source.h"

namespace quadra::json {
namespace {

namespace fs = std::filesystem;

tl::unexpected<Error> Unreadable(const std::string& path, const std::error_code& error) {
  const bool missing = error == std::errc::no_such_file_or_directory;
  return Fail(Error{.kind = missing ? ErrorKind::kNotFound : ErrorKind::kUnreadable,
                    .message = path + (missing ? ": there is no such file or directory"
                                               : ": cannot be read: " + error.message()),
                    .remedy = missing ? "check the path" : "check its permissions"});
}

tl::unexpected<Error> TooLarge(const std::string& path) {
  return Fail(Error{.kind = ErrorKind::kTooLarge,
                    .message = path + ": has more than 4 GB",
                    .remedy = "split it into several files"});
}

// By read(), which marks the stream as bad where its buffer throws. In chunks, since a string that is
// resized is written twice.
Result<std::string> ReadStream(std::istream& in, const std::string& name,
                               std::uintmax_t expected = 0) {
  std::string text;
  text.reserve(expected);
  std::string chunk(std::size_t{1} << 16, '\0');
  while (in.read(chunk.data(), static_cast<std::streamsize>(chunk.size())) || in.gcount() > 0) {
    text.append(chunk, 0, static_cast<std::size_t>(in.gcount()));
    if (text.size() > kMaxFileBytes) {
      return TooLarge(name);
    }
  }
  if (in.bad()) {
    return Unreadable(name, std::make_error_code(std::errc::io_error));
  }
  return text;
}

Result<std::string> ReadFile(const std::string& path) {
  std::error_code error;
  if (fs::is_directory(path, error)) {
    return Unreadable(path, std::make_error_code(std::errc::is_a_directory));
  }
  std::ifstream in(path, std::ios::binary);
  if (!in) {
    return Unreadable(path, {errno, std::generic_category()});
  }
  const std::uintmax_t size = fs::file_size(path, error);
  const bool known = !error;  // pipes and the like have no size
  if (known && size > kMaxFileBytes) {
    return TooLarge(path);
  }
  return ReadStream(in, path, known ? size : 0);
}

bool IsManifestName(const fs::path& path) {
  const std::string extension = path.extension().string();
  return extension == ".json" || extension == ".yaml" || extension == ".yml";
}

// Adds the manifests of a directory in name order, directories among them in their place.
Status AddFiles(const fs::path& directory, bool recursive, std::vector<std::string>& files) {
  std::error_code error;
  std::vector<fs::directory_entry> entries;
  for (fs::directory_iterator at(directory, error), end; !error && at != end; at.increment(error)) {
    entries.push_back(*at);
  }
  if (error) {
    return Unreadable(directory.string(), error);
  }
  std::ranges::sort(entries, {},
                    [](const fs::directory_entry& entry) { return entry.path().string(); });
  for (const fs::directory_entry& entry : entries) {
    const fs::file_status status = entry.symlink_status(error);
    if (fs::is_directory(status)) {
      if (recursive) {
        QUADRA_RETURN_IF_ERROR(AddFiles(entry.path(), recursive, files));
      }
    } else if (IsManifestName(entry.path())) {
      files.push_back(entry.path().string());
    }
  }
  return {};
}

}  // namespace

const std::string& Manifest::file() const { return source_->file; }

Position Manifest::Locate(std::string_view field) const {
  if (!yaml_.empty()) {
    return FindInYaml(field).position;
  }
  const Position inside = PositionOf(written_, LocateInJson(written_, field));
  return {start_.line + inside.line - 1,
          inside.line == 1 ? start_.column + inside.column - 1 : inside.column};
}

std::string Manifest::BareText(std::string_view field) const {
  return yaml_.empty() ? "" : FindInYaml(field).bare_text;
}

Manifest::Spot Manifest::FindInYaml(std::string_view field) const {
  const std::string padded = std::string(yaml_start_.column - 1, ' ') + std::string(yaml_);
  YamlEvents events(padded, yaml_start_.line);
  YamlTree tree;
  const Result<bool> has_document = events.EnterDocument();
  const Result<YamlNode*> root = has_document ? tree.Load(events) : Fail(has_document.error());
  if (!root) {
    return {start_, ""};
  }
  const bool needs_dot = !within_.empty() && !field.empty() && field[0] != '[';
  const YamlSpot spot = LocateInYaml(**root, within_ + (needs_dot ? "." : "") + std::string(field));
  const bool is_bare =
      spot.value != nullptr && spot.value->kind == NodeKind::kScalar && spot.value->implicit;
  return {spot.position, is_bare ? std::string(spot.value->text) : ""};
}

Status ReadManifestText(std::string name, std::string text, const ManifestSink& sink) {
  auto source =
      std::make_shared<const ManifestSource>(ManifestSource{std::move(name), std::move(text)});
  return ManifestParser(std::move(source), sink).Run();
}

Status ReadManifests(const std::string& path, const ManifestSink& sink) {
  QUADRA_TRY(std::string text, ReadFile(path));
  return ReadManifestText(path, std::move(text), sink);
}

Status ReadManifests(std::istream& in, std::string name, const ManifestSink& sink) {
  constexpr std::string_view kRemedy = "pipe objects into it, or name their file";
  Result<std::string> text = ReadStream(in, name);
  if (!text && text.error().kind == ErrorKind::kUnreadable) {
    text.error().remedy = kRemedy;  // it may be closed
  }
  if (!text) {
    return Fail(text.error());
  }
  if (text->empty()) {
    return Fail(Error{.kind = ErrorKind::kUnreadable,
                      .message = name + ": nothing is there",
                      .remedy = std::string(kRemedy)});
  }
  return ReadManifestText(std::move(name), *std::move(text), sink);
}

Result<std::vector<std::string>> FindManifestFiles(const std::string& path, FindOptions options) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (!error && !fs::is_directory(status)) {
    return std::vector<std::string>{path};
  }
  if (error) {
    return Unreadable(path, error);
  }
  std::vector<std::string> files;
  QUADRA_RETURN_IF_ERROR(AddFiles(path, options.recursive, files));
  if (files.empty()) {
    return Fail(Error{.kind = ErrorKind::kNotFound,
                      .message = path + ": no .json, .yaml or .yml file is in this directory",
                      .remedy = options.recursive ? "name a directory with manifests"
                                                  : "look into its subdirectories with -R"});
  }
  return files;
}

}  // namespace quadra::json
