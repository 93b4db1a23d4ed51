// The comparisons of strict decoding and of conversion.

#include <string>
#include <string_view>

#include "api/object.h"
#include "json/value.h"
#include "json/writer.h"

namespace quadra::answers {
namespace {

std::string_view ClassName(api::DecodeError::Class error_class) {
  switch (error_class) {
    case api::DecodeError::Class::kSyntax:
      return "syntax";
    case api::DecodeError::Class::kHeader:
      return "kind";
    case api::DecodeError::Class::kValue:
      return "value";
    case api::DecodeError::Class::kType:
      return "type";
    case api::DecodeError::Class::kStrict:
      return "strict";
  }
  return "";
}

}  // namespace

// Question {"object": text}; answer {"accept":true} or {"refuse": class, "path": path, "message":
// words}, the words only of strict errors: the others are everyone's own.
std::string AnswerDecode(std::string_view question) {
  std::string text;
  json::Reader reader(question);
  std::string_view key;
  for (bool more = reader.EnterObject(); more && reader.NextKey(key);) {
    text = reader.String();
  }
  const auto object = api::DecodeJson(text);
  if (object) {
    return R"({"accept":true})";
  }
  std::string out;
  json::Writer writer(out);
  writer.BeginObject();
  writer.Member("refuse", ClassName(object.error().error_class));
  if (!object.error().path.empty()) {
    writer.Member("path", object.error().path);
  }
  if (object.error().error_class == api::DecodeError::Class::kStrict) {
    writer.Member("message", object.error().message);
  }
  writer.EndObject();
  return out;
}

// Question {"object": object, "to": version}; answer the converted object.
std::string AnswerConvert(std::string_view question) {
  std::string_view text, to, key;
  json::Reader reader(question);
  for (bool more = reader.EnterObject(); more && reader.NextKey(key);) {
    (key == "object" ? text : to) = key == "object" ? reader.SkipRaw() : reader.String();
  }
  const auto object = api::DecodeJson(text, {.strictness = api::Strictness::kLenient});
  if (!object) {
    return R"({"decode":"error"})";
  }
  const auto converted = api::Convert(*object, to);
  return converted ? api::EncodeJson(*converted) : converted.error().ToString();
}

}  // namespace quadra::answers
