#include "streams/selection.h"

#include <optional>
#include <utility>

#include <fmt/format.h>

#include "api/object.h"
#include "json/value.h"
#include "json/writer.h"
#include "selector/selector.h"
#include "streams/line_reader.h"

namespace quadra::streams {
namespace {

using selector::Expression;
using selector::Facts;
using selector::FactsInputs;
using selector::Profile;
using selector::Use;

struct SelectionQuestion {
  std::string expression;
  std::string driver;
  api::Device device;
  Profile profile = Profile::New();
  Use use = Use::kSelector;
};

// A device has no header of its own: it is read as the only device of a slice. `driver` is no field
// of a device and passed over there.
Result<api::Device> DecodeDevice(std::string_view json) {
  const std::string slice = fmt::format(
      R"({{"apiVersion":"resource.k8s.io/v1","kind":"ResourceSlice","spec":{{"devices":[{}]}}}})",
      json);
  api::Decoded<api::ResourceSlice> decoded =
      api::DecodeJson<api::ResourceSlice>(slice, api::Strictness::kLenient);
  if (!decoded) {
    return Fail(ErrorKind::kInvalid, "device: " + decoded.error().message);
  }
  return std::move(decoded->spec.devices[0]);
}

// Reads the members of one question. A JSON null counts as absent.
class SelectionQuestionReader {
 public:
  explicit SelectionQuestionReader(std::string_view line) : line_(line) {}

  Result<SelectionQuestion> Read() {
    QUADRA_RETURN_IF_ERROR(line_.ReadMembers([this](const std::string& key) { ReadMember(key); }));
    if (!has_expression_) {
      return Fail(ErrorKind::kUsage, "expression is missing");
    }
    if (!device_.empty()) {
      QUADRA_TRY(question_.device, DecodeDevice(device_));
    }
    return std::move(question_);
  }

 private:
  void ReadMember(const std::string& key) {
    if (key == "expression" && line_.Expect(json::Kind::kString, key)) {
      question_.expression = line_.values().String();
      has_expression_ = true;
    } else if (key == "device" && line_.Expect(json::Kind::kObject, key)) {
      ReadDevice();
    } else if (key == "env" && line_.Expect(json::Kind::kString, key)) {
      question_.profile.stored = Choose(key, "new", "stored");
    } else if (key == "as" && line_.Expect(json::Kind::kString, key)) {
      question_.use = Choose(key, "selector", "derived") ? Use::kDerivedAttribute : Use::kSelector;
    } else if (key == "featureGates" && line_.Expect(json::Kind::kObject, key)) {
      line_.ForEach([this](const std::string& gate) { ReadGate(gate); });
    } else {
      line_.values().Skip();
    }
  }

  // Whether the value at hand is `second`; what is neither is a problem.
  bool Choose(const std::string& key, std::string_view first, std::string_view second) {
    const std::string value(line_.values().String());
    if (value != first && value != second) {
      line_.Complain(fmt::format("{} must be {} or {}, not \"{}\"", key, first, second, value));
    }
    return value == second;
  }

  // The driver is taken out; the rest is decoded as the API decodes devices.
  void ReadDevice() {
    device_ = line_.values().SkipRaw();
    json::Reader inner(device_);
    std::string_view key;
    for (bool more = inner.EnterObject(); more && inner.NextKey(key);) {
      const json::Kind kind = inner.Peek();
      if (key == "driver" && kind == json::Kind::kString) {
        question_.driver = inner.String();
        continue;
      }
      if (key == "driver" && kind != json::Kind::kNull) {
        line_.Complain(fmt::format("driver must be a string, not {}", json::KindName(kind)));
      }
      inner.Skip();
    }
  }

  // Other gates do not act on expressions.
  void ReadGate(const std::string& name) {
    const std::optional<bool> on = line_.Bool("feature gate " + name);
    if (on && name == "DRAConsumableCapacity") {
      question_.profile.consumable_capacity = *on;
    } else if (on && name == "DRAListTypeAttributes") {
      question_.profile.list_attributes = *on;
    }
  }

