#include "streams/validation.h"

#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "json/writer.h"
#include "streams/line_reader.h"
#include "validation/judge.h"

namespace quadra::streams {
namespace {

using api::FeatureGates;
using validation::Judgement;
using validation::Operation;

struct ValidationQuestion {
  std::string operation;
  std::string_view object;
  std::string_view old;
  std::string gates;  // A=true,B=false
  api::Map<std::string> namespace_labels;
};

// A question that makes no sense is an Error of this reason; what upstream's decoder refuses has
// any other.
constexpr ErrorKind kSenseless = ErrorKind::kUsage;

// Reads members of one question. A JSON null counts as absent, as in Go.
class ValidationQuestionReader {
 public:
  explicit ValidationQuestionReader(std::string_view line) : line_(line) {}

  Result<ValidationQuestion> Read() {
    const Status read = line_.ReadMembers([this](const std::string& key) { ReadMember(key); });
    if (!read) {
      return Fail(kSenseless, "unreadable line: " + read.error().message);
    }
    return std::move(question_);
  }

 private:
  void ReadMember(const std::string& key) {
    if (key == "operation") {
      question_.operation = line_.String(key).value_or("");
    } else if (key == "object") {
      question_.object = ReadObject();
    } else if (key == "old") {
      question_.old = ReadObject();
    } else if (key == "featureGates" && line_.Expect(json::Kind::kObject, key)) {
      line_.ForEach([this](const std::string& gate) { ReadGate(gate); });
    } else if (key == "namespaceLabels" && line_.Expect(json::Kind::kObject, key)) {
      line_.ForEach([this](const std::string& label) {
        question_.namespace_labels[label] = line_.String("a label").value_or("");
      });
    } else {
      line_.values().Skip();
    }
  }

  // Empty for anything but an object: it then counts as missing.
  std::string_view ReadObject() {
    const bool is_object = line_.values().Peek() == json::Kind::kObject;
    const std::string_view text = line_.values().SkipRaw();
    return is_object ? text : std::string_view();
  }

  void ReadGate(const std::string& name) {
    const bool on = line_.Bool("a feature gate").value_or(false);
    question_.gates += fmt::format("{}{}={}", question_.gates.empty() ? "" : ",", name, on);
  }

  LineReader line_;
  ValidationQuestion question_;
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
    return Fail({.kind = ErrorKind::kInvalid,
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
  if (validation::CoverageOf(kind) == validation::Coverage::kNone) {
    return Fail(kSenseless, fmt::format("{} is not checked", kind.kind));
  }
  if (operation == Operation::kStatus && !validation::JudgesStatus(kind)) {
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

Result<Judgement> Answered(std::string_view line, Time now) {
  QUADRA_TRY(const ValidationQuestion question, ValidationQuestionReader(line).Read());
  QUADRA_TRY(const Operation operation, OperationNamed(question.operation));
  QUADRA_TRY(api::Object object, ReadObject(question.object));
  QUADRA_RETURN_IF_ERROR(CheckSense(*object.kind, operation));
  QUADRA_TRY(std::optional<api::Object> old, ReadOld(question.old, operation));
  QUADRA_RETURN_IF_ERROR(CheckSameKind(*object.kind, old));
  QUADRA_TRY(const FeatureGates gates, ReadGates(question.gates));
  return validation::Judge({.operation = operation,
                            .gates = gates,
                            .namespace_labels = question.namespace_labels,
                            .now = now},
                           std::move(object), std::move(old));
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

void Write(json::Writer& writer, const Judgement& judged) {
  const validation::Outcome& outcome = judged.outcome;
  writer.Key("errors");
  writer.BeginArray();
  for (const validation::FieldError& error : outcome.errors) {
    writer.BeginObject();
    writer.Member("type", validation::ErrorTypeName(error.type));
    writer.Member("field", error.field);
    writer.Member("message", error.message);
    writer.EndObject();
  }
  writer.EndArray();
  WriteStrings(writer, "warnings", outcome.warnings);
  WriteStrings(writer, "dropped", outcome.dropped);
}

void Write(json::Writer& writer, const Undecodable& undecodable) {
  writer.Member("decode", "error");
  if (!undecodable.path.empty()) {
    writer.Member("path", undecodable.path);
  }
  if (!undecodable.message.empty()) {
    writer.Member("message", undecodable.message);
  }
}

void Write(json::Writer& writer, const Senseless& senseless) {
  writer.Member("input", senseless.why);
}

}  // namespace

ValidationAnswer AnswerValidation(std::string_view line, Time now) {
  Result<Judgement> judged = Answered(line, now);
  if (judged) {
    return *std::move(judged);
  }
  const Error& error = judged.error();
  if (error.kind == kSenseless) {
    return Senseless{error.message};
  }
  return Undecodable{.path = error.field, .message = error.message};
}

std::string ToJson(const ValidationAnswer& answer) {
  std::string out;
  json::Writer writer(out);
  writer.BeginObject();
  std::visit([&](const auto& content) { Write(writer, content); }, answer);
  writer.EndObject();
  return out;
}

}  // namespace quadra::streams
