// The golden comparison: one object in three encodings, each decoded and encoded again in all
// three.

#include <string>
#include <string_view>

#include "api/object.h"
#include "base/base64.h"
#include "json/documents.h"
#include "json/value.h"
#include "json/writer.h"

namespace quadra::answers {
namespace {

struct Forms {
  std::string api_version, kind, json, yaml, proto;
};

Forms ReadForms(std::string_view question) {
  Forms forms;
  json::Reader reader(question);
  std::string_view key;
  for (bool more = reader.EnterObject(); more && reader.NextKey(key);) {
    std::string* const member = key == "json"         ? &forms.json
                                : key == "yaml"       ? &forms.yaml
                                : key == "proto"      ? &forms.proto
                                : key == "apiVersion" ? &forms.api_version
                                                      : &forms.kind;
    *member = reader.String();
  }
  forms.proto = DecodeBase64(forms.proto).value_or("");
  return forms;
}

void WriteForms(json::Writer& writer, const Result<api::Object>& object) {
  writer.BeginObject();
  if (!object) {
    writer.Key("error");
    writer.String(object.error().ToString());
    writer.EndObject();
    return;
  }
  const std::string text = api::EncodeJson(*object, 2);
  writer.Key("json");
  writer.String(text);
  writer.Key("yaml");
  writer.String(json::ToYaml(*json::ParseValue(text)));
  writer.Key("proto");
  std::string base64;
  AppendBase64(base64, api::EncodeProto(*object));
  writer.String(base64);
  writer.EndObject();
}

Result<api::Object> FromJson(std::string_view text, const api::KindSchema* kind) {
  auto object = api::DecodeJson(text, {.strictness = api::Strictness::kLenient, .assumed = kind});
  if (!object) {
    return Fail(ErrorKind::kInvalid, object.error().message);
  }
  return *std::move(object);
}

Result<api::Object> FromYaml(std::string_view text, const api::KindSchema* kind) {
  QUADRA_TRY(const std::string converted, json::YamlToJson(text));
  return FromJson(converted, kind);
}

}  // namespace

std::string AnswerGolden(std::string_view question) {
  const Forms forms = ReadForms(question);
  const api::KindSchema* kind = api::FindKind(forms.api_version, forms.kind);
  std::string out;
  json::Writer writer(out);
  writer.BeginObject();
  writer.Key("fromJSON");
  WriteForms(writer, FromJson(forms.json, kind));
  writer.Key("fromYAML");
  WriteForms(writer, FromYaml(forms.yaml, kind));
  writer.Key("fromProto");
  WriteForms(writer, api::DecodeProto(forms.proto, kind));
  writer.EndObject();
  return out;
}

}  // namespace quadra::answers
