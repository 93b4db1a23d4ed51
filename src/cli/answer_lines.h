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

// `line` is null for one too long to be a question; lines are numbered from 1. Ends with the input.
using LineAnswerer = std::function<std::string(const std::string* line, std::size_t number)>;
ExitCode AnswerLines(Console& console, const LineAnswerer& answer);

// What a line too long is told.
inline constexpr std::string_view kLineTooLong = "the line is longer than 16 MB";

// Streams read standard input alone: nothing where the invocation has no more than `allowed` flags
// and no arguments, else the code of the refusal.
std::optional<ExitCode> RefuseBesideStream(const Invocation& invocation, std::string_view verb,
                                           std::span<const std::string_view> allowed,
                                           Console& console);

}  // namespace quadra::cli
