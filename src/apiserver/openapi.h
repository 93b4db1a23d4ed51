// OpenApi: the OpenAPI v3 documents of what is served, one a group and version, made from the schema
// tables: every path, operation and type, so that kubectl can explain, validate, apply and diff.
//
//   OpenApi documents(catalog);
//   documents.Index();                       // body of /openapi/v3: where the documents are
//   const OpenApiDocument* found = documents.Find("apis/resource.k8s.io/v1");
//   found->json, found->gzip, found->hash    // body, compressed body, content hash (ETag, ?hash=)
//
// Thread-safe. Nothing is made before the first call of Index or Find, which makes all documents
// (1.6 MB of JSON, a tenth of a second); the calls after it cost nothing. Descriptions are our own.
// Borrows the catalog.
#pragma once

#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <string_view>

#include "apiserver/catalog.h"

namespace quadra::apiserver {

struct OpenApiDocument {
  std::string json;
  std::string gzip;  // the same, as Content-Encoding gzip
  std::string hash;  // of the content; stays the same from run to run
};

class OpenApi {
 public:
  explicit OpenApi(const Catalog& catalog) : catalog_(catalog) {}

  const std::string& Index();
  // `path` is what follows /openapi/v3/: api/v1, apis/GROUP/VERSION. Null when there is none.
  const OpenApiDocument* Find(std::string_view path);

 private:
  void Make();

  const Catalog& catalog_;
  std::once_flag made_;
  std::string index_;
  std::map<std::string, OpenApiDocument, std::less<>> documents_;
};

}  // namespace quadra::apiserver
