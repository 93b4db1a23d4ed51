#include "apiserver/partial_metadata.h"

#include <vector>

#include "apiserver/json_members.h"
#include "json/value.h"

namespace quadra::apiserver {

using json::Writer;

void WriteListMeta(Writer& writer, const ListMeta& meta) {
  Object(writer, "metadata", [&] {
    if (!meta.resource_version.empty()) {
      Text(writer, "resourceVersion", meta.resource_version);
    }
    if (!meta.continue_token.empty()) {
      Text(writer, "continue", meta.continue_token);
    }
    if (meta.remaining_items) {
      writer.Key("remainingItemCount");
      writer.Int(*meta.remaining_items);
    }
  });
}

Result<std::string_view> MetadataOf(std::string_view object) {
  json::Reader reader(object);
  std::string_view metadata = "{}";
  std::string_view key;
  for (bool more = reader.EnterObject(); more && reader.NextKey(key);) {
    if (key == "metadata") {
      metadata = reader.SkipRaw();
    } else {
      reader.Skip();
    }
  }
  QUADRA_RETURN_IF_ERROR(reader.Finish());
  return metadata;
}

void WritePartialMetadata(Writer& writer, std::string_view metadata, std::string_view api_version) {
  Object(writer, [&] {
    Text(writer, "kind", "PartialObjectMetadata");
    Text(writer, "apiVersion", api_version);
    writer.Key("metadata");
    writer.Raw(metadata);
  });
}

Result<std::string> PartialMetadata(std::string_view object, std::string_view api_version) {
  QUADRA_TRY(const std::string_view metadata, MetadataOf(object));
  std::string body;
  Writer writer(body);
  WritePartialMetadata(writer, metadata, api_version);
  return body;
}

Result<std::string> PartialMetadataList(std::span<const std::string_view> objects,
                                        const ListMeta& meta, std::string_view api_version) {
  std::vector<std::string_view> items;
  items.reserve(objects.size());
  for (const std::string_view object : objects) {
    QUADRA_TRY(items.emplace_back(), MetadataOf(object));
  }
  return Document([&](Writer& writer) {
    Text(writer, "kind", "PartialObjectMetadataList");
    Text(writer, "apiVersion", api_version);
    WriteListMeta(writer, meta);
    if (items.empty()) {
      writer.Key("items");
      writer.Null();
      return;
    }
    Array(writer, "items", [&] {
      for (const std::string_view item : items) {
        WritePartialMetadata(writer, item, api_version);
      }
    });
  });
}

}  // namespace quadra::apiserver
