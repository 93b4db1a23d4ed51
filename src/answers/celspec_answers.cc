// Our half of conformance/celspec: one test of the language's specification in one profile, with
// its declarations and bindings.
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "answers/cel_words.h"
#include "answers/unchecked.h"
#include "base/time_zones.h"
#include "cel/checked.h"
#include "cel/program.h"
#include "json/value.h"

namespace quadra::answers {

std::string AnswerCelSpec(std::string_view question);

namespace {

bool IsSet(const json::Value& question, std::string_view flag) {
  const json::Value* const value = question.Find(flag);
  return value != nullptr && value->boolean();
}

const std::vector<json::Value>& ItemsOf(const json::Value& question, std::string_view key) {
  static const std::vector<json::Value>* const none = new std::vector<json::Value>();
  const json::Value* const value = question.Find(key);
  return value == nullptr ? *none : value->items();
}

void AddFunction(const json::Value& declared, cel::Environment& environment) {
  cel::Overload overload{.id = declared.Get("id").string(),
                         .member = IsSet(declared, "member"),
                         .behaviour = cel::NotImplemented()};
  for (const json::Value& parameter : declared.Get("parameters").items()) {
    overload.parameters.push_back(ReadCelType(parameter, environment.types));
  }
  overload.result = ReadCelType(declared.Get("result"), environment.types);
  environment.Add(declared.Get("name").string(), std::move(overload));
}

std::unique_ptr<cel::Environment> MakeEnvironment(const json::Value& question) {
  std::unique_ptr<cel::Environment> environment =
      question.Get("profile").string() == "spec"
          ? cel::SpecificationEnvironment()
          : cel::KubernetesEnvironment({.list_includes = true, .lists_after_strings = true});
  if (const json::Value* const container = question.Find("container")) {
    environment->options.container = container->string();
  }
  environment->options.macros = !IsSet(question, "disableMacros");
  for (const json::Value& variable : ItemsOf(question, "variables")) {
    environment->variables.push_back(
        {variable.Get("name").string(), ReadCelType(variable.Get("type"), environment->types)});
  }
  for (const json::Value& function : ItemsOf(question, "functions")) {
    AddFunction(function, *environment);
  }
  return environment;
}

// Variables by name; the specification's tests link no slots.
class Bindings final : public cel::Inputs {
 public:
  Bindings(const cel::Environment& environment, const json::Value* bindings) {
    for (const cel::Variable& variable : environment.variables) {
      const json::Value* const bound =
          bindings == nullptr ? nullptr : bindings->Find(variable.name);
      values_.push_back(bound == nullptr ? cel::Value() : words_.Read(*bound));
    }
  }
  cel::Value Variable(std::uint32_t variable) const override { return values_[variable]; }
  cel::Value Slot(cel::SlotIndex /*slot*/) const override { return {}; }

 private:
  CelWords words_;
  std::vector<cel::Value> values_;
};

// Writes the answers of one question. The suite itself wants no words of errors, nor when they are
// found, and types only of some tests; upstream's answers have all of that.
class AnswerWriter {
 public:
  explicit AnswerWriter(const json::Value& question)
      : spec_(question.Get("profile").string() == "spec"),
        wants_type_(!spec_ || IsSet(question, "wantsType")),
        unchecked_(IsSet(question, "disableCheck")) {}

  std::string CompileError() const { return spec_ ? Error("") : R"({"compile":"error"})"; }

  // Kubernetes never evaluates unchecked: the words of such errors are not compared either.
  std::string Error(std::string_view words, std::string_view type = "") const {
    std::string quoted;
    json::AppendQuoted(quoted, spec_ || unchecked_ ? "" : words);
    return Write("error", quoted, spec_ ? "" : type);
  }

  std::string Value(const cel::Value& value, std::string_view type) const {
    return Write("value", WriteCelValue(value), type);
  }

  std::string Type(std::string_view type) const { return Write("", "", type); }

 private:
  std::string Write(std::string_view key, std::string_view value, std::string_view type) const {
    std::string out;
    json::Writer writer(out);
    writer.BeginObject();
    if (!key.empty()) {
      writer.Key(key);
      writer.Raw(value);
    }
    if (!type.empty() && wants_type_) {
      writer.Key("type");
      writer.String(type);
    }
    writer.EndObject();
    return out;
  }

  bool spec_;
  bool wants_type_;
  bool unchecked_;
};

std::string Evaluate(std::shared_ptr<const cel::CheckedAst> checked,
                     const cel::Environment& environment, const json::Value& question,
                     std::string_view type) {
  const AnswerWriter answer(question);
  const cel::NodeId root = checked->ast->root;
  static const SystemTimeZones zones;
  const Result<cel::Program> program =
      cel::Program::Create(std::move(checked), root, nullptr, &zones);
  if (!program) {
    return answer.CompileError();
  }
  const Bindings bindings(environment, question.Find("bindings"));
  cel::Scratch scratch;
  const cel::Value value = program->Evaluate(bindings, scratch).value;
  return value.is_error() ? answer.Error(cel::ErrorText(value.as_error()), type)
                          : answer.Value(value, type);
}

std::string Answer(const json::Value& question) {
  const AnswerWriter answer(question);
  const std::unique_ptr<cel::Environment> environment = MakeEnvironment(question);
  cel::ParseOutcome parsed = cel::Parse(*environment, question.Get("expression").string());
  if (parsed.ast == nullptr) {
    return answer.CompileError();
  }
  if (IsSet(question, "disableCheck")) {
    return Evaluate(Unchecked(*environment, std::move(parsed.ast)), *environment, question, "");
  }
  cel::CheckOutcome outcome = cel::Check(*environment, std::move(parsed.ast));
  if (outcome.checked == nullptr) {
    return answer.CompileError();
  }
  const std::string type = WriteCelType(outcome.checked->output());
  if (IsSet(question, "checkOnly")) {
    return answer.Type(type);
  }
  return Evaluate(std::move(outcome.checked), *environment, question, type);
}

}  // namespace

std::string AnswerCelSpec(std::string_view question) {
  const Result<json::Value> asked = json::ParseValue(question);
  return asked ? Answer(*asked) : R"({"input":"unreadable question"})";
}

}  // namespace quadra::answers
