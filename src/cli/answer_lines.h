// AnswerLines: the loop of every `--stream`: one line in, one line out, in order, flushed.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "cli/cli.h"
#include "cli/exit_code.h"
#include "cli/verb.h"

namespace quadra::cli {

// Lines are numbered from 1; answers have no line end.
struct LineAnswerer {
  std::function<std::string(const std::string& line, std::size_t number)> answer;
  // To a line that cannot be answered, and why: too long, or `answer` threw.
  std::function<std::string(std::size_t number, std::string_view why)> refuse;
};

// Ends with the input: kYes, or kUsage and a complaint where the input cannot be read. A line that
// fails never stops those behind it.
ExitCode AnswerLines(Console& console, const LineAnswerer& answerer);

// What a line too long is told.
inline constexpr std::string_view kLineTooLong =
    "the line is longer than 16 MB; an object may have 3 MB";

// Streams read standard input alone: nothing where the invocation has no more than `allowed` flags
// and no arguments, else the code of the refusal.
std::optional<ExitCode> RefuseBesideStream(const Invocation& invocation, std::string_view verb,
                                           std::span<const std::string_view> allowed,
                                           Console& console);

}  // namespace quadra::cli
