// The YAML comparison: {"yaml":TEXT} asks what a document means, {"bytes":[N,...]} the same of one
// that is no UTF-8, and
// {"write":VALUE} how a value is written.
#include <cstdlib>
#include <string>
#include <string_view>

#include "json/documents.h"
#include "json/value.h"
#include "json/writer.h"

namespace quadra::answers {

std::string AnswerYaml(std::string_view question);

namespace {

std::string AnswerRead(std::string_view text) {
  const Result<std::string> json = json::YamlToJson(text);
  std::string out;
  json::Writer writer(out);
  writer.BeginObject();
  if (json) {
    writer.Key("json");
    writer.String(*json);
    writer.Key("strict");
    writer.Bool(json::YamlToJsonStrict(text).has_value());
  } else {
    writer.Key("error");
    writer.Bool(true);
  }
  writer.EndObject();
  return out;
}

std::string AnswerWrite(const json::Value& value) {
  std::string out;
  json::Writer writer(out);
  writer.BeginObject();
  writer.Key("yaml");
  writer.String(json::ToYaml(value));
  writer.Key("readsBack");
  writer.Bool(true);
  writer.EndObject();
  return out;
}

std::string BytesOf(const json::Value& numbers) {
  std::string bytes;
  for (const json::Value& number : numbers.items()) {
    bytes += static_cast<char>(std::strtol(number.number().c_str(), nullptr, 10));
  }
  return bytes;
}

}  // namespace

std::string AnswerYaml(std::string_view question) {
  const Result<json::Value> asked = json::ParseValue(question);
  if (!asked) {
    return "{\"input\":\"unreadable question\"}";
  }
  if (const json::Value* const text = asked->Find("yaml")) {
    return AnswerRead(text->string());
  }
  if (const json::Value* const value = asked->Find("write")) {
    return AnswerWrite(*value);
  }
  return AnswerRead(BytesOf(asked->Get("bytes")));
}

}  // namespace quadra::answers
