// Our half of conformance/patch: what a patch makes of an object.
#include <algorithm>
#include <charconv>
#include <string>
#include <utility>
#include <vector>

#include "api/object.h"
#include "base/check.h"
#include "json/value.h"
#include "json/writer.h"
#include "patch/patch.h"

namespace quadra::answers {
namespace {

using json::Kind;
using json::Value;

patch::Type TypeNamed(const std::string& name) {
  return name == "json"    ? patch::Type::kJson
         : name == "merge" ? patch::Type::kMerge
                           : patch::Type::kStrategicMerge;
}

// Integers that fit are Go's int64, all other numbers float64.
void WriteNumber(const std::string& spelling, json::Writer& writer) {
  const char* const end = spelling.data() + spelling.size();
  std::int64_t integer = 0;
  double real = 0;
  if (const auto read = std::from_chars(spelling.data(), end, integer);
      read.ec == std::errc() && read.ptr == end) {
    writer.Int(integer);
  } else {
    std::from_chars(spelling.data(), end, real);
    writer.Double(real);
  }
}

// As Go writes a map[string]interface{}.
void WriteAsMap(const Value& value, json::Writer& writer) {
  if (value.kind() == Kind::kObject) {
    std::vector<const Value::Member*> members;
    for (const Value::Member& member : value.members()) {
      members.push_back(&member);
    }
    std::ranges::sort(members, {}, &Value::Member::key);
    writer.BeginObject();
    for (const Value::Member* member : members) {
      writer.Key(member->key);
      WriteAsMap(member->value, writer);
    }
    writer.EndObject();
  } else if (value.kind() == Kind::kArray) {
    writer.BeginArray();
    for (const Value& item : value.items()) {
      WriteAsMap(item, writer);
    }
    writer.EndArray();
  } else if (value.kind() == Kind::kNumber) {
    WriteNumber(value.number(), writer);
  } else {
    json::WriteValue(value, writer);
  }
}

// What upstream's converter cannot take of a merged tree.
void WriteMisfit(Value object, const api::Struct& type, json::Writer& writer) {
  if (const std::string misfit = patch::FitToSchema(object, type); !misfit.empty()) {
    writer.Key("misfit");
    writer.String(misfit);
  }
}

// The other types leave the text of what they do not look into as it is.
void WriteObject(const Value& object, patch::Type type, json::Writer& writer) {
  writer.Key("object");
  if (type == patch::Type::kStrategicMerge) {
    WriteAsMap(object, writer);
  } else {
    json::WriteValue(object, writer);
  }
}

void WriteRemarks(const std::vector<std::string>& remarks, json::Writer& writer) {
  if (remarks.empty()) {
    return;
  }
  writer.Key("remarks");
  writer.BeginArray();
  for (const std::string& remark : remarks) {
    writer.String(remark);
  }
  writer.EndArray();
}

void WriteRefused(const patch::Refused& refused, json::Writer& writer) {
  writer.Key("code");
  writer.Int(static_cast<std::int64_t>(refused.status));
  writer.Key("message");
  writer.String(refused.Message());
  if (refused.status == patch::StatusClass::kInvalid) {
    writer.Key("why");
    writer.String(refused.why);
  }
}

const api::Struct& SchemaOf(const Value& object) {
  const api::KindSchema* kind =
      api::FindKind(object.Get("apiVersion").string(), object.Get("kind").string());
  QUADRA_CHECK(kind != nullptr, "the questions are about kinds of the schema tables");
  return *kind->fields;
}

tl::expected<patch::Patched, patch::Refused> Apply(const Value& question, patch::Type type) {
  auto read = patch::Patch::Read(type, question.Get("patch").string(),
                                 {.strict = question.Get("strict").boolean()});
  if (!read) {
    return tl::unexpected(std::move(read).error());
  }
  const Value& object = question.Get("object");
  return read->ApplyTo(object, SchemaOf(object));
}

}  // namespace

std::string AnswerPatch(std::string_view question) {
  const Result<Value> asked = json::ParseValue(question);
  const patch::Type type = TypeNamed(asked->Get("type").string());
  const auto patched = Apply(*asked, type);
  std::string answer;
  json::Writer writer(answer);
  writer.BeginObject();
  if (patched) {
    WriteObject(patched->object, type, writer);
    WriteRemarks(patched->remarks, writer);
    if (type == patch::Type::kStrategicMerge) {
      WriteMisfit(patched->object, SchemaOf(asked->Get("object")), writer);
    }
  } else {
    WriteRefused(patched.error(), writer);
  }
  writer.EndObject();
  return answer;
}

}  // namespace quadra::answers
