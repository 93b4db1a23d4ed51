#include "client/metadata.h"

#include <string>
#include <utility>

#include "json/value.h"

namespace quadra::client {
namespace {

struct Outline {
  std::string api_version;
  std::string kind;
  std::string_view metadata;  // as written; empty: none
};

Result<Outline> Outlined(std::string_view json) {
  json::Reader reader(json);
  Outline outline;
  std::string_view key;
  for (bool more = reader.EnterObject(); more && reader.NextKey(key);) {
    if (key == "apiVersion") {
      outline.api_version = reader.StringOrSkip();
    } else if (key == "kind") {
      outline.kind = reader.StringOrSkip();
    } else if (key == "metadata") {
      outline.metadata = reader.SkipRaw();
    } else {
      reader.Skip();
    }
  }
  QUADRA_RETURN_IF_ERROR(reader.Finish());
  return outline;
}

Result<api::ObjectMeta> ReadMeta(std::string_view json) {
  std::string whole =
      R"({"kind":"PartialObjectMetadata","apiVersion":"meta.k8s.io/v1","metadata":)";
  whole.append(json).append("}");
  const api::Decoded<api::Object> read =
      api::DecodeJson(whole, {.strictness = api::Strictness::kLenient});
  if (!read) {
    return Fail(ErrorKind::kInvalid, read.error().message);
  }
  return MetaOf(*read);
}

}  // namespace

Result<Metadata> ReadMetadata(std::string_view json) {
  QUADRA_TRY(Outline outline, Outlined(json));
  Metadata read{.api_version = std::move(outline.api_version), .kind = std::move(outline.kind)};
  if (!outline.metadata.empty()) {
    QUADRA_TRY(read.metadata, ReadMeta(outline.metadata));
  }
  return read;
}

}  // namespace quadra::client
