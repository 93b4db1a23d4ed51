// Progress: one line on standard error for work that takes longer than a second; nothing where
// standard error is no terminal, so that pipes and logs stay clean.
//
//   Progress progress(console, "reading");
//   for (…) progress.Step("objects");        // reading: 120000 objects, 60000/s
//                                             // the line is wiped at the end
#pragma once

#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>

#include "cli/cli.h"

namespace quadra::cli {

// Not thread-safe. A step costs a counter, and every so many a look at the clock.
class Progress {
 public:
  // `total` may be 0: not known.
  Progress(Console& console, std::string_view work, std::size_t total = 0,
           std::size_t steps_between_looks = 256);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void Step(std::string_view unit);

 private:
  using Clock = std::chrono::steady_clock;
  void Print(std::string_view unit, Clock::time_point now);

  Console& console_;
  std::string work_;
  std::size_t total_;
  std::size_t steps_between_looks_;
  std::size_t done_ = 0;
  bool on_terminal_;
  bool shown_ = false;
  Clock::time_point start_ = Clock::now();
  Clock::time_point next_ = start_ + std::chrono::seconds(1);
};

}  // namespace quadra::cli
