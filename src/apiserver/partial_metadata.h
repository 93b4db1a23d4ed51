// PartialObjectMetadata: objects reduced to their metadata, for clients that only count, own or
// collect them.
//
//   PartialMetadata(bytes);                      // {"kind":"PartialObjectMetadata",…,"metadata":{…}}
//   PartialMetadataList(items, {.resource_version = "7"});
//
// The metadata is copied as it is written in the object, so that it is never encoded again. Pure
// functions; cost: one pass over the bytes. They fail with ErrorKind::kSyntax on what is no JSON
// object.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"
#include "json/writer.h"

namespace quadra::apiserver {

// The versions of meta.k8s.io that clients may ask for say the same.
inline constexpr std::string_view kMetaV1 = "meta.k8s.io/v1";
inline constexpr std::string_view kMetaV1beta1 = "meta.k8s.io/v1beta1";

// metadata of a list.
struct ListMeta {
  std::string_view resource_version = {};
  std::string_view continue_token = {};
  std::optional<std::int64_t> remaining_items = std::nullopt;
};
void WriteListMeta(json::Writer& writer, const ListMeta& meta);

// The text of an object's metadata within `object`; {} where it has none.
Result<std::string_view> MetadataOf(std::string_view object);

// `metadata` as MetadataOf gives it.
void WritePartialMetadata(json::Writer& writer, std::string_view metadata,
                          std::string_view api_version);

Result<std::string> PartialMetadata(std::string_view object,
                                    std::string_view api_version = kMetaV1);
Result<std::string> PartialMetadataList(std::span<const std::string_view> objects,
                                        const ListMeta& meta,
                                        std::string_view api_version = kMetaV1);

}  // namespace quadra::apiserver
