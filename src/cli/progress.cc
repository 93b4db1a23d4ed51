#include "cli/progress.h"

#include <iostream>

#include <fmt/format.h>
#include <unistd.h>

namespace quadra::cli {
namespace {

constexpr std::string_view kWipe = "\r\033[K";

}  // namespace

Progress::Progress(Console& console, std::string_view work, std::size_t total,
                   std::size_t steps_between_looks)
    : console_(console),
      work_(work),
      total_(total),
      steps_between_looks_(steps_between_looks),
      on_terminal_(&console.err == &std::cerr && isatty(STDERR_FILENO) == 1) {}

Progress::~Progress() {
  if (shown_) {
    console_.err << kWipe << std::flush;
  }
}

void Progress::Step(std::string_view unit) {
  ++done_;
  if (!on_terminal_ || done_ % steps_between_looks_ != 0) {
    return;
  }
  if (const Clock::time_point now = Clock::now(); now >= next_) {
    Print(unit, now);
    next_ = now + std::chrono::milliseconds(200);
  }
}

void Progress::Print(std::string_view unit, Clock::time_point now) {
  const double seconds = std::chrono::duration<double>(now - start_).count();
  const double rate = static_cast<double>(done_) / seconds;
  std::string line = fmt::format("{}: {} {}, {:.0f}/s", work_, done_, unit, rate);
  if (total_ > done_) {
    line = fmt::format("{}: {} of {} {}, {:.0f}/s, {:.0f} s left", work_, done_, total_, unit, rate,
                       static_cast<double>(total_ - done_) / rate);
  }
  console_.err << kWipe << line << std::flush;
  shown_ = true;
}

}  // namespace quadra::cli
