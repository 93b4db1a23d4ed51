// Our half of conformance/select: the stream's answers without the words that may differ from
// upstream's. A syntax error is told by its place, a line that is no question by nothing.
#include <string>
#include <string_view>

#include "base/time_zones.h"
#include "cel/checked.h"
#include "json/value.h"
#include "selector/selector.h"
#include "streams/selection.h"

namespace quadra::answers {

std::string AnswerSelect(std::string_view question);

namespace {

// Syntax does not depend on the environment.
bool HasSyntaxError(const std::string& expression) {
  static const auto environment = cel::KubernetesEnvironment({});
  return cel::Parse(*environment, expression).ast == nullptr;
}

// "syntax error at 1:4", of the first place that a message names.
std::string PlaceOf(const std::string& message) {
  constexpr std::string_view kBefore = "<input>:";
  const std::size_t start = message.find(kBefore);
  if (start == std::string::npos) {
    return "syntax error at no place";
  }
  const std::size_t end = message.find(": ", start);
  return "syntax error at " + message.substr(start + kBefore.size(), end - start - kBefore.size());
}

}  // namespace

std::string AnswerSelect(std::string_view question) {
  static const SystemTimeZones zones;
  static auto* const answerer = new streams::SelectionAnswerer(&zones);
  std::string answer = answerer->Answer(question, 1);
  if (!answer.starts_with(R"({"compile":"error")")) {
    return answer.starts_with(R"({"compile":"input")") ? R"({"compile":"input"})" : answer;
  }
  const Result<json::Value> asked = json::ParseValue(question);
  if (!HasSyntaxError(asked->Get("expression").string())) {
    return answer;
  }
  Result<json::Value> reduced = json::ParseValue(answer);
  reduced->Set("message", json::Value(PlaceOf(reduced->Get("message").string())));
  return json::ToJson(*reduced);
}

}  // namespace quadra::answers
