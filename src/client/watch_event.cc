#include "client/watch_event.h"

#include "client/metadata.h"
#include "json/value.h"

namespace quadra::client {
namespace {

std::optional<WatchEvent> ReadAnyOrder(std::string_view line) {
  json::Reader reader(line);
  WatchEvent event;
  std::string_view key;
  for (bool more = reader.EnterObject(); more && reader.NextKey(key);) {
    if (key == "type" && reader.Peek() == json::Kind::kString) {
      const std::string_view quoted = reader.SkipRaw();
      event.type = quoted.substr(1, quoted.size() - 2);
    } else if (key == "object") {
      event.object = reader.SkipRaw();
    } else {
      reader.Skip();
    }
  }
  const bool whole = reader.Finish().has_value() && !event.type.empty() && !event.object.empty();
  return whole ? std::optional(event) : std::nullopt;
}

}  // namespace

std::optional<WatchEvent> ReadWatchEvent(std::string_view line) {
  constexpr std::string_view kType = R"({"type":")";
  constexpr std::string_view kObject = R"(","object":)";
  constexpr std::size_t kLongestType = 16;
  if (line.starts_with(kType) && line.ends_with('}')) {
    const std::string_view rest = line.substr(kType.size());
    const std::size_t end = rest.substr(0, kLongestType + 1).find('"');
    if (end != std::string_view::npos && rest.substr(end).starts_with(kObject)) {
      const std::string_view object = rest.substr(end + kObject.size());
      return WatchEvent{rest.substr(0, end), object.substr(0, object.size() - 1)};
    }
  }
  return ReadAnyOrder(line);
}

Bookmark ReadBookmark(std::string_view object) {
  const Result<Metadata> read = ReadMetadata(object);
  if (!read) {
    return {};
  }
  const std::string* const ends = read->metadata.annotations.Find("k8s.io/initial-events-end");
  return {read->metadata.resource_version, ends != nullptr && *ends == "true"};
}

}  // namespace quadra::client
