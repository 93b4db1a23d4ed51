// Progress: one line on standard error for work that takes longer than a second. Where standard error
// is no terminal nothing, so that pipes and logs stay clean; or, for what starts services, a plain
// line every few seconds.
//
//   Progress progress(console, "reading");
//   for (…) progress.Step("objects");        // reading: 120000 objects, 60000/s
//                                             // the line is wiped at the end
//   Progress loading(console, "loading", {.lines_elsewhere = true});
//   loading.Reach(120000, "entries");
#pragma once

#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>

#include "cli/cli.h"

namespace quadra::cli {

struct ProgressOptions {
  std::size_t total = 0;  // 0: not known
  std::size_t steps_between_looks = 256;
  // A plain line where standard error is no terminal, and how long after the last one.
  bool lines_elsewhere = false;
  std::chrono::milliseconds between_lines = std::chrono::seconds(3);
};

// Not thread-safe. A step costs a counter, and every so many a look at the clock.
class Progress {
 public:
  Progress(Console& console, std::string_view work, const ProgressOptions& options = {});
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void Step(std::string_view unit);
  // So many were done in all; looks at the clock.
  void Reach(std::size_t done, std::string_view unit);

 private:
  using Clock = std::chrono::steady_clock;
  std::string LineAt(Clock::time_point now, std::string_view unit) const;

  Console& console_;
  std::string work_;
  const ProgressOptions options_;
  const bool on_terminal_;
  const Clock::time_point start_ = Clock::now();
  Clock::time_point next_;
  std::size_t done_ = 0;
  bool shown_ = false;  // a line that must be wiped
};

}  // namespace quadra::cli
