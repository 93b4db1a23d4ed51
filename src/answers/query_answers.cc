// Our half of conformance/query: what selectors and continue tokens say.
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "api/vocabulary.h"
#include "json/value.h"
#include "json/writer.h"

namespace quadra::answers {
namespace {

using json::Value;

constexpr std::string_view kPrefix = "/registry/pods/";

// Go's words for what is no JSON are not ours.
std::string WithoutSyntax(const std::string& message) {
  constexpr std::string_view kOurs = "continue key is not valid: not JSON";
  return message.starts_with(kOurs) ? "continue key is not valid: syntax" : message;
}

void WriteError(const Error& error, json::Writer& writer) {
  writer.Key("error");
  writer.String(WithoutSyntax(error.message));
}

template <typename Values>
void WriteRequirement(std::string_view key, std::string_view op, const Values& values,
                      json::Writer& writer) {
  writer.BeginObject();
  writer.Key("key");
  writer.String(key);
  writer.Key("operator");
  writer.String(op);
  writer.Key("values");
  writer.BeginArray();
  for (const std::string& value : values) {
    writer.String(value);
  }
  writer.EndArray();
  writer.EndObject();
}

// Upstream's names of operators differ from their spelling in selectors.
std::string_view OperatorName(api::LabelSelector::Operator op) {
  using Operator = api::LabelSelector::Operator;
  switch (op) {
    case Operator::kEquals:
      return "=";
    case Operator::kDoubleEquals:
      return "==";
    case Operator::kNotEquals:
      return "!=";
    case Operator::kIn:
      return "in";
    case Operator::kNotIn:
      return "notin";
    case Operator::kExists:
      return "exists";
    case Operator::kDoesNotExist:
      return "!";
    case Operator::kGreaterThan:
      return "gt";
    case Operator::kLessThan:
      return "lt";
  }
  return "";
}

void WriteOne(const api::LabelSelector::Requirement& one, json::Writer& writer) {
  WriteRequirement(one.key, OperatorName(one.op), one.values, writer);
}
void WriteOne(const api::FieldSelector::Requirement& one, json::Writer& writer) {
  WriteRequirement(one.field, one.negated ? "!=" : "=", std::array{one.value}, writer);
}

template <typename Selector, typename Find>
void WriteSelector(const Result<Selector>& selector, Find find, json::Writer& writer) {
  if (!selector) {
    return WriteError(selector.error(), writer);
  }
  if (!selector->requirements().empty()) {
    writer.Key("requirements");
    writer.BeginArray();
    for (const auto& one : selector->requirements()) {
      WriteOne(one, writer);
    }
    writer.EndArray();
  }
  if (selector->MatchesBy(find)) {
    writer.Key("matches");
    writer.Bool(true);
  }
}

void WriteDecoded(const std::string& token, json::Writer& writer) {
  Result<api::ContinueToken> read = api::DecodeContinue(token, kPrefix);
  if (!read) {
    return WriteError(read.error(), writer);
  }
  writer.Key("key");
  writer.String(read->start_key);
  writer.Key("revision");
  writer.Int(read->resource_version);
}

void WriteEncoded(const std::string& key, const Value& revision, json::Writer& writer) {
  const std::int64_t number = revision.is_null() ? 0 : std::stoll(revision.number());
  const Result<std::string> token = api::EncodeContinue({key, number}, kPrefix);
  if (!token) {
    return WriteError(token.error(), writer);
  }
  writer.Key("key");
  writer.String(*token);
}

void WriteAnswer(const Value& question, json::Writer& writer) {
  const std::string& type = question.Get("type").string();
  const std::string& text = question.Get("text").string();
  const Value& of = question.Get("of");
  if (type == "labels") {
    const auto find = [&](const std::string& key) -> std::optional<std::string_view> {
      const Value* value = of.Find(key);
      return value == nullptr ? std::nullopt : std::optional<std::string_view>(value->string());
    };
    WriteSelector(api::LabelSelector::Parse(text), find, writer);
  } else if (type == "fields") {
    const auto find = [&](const std::string& field) -> std::string_view {
      const Value* value = of.Find(field);
      return value == nullptr ? "" : std::string_view(value->string());
    };
    WriteSelector(api::FieldSelector::Parse(text), find, writer);
  } else if (type == "continue") {
    WriteDecoded(text, writer);
  } else {
    WriteEncoded(text, question.Get("revision"), writer);
  }
}

}  // namespace

std::string AnswerQuery(std::string_view question) {
  const Result<Value> asked = json::ParseValue(question);
  std::string answer;
  json::Writer writer(answer);
  writer.BeginObject();
  WriteAnswer(*asked, writer);
  writer.EndObject();
  return answer;
}

}  // namespace quadra::answers