  LineReader line_;
  SelectionQuestion question_;
  std::string_view device_;
  bool has_expression_ = false;
};

// --- Answers.

class AnswerWriter {
 public:
  explicit AnswerWriter(std::string_view compile) : writer_(text_) {
    writer_.BeginObject();
    Text("compile", compile);
  }

  AnswerWriter& Text(std::string_view key, std::string_view value) {
    writer_.Key(key);
    writer_.String(value);
    return *this;
  }
  AnswerWriter& Number(std::string_view key, std::uint64_t value) {
    writer_.Key(key);
    writer_.Number(fmt::to_string(value));
    return *this;
  }
  AnswerWriter& Bool(std::string_view key, bool value) {
    writer_.Key(key);
    writer_.Bool(value);
    return *this;
  }
  AnswerWriter& Raw(std::string_view key, std::string_view json) {
    writer_.Key(key);
    writer_.Raw(json);
    return *this;
  }
  std::string Finish(std::optional<std::uint64_t> cost, std::uint64_t estimate) {
    if (cost) {
      Number("cost", *cost);
    }
    Number("estimate", estimate);
    return Finish();
  }
  std::string Finish() {
    writer_.EndObject();
    return std::move(text_);
  }

 private:
  std::string text_;
  json::Writer writer_;
};

// An empty list is a value too, though the API's encoder leaves it out.
std::string Encoded(const api::DeviceAttribute& value) {
  const bool empty_list = !value.string_values.is_nil() && value.string_values.empty();
  return empty_list ? R"({"strings":[]})" : api::EncodeJson(value);
}

std::string AnswerSelector(const Expression& expression, const Facts& facts,
                           const FactsInputs& inputs, cel::Scratch& scratch) {
  const selector::Explanation explanation =
      selector::Explain(expression, facts.poison, inputs, scratch);
  AnswerWriter answer("ok");
  if (explanation.verdict == selector::Verdict::kError) {
    answer.Text("error", explanation.error);
  } else {
    answer.Bool("result", explanation.verdict == selector::Verdict::kMatch);
  }
  return answer.Finish(explanation.cost, expression.EstimateCost());
}

std::string AnswerDerived(const Expression& expression, const Facts& facts,
                          const FactsInputs& inputs, cel::Scratch& scratch) {
  const selector::Derivation derivation =
      selector::Derive(expression, facts.poison, inputs, scratch);
  AnswerWriter answer("ok");
  if (derivation.value) {
    answer.Raw("value", Encoded(*derivation.value));
  } else {
    answer.Text("error", derivation.value.error().message);
  }
  return answer.Finish(derivation.cost, expression.EstimateCost());
}

}  // namespace

std::string SelectionAnswerer::RefuseLine(std::size_t number, std::string_view message) {
  return AnswerWriter("input").Number("line", number).Text("message", message).Finish();
}

std::string SelectionAnswerer::Answer(std::string_view line, std::size_t number) {
  const Result<SelectionQuestion> question = SelectionQuestionReader(line).Read();
  if (!question) {
    return RefuseLine(number, question.error().ToString());
  }
  const std::shared_ptr<const Expression> expression =
      cache_.Get(question->expression, question->profile, question->use);
  if (expression->error()) {
    return AnswerWriter("error").Text("message", expression->error()->message).Finish();
  }
  selector::ValueStore store;
  const Facts facts =
      selector::ReadFacts(question->driver, question->device, language_.columns(), store);
  const FactsInputs inputs(language_.columns(), {facts.columns, facts.values});
  return question->use == Use::kSelector ? AnswerSelector(*expression, facts, inputs, scratch_)
                                         : AnswerDerived(*expression, facts, inputs, scratch_);
}

}  // namespace quadra::streams
