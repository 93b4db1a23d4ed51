#include "apiserver/openapi.h"

#include <set>
#include <string>

#include <gtest/gtest.h>

#include "apiserver/gzip_for_tests.h"
#include "json/value.h"

namespace quadra::apiserver {
namespace {

using json::Value;

OpenApi& Builtin() {
  static const Catalog catalog(api::Registry().All());
  static OpenApi documents(catalog);
  return documents;
}

Value DocumentAt(std::string_view path) { return *json::ParseValue(Builtin().Find(path)->json); }

// Every value of a member `key` anywhere below.
void Collect(const Value& value, std::string_view key, std::vector<std::string>& found) {
  if (value.kind() == json::Kind::kArray) {
    for (const Value& item : value.items()) {
      Collect(item, key, found);
    }
  } else if (value.kind() == json::Kind::kObject) {
    for (const Value::Member& member : value.members()) {
      if (member.key == key && member.value.kind() == json::Kind::kString) {
        found.push_back(member.value.string());
      }
      Collect(member.value, key, found);
    }
  }
}

// What the documents say is compared with upstream's (conformance/openapi).
TEST(OpenApi, IndexSaysWhereEveryDocumentIs) {
  const Value index = *json::ParseValue(Builtin().Index());
  const Value& paths = index.Get("paths");
  EXPECT_EQ(paths.members().size(), 16U);
  for (const Value::Member& member : paths.members()) {
    const OpenApiDocument* document = Builtin().Find(member.key);
    ASSERT_NE(document, nullptr) << member.key;
    EXPECT_EQ(member.value.Get("serverRelativeURL").string(),
              "/openapi/v3/" + member.key + "?hash=" + document->hash);
    EXPECT_EQ(Unzip(document->gzip, document->json.size()), document->json);
  }
  EXPECT_EQ(Builtin().Find("apis/nobody.example.com/v1"), nullptr);
}

TEST(OpenApi, HashesContents) {
  const Catalog catalog(api::Registry().All());
  OpenApi again(catalog);
  EXPECT_EQ(again.Find("api/v1")->hash, Builtin().Find("api/v1")->hash);
  EXPECT_NE(again.Find("api/v1")->hash, again.Find("apis/apps/v1")->hash);
}

TEST(OpenApi, DefinesWhatItRefersTo) {
  const Value index = *json::ParseValue(Builtin().Index());
  for (const Value::Member& member : index.Get("paths").members()) {
    const Value document = DocumentAt(member.key);
    std::vector<std::string> references;
    Collect(document, "$ref", references);
    EXPECT_GT(references.size(), 20U) << member.key;
    for (const std::string& reference : references) {
      const std::string name = reference.substr(reference.rfind('/') + 1);
      EXPECT_NE(document.Get("components").Get("schemas").Find(name), nullptr) << reference;
    }
  }
}

TEST(OpenApi, NamesOperationsOnce) {
  std::vector<std::string> names;
  Collect(DocumentAt("apis/resource.k8s.io/v1"), "operationId", names);
  EXPECT_GT(names.size(), 40U);
  EXPECT_EQ(std::set<std::string>(names.begin(), names.end()).size(), names.size());
}

// kubectl looks for exactly these before it lets the server validate.
TEST(OpenApi, PatchesOfAKindTakeFieldValidation) {
  const Value document = DocumentAt("apis/resource.k8s.io/v1");
  const Value& patch =
      document.Get("paths")
          .Get("/apis/resource.k8s.io/v1/namespaces/{namespace}/resourceclaims/{name}")
          .Get("patch");
  EXPECT_EQ(patch.Get("x-kubernetes-group-version-kind").Get("kind").string(), "ResourceClaim");
  std::vector<std::string> names;
  Collect(patch.Get("parameters"), "name", names);
  EXPECT_EQ(names,
            (std::vector<std::string>{"dryRun", "fieldManager", "fieldValidation", "force"}));
}

}  // namespace
}  // namespace quadra::apiserver
