#include "apiserver/openapi.h"

#include <cstdint>

#include <fmt/format.h>

#include "apiserver/gzip.h"
#include "apiserver/json_members.h"
#include "apiserver/openapi_paths.h"
#include "apiserver/openapi_schemas.h"

namespace quadra::apiserver {
namespace {

using json::Writer;

// FNV-1a: tells contents apart, and is no defence against anybody.
std::string HashOf(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325U;
  for (const char byte : text) {
    hash = (hash ^ static_cast<unsigned char>(byte)) * 0x100000001b3U;
  }
  return fmt::format("{:016X}", hash);
}

void WriteSecurity(Writer& writer) {
  Object(writer, "securitySchemes", [&] {
    Object(writer, "BearerToken", [&] {
      Text(writer, "type", "apiKey");
      Text(writer, "name", "authorization");
      Text(writer, "in", "header");
    });
  });
}

std::string DocumentOf(const GroupVersion& version) {
  return Document([&](Writer& writer) {
    OpenApiSchemas schemas(version.group, version.version);
    Text(writer, "openapi", "3.0.0");
    Object(writer, "info", [&] {
      Text(writer, "title", "Kubernetes");
      Text(writer, "version", "1.37");
    });
    writer.Key("paths");
    WriteOpenApiPaths(writer, version, schemas);
    Object(writer, "components", [&] {
      writer.Key("schemas");
      schemas.Write(writer);
      WriteSecurity(writer);
    });
  });
}

}  // namespace

const std::string& OpenApi::Index() {
  std::call_once(made_, [this] { Make(); });
  return index_;
}

const OpenApiDocument* OpenApi::Find(std::string_view path) {
  std::call_once(made_, [this] { Make(); });
  const auto at = documents_.find(path);
  return at == documents_.end() ? nullptr : &at->second;
}

void OpenApi::Make() {
  for (const Group& group : catalog_.groups()) {
    for (const GroupVersion& version : group.versions) {
      OpenApiDocument document{.json = DocumentOf(version)};
      document.gzip = Gzip(document.json);
      document.hash = HashOf(document.json);
      documents_[(version.group.empty() ? "api/" : "apis/") + version.ApiVersion()] =
          std::move(document);
    }
  }
  index_ = Document([&](Writer& writer) {
    Object(writer, "paths", [&] {
      for (const auto& [path, document] : documents_) {
        Object(writer, path, [&] {
          Text(writer, "serverRelativeURL",
               fmt::format("/openapi/v3/{}?hash={}", path, document.hash));
        });
      }
    });
  });
}

}  // namespace quadra::apiserver
