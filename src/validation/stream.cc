#include "validation/stream.h"

#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "json/reader.h"
#include "json/writer.h"
#include "validation/judge.h"

namespace quadra::validation {
namespace {

struct Question {
  std::string operation;
  std::string_view object;
  std::string_view old;
  std::string gates;  // A=true,B=false
  api::Map<std::string> namespace_labels;
};

// A question that makes no sense is an Error of this reason; what upstream's decoder refuses has
// any other.
constexpr Reason kSenseless = Reason::kUsage;

// Reads members of one question. A JSON null counts as absent, as in Go.
class QuestionReader {
 public:
  explicit QuestionReader(std::string_view line) : reader_(line) {}

  Result<Question> Read() {
    Question question;
    if (Expect(json::Kind::kObject, "the question")) {
      std::string_view key;
      for (bool more = reader_.EnterObject(); more && reader_.NextKey(key);) {
        ReadMember(std::string(key), question);
      }
    } else {
      reader_.Skip();
    }
    if (const Status finished = reader_.Finish(); !finished) {
      return Fail(kSenseless, "unreadable line: " + finished.error().ToString());
    }
    if (!problem_.empty()) {
      return Fail(kSenseless, "unreadable line: " + problem_);
    }
    return question;
  }

 private:
  void ReadMember(const std::string& key, Question& question) {
    if (key == "operation" && Expect(json::Kind::kString, key)) {
      question.operation = reader_.String();
    } else if (key == "object") {
      question.object = ReadObject();
    } else if (key == "old") {
      question.old = ReadObject();
    } else if (key == "featureGates" && Expect(json::Kind::kObject, key)) {
      question.gates = ReadGates();
    } else if (key == "namespaceLabels" && Expect(json::Kind::kObject, key)) {
      question.namespace_labels = ReadLabels();
    } else {
      reader_.Skip();
    }
  }

  // False, having noted it, when the value at hand is of another kind; also for null, which is no
  // problem.
  bool Expect(json::Kind wanted, const std::string& what) {
    const json::Kind kind = reader_.Peek();
    if (kind != wanted && kind != json::Kind::kNull && problem_.empty()) {
      problem_ =
          fmt::format("{} must be {}, not {}", what, json::KindName(wanted), json::KindName(kind));
    }
    return kind == wanted;
  }

  // Empty for anything but an object: it then counts as missing.
  std::string_view ReadObject() {
    const bool is_object = reader_.Peek() == json::Kind::kObject;
    const std::string_view text = reader_.SkipRaw();
    return is_object ? text : std::string_view();
  }

  std::string ReadGates() {
    std::string gates, name;
    std::string_view key;
    for (bool more = reader_.EnterObject(); more && reader_.NextKey(key);) {
      name = key;
      bool on = false;
      if (Expect(json::Kind::kBool, "a feature gate")) {
        on = reader_.Bool();
      } else {
        reader_.Skip();
      }
      gates += fmt::format("{}{}={}", gates.empty() ? "" : ",", name, on);
    }
    return gates;
  }

  api::Map<std::string> ReadLabels() {
    api::Map<std::string> labels;
    std::string name;
    std::string_view key;
    for (bool more = reader_.EnterObject(); more && reader_.NextKey(key);) {
      name = key;
      std::string value;
      if (Expect(json::Kind::kString, "a label")) {
        value = reader_.String();
      } else {
        reader_.Skip();
      }
      labels[name] = value;
    }
    return labels;
  }

