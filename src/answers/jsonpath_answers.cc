// Our half of conformance/jsonpath: what a template makes of a document.
#include <string>

#include "json/documents.h"
#include "json/value.h"
#include "json/writer.h"

namespace quadra::answers {
namespace {

Result<std::string> Filled(const std::string& text, const json::Value& document) {
  QUADRA_TRY(const json::JsonPath path, json::JsonPath::Parse(text));
  return path.Print(document);
}

}  // namespace

std::string AnswerJsonPath(std::string_view question) {
  const Result<json::Value> asked = json::ParseValue(question);
  const Result<std::string> filled =
      Filled(asked->Get("template").string(), asked->Get("document"));
  std::string answer;
  json::Writer writer(answer);
  writer.BeginObject();
  writer.Key(filled ? "text" : "error");
  writer.String(filled ? *filled : filled.error().message);
  writer.EndObject();
  return answer;
}

}  // namespace quadra::answers
