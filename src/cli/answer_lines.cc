#include "cli/answer_lines.h"

#include <algorithm>
#include <ostream>

#include "cli/read_line.h"

namespace quadra::cli {

ExitCode AnswerLines(Console& console, const LineAnswerer& answer) {
  std::string line;
  std::size_t number = 1;
  for (LineRead read = ReadLine(console.in, kMaxLineBytes, line); read != LineRead::kEnd;
       read = ReadLine(console.in, kMaxLineBytes, line), ++number) {
    console.out << answer(read == LineRead::kTooLong ? nullptr : &line, number) << '\n'
                << std::flush;
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
  const Error error{.reason = Reason::kUsage,
                    .message = "--stream takes no files and no other flags"};
  return RefuseUsage(error, invocation.program, FindVerb(verb), console);
}

}  // namespace quadra::cli
