#include "streams/line_reader.h"

#include <fmt/format.h>

namespace quadra::streams {

bool LineReader::Expect(json::Kind wanted, std::string_view what) {
  const json::Kind kind = reader_.Peek();
  if (kind != wanted && kind != json::Kind::kNull) {
    Complain(fmt::format("{} must be a JSON {}, not {}", what, json::KindName(wanted),
                         json::KindName(kind)));
  }
  return kind == wanted;
}

std::optional<bool> LineReader::Bool(std::string_view what) {
  if (Expect(json::Kind::kBool, what)) {
    return reader_.Bool();
  }
  reader_.Skip();
  return std::nullopt;
}

std::optional<std::string> LineReader::String(std::string_view what) {
  if (Expect(json::Kind::kString, what)) {
    return std::string(reader_.String());
  }
  reader_.Skip();
  return std::nullopt;
}

void LineReader::Complain(std::string problem) {
  if (!problem_) {
    problem_ = std::move(problem);
  }
}

Status LineReader::Finish() {
  if (const Status finished = reader_.Finish(); !finished) {
    return Fail(ErrorKind::kSyntax, finished.error().ToString());
  }
  return problem_ ? Status(Fail(ErrorKind::kUsage, *problem_)) : Status();
}

}  // namespace quadra::streams
