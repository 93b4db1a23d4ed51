#include "json/question.h"

#include <fmt/format.h>

namespace quadra::json {

bool QuestionReader::Expect(Kind wanted, std::string_view what) {
  const Kind kind = reader_.Peek();
  if (kind != wanted && kind != Kind::kNull) {
    Complain(fmt::format("{} must be a JSON {}, not {}", what, KindName(wanted), KindName(kind)));
  }
  return kind == wanted;
}

std::optional<bool> QuestionReader::Bool(std::string_view what) {
  if (Expect(Kind::kBool, what)) {
    return reader_.Bool();
  }
  reader_.Skip();
  return std::nullopt;
}

std::optional<std::string> QuestionReader::String(std::string_view what) {
  if (Expect(Kind::kString, what)) {
    return std::string(reader_.String());
  }
  reader_.Skip();
  return std::nullopt;
}

void QuestionReader::Complain(std::string problem) {
  if (!problem_) {
    problem_ = std::move(problem);
  }
}

Status QuestionReader::Finish() {
  if (const Status finished = reader_.Finish(); !finished) {
    return Fail(Reason::kSyntax, finished.error().ToString());
  }
  return problem_ ? Status(Fail(Reason::kUsage, *problem_)) : Status();
}

}  // namespace quadra::json
