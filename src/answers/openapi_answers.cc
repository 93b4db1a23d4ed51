// Our half of conformance/openapi: parts of our documents.
#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "apiserver/views.h"
#include "json/value.h"

namespace quadra::answers {
namespace {

using json::Value;

const Value& DocumentAt(const std::string& path) {
  static const apiserver::Catalog catalog(api::Registry().All());
  static apiserver::OpenApi documents(catalog);
  static std::map<std::string, Value> parsed;
  const auto [at, added] = parsed.try_emplace(path);
  if (const apiserver::OpenApiDocument* found = documents.Find(path); added && found != nullptr) {
    at->second = json::ParseValue(found->json).value_or(Value());
  }
  return at->second;
}

Value NamesOf(const Value& object) {
  std::vector<std::string> names;
  for (const Value::Member& member : object.members()) {
    names.push_back(member.key);
  }
  std::ranges::sort(names);
  return Value(Value::Array(names.begin(), names.end()));
}

}  // namespace

// The question is {"document": "api/v1", "keys": […], "names": bool}: what stands behind the keys,
// or the sorted names of its members.
std::string AnswerOpenApi(std::string_view question) {
  const Value asked = json::ParseValue(question).value_or(Value());
  const Value* found = &DocumentAt(asked.Get("document").string());
  for (const Value& key : asked.Get("keys").items()) {
    found = &found->Get(key.string());
  }
  return json::ToJson(asked.Get("names") == Value(true) ? NamesOf(*found) : *found);
}

}  // namespace quadra::answers
