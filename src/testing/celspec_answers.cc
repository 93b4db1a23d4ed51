// Our half of conformance/celspec: one test of the language's specification in one profile, with
// its declarations and bindings.
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cel/checked.h"
#include "cel/libraries.h"
#include "cel/program.h"
#include "json/value.h"
#include "testing/cel_words.h"
#include "testing/unchecked.h"
#include "testing/zone_files.h"

namespace quadra::testing {

std::string AnswerCelSpec(std::string_view question);

namespace {

constexpr std::string_view kCompileError = R"({"compile":"error"})";

bool IsSet(const json::Value& question, std::string_view flag) {
  const json::Value* const value = question.Find(flag);
  return value != nullptr && value->boolean();
}

const std::vector<json::Value>& ItemsOf(const json::Value& question, std::string_view key) {
  static const std::vector<json::Value>* const kNone = new std::vector<json::Value>();
  const json::Value* const value = question.Find(key);
  return value == nullptr ? *kNone : value->items();
}

void AddFunction(const json::Value& declared, cel::Environment& environment) {
  cel::Overload overload;
  overload.id = declared.Get("id").string();
  overload.member = IsSet(declared, "member");
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

std::string Finish(std::string_view key, std::string_view value, const std::string& type) {
  std::string out;
  json::Writer writer(out);
  writer.BeginObject();
  if (!key.empty()) {
    writer.Key(key);
    writer.Raw(value);
  }
  if (!type.empty()) {
    writer.Key("type");
    writer.String(type);
  }
  writer.EndObject();
  return out;
}

std::string Quoted(std::string_view text) {
  std::string out;
  json::AppendQuoted(out, text);
  return out;
}

std::string Evaluate(std::shared_ptr<const cel::CheckedAst> checked,
                     const cel::Environment& environment, const json::Value& question,
                     const std::string& type) {
  const cel::NodeId root = checked->ast->root;
  const Result<cel::Program> program =
      cel::Program::Create(std::move(checked), root, nullptr, &ZoneFiles::Instance());
  if (!program) {
    return std::string(kCompileError);
  }
  const Bindings bindings(environment, question.Find("bindings"));
  cel::Scratch scratch;
  const cel::Value value = program->Evaluate(bindings, scratch).value;
  return value.is_error() ? Finish("error", Quoted(cel::ErrorText(value.as_error())), type)
                          : Finish("value", WriteCelValue(value), type);
}

std::string Answer(const json::Value& question) {
  const std::unique_ptr<cel::Environment> environment = MakeEnvironment(question);
  cel::ParseOutcome parsed = cel::Parse(*environment, question.Get("expression").string());
  if (parsed.ast == nullptr) {
    return std::string(kCompileError);
  }
  if (IsSet(question, "disableCheck")) {
    return Evaluate(Unchecked(*environment, std::move(parsed.ast)), *environment, question, "");
  }
  cel::CheckOutcome outcome = cel::Check(*environment, std::move(parsed.ast));
  if (outcome.checked == nullptr) {
    return std::string(kCompileError);
  }
  const std::string type = WriteCelType(outcome.checked->output());
  if (IsSet(question, "checkOnly")) {
    return Finish("", "", type);
  }
  return Evaluate(std::move(outcome.checked), *environment, question, type);
}

}  // namespace

std::string AnswerCelSpec(std::string_view question) {
  const Result<json::Value> asked = json::ParseValue(question);
  return asked ? Answer(*asked) : R"({"input":"unreadable question"})";
}

}  // namespace quadra::testing
