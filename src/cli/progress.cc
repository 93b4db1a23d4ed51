#include "cli/progress.h"

#include <iostream>

#include <fmt/format.h>
#include <unistd.h>

namespace quadra::cli {
namespace {

constexpr std::string_view kWipe = "\r\033[K";

}  // namespace

Progress::Progress(Console& console, std::string_view work, const ProgressOptions& options)
    : console_(console),
      work_(work),
      options_(options),
      on_terminal_(&console.err == &std::cerr && isatty(STDERR_FILENO) == 1),
      next_(start_ + (on_terminal_ ? std::chrono::seconds(1) : options.between_lines)) {}

Progress::~Progress() {
  if (shown_) {
    console_.err << kWipe << std::flush;
  }
}

void Progress::Step(std::string_view unit) {
  ++done_;
  if (done_ % options_.steps_between_looks == 0) {
    Reach(done_, unit);
  }
}

void Progress::Reach(std::size_t done, std::string_view unit) {
  done_ = done;
  if (!on_terminal_ && !options_.lines_elsewhere) {
    return;
  }
  const Clock::time_point now = Clock::now();
  if (now < next_) {
    return;
  }
  const std::string line = LineAt(now, unit);
  console_.err << (on_terminal_ ? std::string(kWipe) + line : line + "\n") << std::flush;
  shown_ = on_terminal_;
  next_ = now + (on_terminal_ ? std::chrono::milliseconds(200) : options_.between_lines);
}

std::string Progress::LineAt(Clock::time_point now, std::string_view unit) const {
  const double seconds = std::chrono::duration<double>(now - start_).count();
  const double rate = static_cast<double>(done_) / seconds;
  if (options_.total <= done_) {
    return fmt::format("{}: {} {}, {:.0f}/s", work_, done_, unit, rate);
  }
  return fmt::format("{}: {} of {} {}, {:.0f}/s, {:.0f} s left", work_, done_, options_.total, unit,
                     rate, static_cast<double>(options_.total - done_) / rate);
}

}  // namespace quadra::cli
