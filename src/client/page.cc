#include "client/page.h"

#include <utility>

#include <fmt/format.h>

#include "client/target.h"
#include "json/value.h"

namespace quadra::client {
namespace {

constexpr std::string_view kPageSize = "500";
constexpr std::string_view kAsMetadataList =
    "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json";

// Servers write what an object is before all else, or not at all.
bool SaysWhatItIs(std::string_view item) {
  return item.starts_with(R"({"kind":)") || item.starts_with(R"({"apiVersion":)");
}

std::string WithHeader(std::string_view item, const Resource& resource) {
  const std::size_t first = item.find_first_not_of(" \t\r\n", 1);
  if (SaysWhatItIs(item) || first == std::string_view::npos) {
    return std::string(item);
  }
  const std::string_view comma = item[first] == '}' ? "" : ",";
  return fmt::format(R"({{"kind":"{}","apiVersion":"{}"{}{})", resource.kind, resource.ApiVersion(),
                     comma, item.substr(1));
}

// A list's metadata; the token in it.
std::string ReadListMetadata(json::Reader& reader, Page& page) {
  std::string token;
  std::string_view key;
  for (bool more = reader.EnterObject(); more && reader.NextKey(key);) {
    if (key == "resourceVersion") {
      page.resource_version = reader.StringOrSkip();
    } else if (key == "continue") {
      token = reader.StringOrSkip();
    } else {
      reader.Skip();
    }
  }
  return token;
}

void ReadItems(json::Reader& reader, const Resource& resource, Page& page) {
  if (reader.Peek() == json::Kind::kNull) {
    return reader.Null();
  }
  for (bool more = reader.EnterArray(); more && reader.NextItem();) {
    page.items.push_back(WithHeader(reader.SkipRaw(), resource));
  }
}

}  // namespace

Ask ListAsk(const Resource& resource, const Choice& choice, bool metadata_only, bool paged,
            std::string_view token) {
  Target target(resource.Path(choice.ns));
  target.WithIf("labelSelector", choice.label_selector)
      .WithIf("fieldSelector", choice.field_selector)
      .WithIf("limit", paged ? kPageSize : "")
      .WithIf("continue", token);
  return {.method = "GET",
          .target = std::move(target).text(),
          .accept = std::string(metadata_only ? kAsMetadataList : kJson)};
}

Result<std::string> AppendPage(std::string_view list, const Resource& resource, Page& page) {
  json::Reader reader(list);
  std::string token;
  std::string_view key;
  for (bool more = reader.EnterObject(); more && reader.NextKey(key);) {
    if (key == "metadata") {
      token = ReadListMetadata(reader, page);
    } else if (key == "items") {
      ReadItems(reader, resource, page);
    } else {
      reader.Skip();
    }
  }
  QUADRA_RETURN_IF_ERROR(reader.Finish());
  return token;
}

}  // namespace quadra::client
