#include "cli/answer_lines.h"

#include <algorithm>
#include <ostream>

#include "base/guarded.h"
#include "cli/read_line.h"

namespace quadra::cli {

namespace {

std::string AnswerOrRefuse(const LineAnswerer& answerer, const std::string& line,
                           std::size_t number) {
  const Result<std::string> answer = Guarded([&] { return answerer.answer(line, number); });
  return answer ? *answer : answerer.refuse(number, answer.error().ToString());
}

}  // namespace

ExitCode AnswerLines(Console& console, const LineAnswerer& answerer) {
  std::string line;
  LineRead read = ReadLine(console.in, kMaxLineBytes, line);
  for (std::size_t number = 1; read == LineRead::kLine || read == LineRead::kTooLong; ++number) {
    console.out << (read == LineRead::kTooLong ? answerer.refuse(number, kLineTooLong)
                                               : AnswerOrRefuse(answerer, line, number))
                << '\n'
                << std::flush;
    read = ReadLine(console.in, kMaxLineBytes, line);
  }
  if (read == LineRead::kUnreadable) {
    console.err << "error: standard input cannot be read; pipe the questions into it\n";
    return ExitCode::kUsage;
  }
  return ExitCode::kYes;
}

std::optional<ExitCode> RefuseBesideStream(const Invocation& invocation, std::string_view verb,
                                           std::span<const std::string_view> allowed,
                                           Console& console) {
  const bool others = std::ranges::any_of(invocation.flags, [&](const auto& flag) {
    return std::ranges::find(allowed, flag.first) == allowed.end();
  });
  if (!others && invocation.arguments.empty()) {
    return std::nullopt;
  }
  const Error error{.kind = ErrorKind::kUsage,
                    .message = "--stream takes no files and no other flags"};
  return RefuseUsage(error, invocation.program, FindVerb(verb), console);
}

}  // namespace quadra::cli