  json::Reader reader_;
  std::string problem_;
};

Result<Operation> OperationNamed(const std::string& name) {
  if (name == "create") {
    return Operation::kCreate;
  }
  if (name == "update") {
    return Operation::kUpdate;
  }
  if (name == "status") {
    return Operation::kStatus;
  }
  return Fail(kSenseless,
              fmt::format("unknown operation \"{}\": there are create, update and status", name));
}

// As the server says it: the kind it took the object for, then what is wrong.
std::string DecodeMessage(std::string_view json, const api::DecodeError& error) {
  const api::Decoded<api::Header> header = api::ReadHeader(json);
  if (!header) {
    return error.message;
  }
  const bool strict = error.error_class == api::DecodeError::Class::kStrict;
  return fmt::format("{0} in version \"{1}\" cannot be handled as a {0}: {2}{3}", header->kind,
                     header->api_version.substr(header->api_version.rfind('/') + 1),
                     strict ? "strict decoding error: " : "", error.message);
}

Result<api::Object> ReadObject(std::string_view json) {
  if (json.empty()) {
    return Fail(kSenseless, "object is missing");
  }
  api::Decoded<api::Object> object = api::DecodeJson(json);
  if (!object) {
    return Fail({.reason = Reason::kInvalid,
                 .message = DecodeMessage(json, object.error()),
                 .field = object.error().path});
  }
  return *std::move(object);
}

Result<std::optional<api::Object>> ReadOld(std::string_view json, Operation operation) {
  if (operation == Operation::kCreate) {
    return std::nullopt;
  }
  if (json.empty()) {
    return Fail(kSenseless, "old is missing");
  }
  api::Decoded<api::Object> old = api::DecodeJson(json, {.strictness = api::Strictness::kLenient});
  if (!old) {
    return Fail(kSenseless, "old cannot be read: " + old.error().message);
  }
  return *std::move(old);
}

Status CheckSense(const api::KindSchema& kind, Operation operation) {
  if (CoverageOf(kind) == Coverage::kNone) {
    return Fail(kSenseless, fmt::format("{} is not checked", kind.kind));
  }
  if (operation == Operation::kStatus && !JudgesStatus(kind)) {
    return Fail(kSenseless, fmt::format("{} has no status", kind.kind));
  }
  return {};
}

Status CheckSameKind(const api::KindSchema& kind, const std::optional<api::Object>& old) {
  if (!old || (old->kind->kind == kind.kind && old->kind->group == kind.group)) {
    return {};
  }
  return Fail(kSenseless, fmt::format("old is a {}, object a {}", old->kind->kind, kind.kind));
}

Result<FeatureGates> ReadGates(const std::string& text) {
  Result<FeatureGates> gates = FeatureGates::Parse(text);
  if (!gates) {
    return Fail(kSenseless, "no server starts with these gates: " + gates.error().ToString());
  }
  return gates;
}

Result<Outcome> Answered(std::string_view line, Time now) {
  QUADRA_TRY(const Question question, QuestionReader(line).Read());
  QUADRA_TRY(const Operation operation, OperationNamed(question.operation));
  QUADRA_TRY(api::Object object, ReadObject(question.object));
  QUADRA_RETURN_IF_ERROR(CheckSense(*object.kind, operation));
  QUADRA_TRY(const std::optional<api::Object> old, ReadOld(question.old, operation));
  QUADRA_RETURN_IF_ERROR(CheckSameKind(*object.kind, old));
  QUADRA_TRY(const FeatureGates gates, ReadGates(question.gates));
  return Judge({.operation = operation,
                .gates = gates,
                .namespace_labels = question.namespace_labels,
                .now = now},
               std::move(object), old ? &*old : nullptr);
}

void WriteStrings(json::Writer& writer, std::string_view key,
                  const std::vector<std::string>& texts) {
  writer.Key(key);
  writer.BeginArray();
  for (const std::string& text : texts) {
    writer.String(text);
  }
  writer.EndArray();
}

void WriteMember(json::Writer& writer, std::string_view key, std::string_view text) {
  writer.Key(key);
  writer.String(text);
}

void Write(json::Writer& writer, const Outcome& outcome) {
  writer.Key("errors");
  writer.BeginArray();
  for (const FieldError& error : outcome.errors) {
    writer.BeginObject();
    WriteMember(writer, "type", ErrorTypeName(error.type));
    WriteMember(writer, "field", error.field);
    WriteMember(writer, "message", error.message);
    writer.EndObject();
  }
  writer.EndArray();
  WriteStrings(writer, "warnings", outcome.warnings);
  WriteStrings(writer, "dropped", outcome.dropped);
}

void Write(json::Writer& writer, const Undecodable& undecodable) {
  WriteMember(writer, "decode", "error");
  if (!undecodable.path.empty()) {
    WriteMember(writer, "path", undecodable.path);
  }
  if (!undecodable.message.empty()) {
    WriteMember(writer, "message", undecodable.message);
  }
}

void Write(json::Writer& writer, const Senseless& senseless) {
  WriteMember(writer, "input", senseless.why);
}

}  // namespace

Answer AnswerQuestion(std::string_view line, Time now) {
  Result<Outcome> outcome = Answered(line, now);
  if (outcome) {
    return *std::move(outcome);
  }
  const Error& error = outcome.error();
  if (error.reason == kSenseless) {
    return Senseless{error.message};
  }
  return Undecodable{.path = error.field, .message = error.message};
}

std::string ToJson(const Answer& answer) {
  std::string out;
  json::Writer writer(out);
  writer.BeginObject();
  std::visit([&](const auto& content) { Write(writer, content); }, answer);
  writer.EndObject();
  return out;
}

}  // namespace quadra::validation
