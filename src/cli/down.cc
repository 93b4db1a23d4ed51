#include <array>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <string>
#include <thread>

#include <fmt/format.h>
#include <fmt/ostream.h>

#include "cli/data_directory.h"
#include "cli/line.h"
#include "cli/running_server.h"
#include "cli/verb.h"

namespace quadra::cli {
namespace {

namespace fs = std::filesystem;

constexpr Flag kDemo{.name = "demo",
                     .help = "End the demonstration (quadra up --demo), and delete what it kept."};
constexpr std::array kDownFlags = {kDataDirFlag, kDemo};

constexpr auto kPause = std::chrono::milliseconds(50);
constexpr auto kLongestWait = std::chrono::seconds(30);

bool AwaitEnd(const fs::path& directory, pid_t process) {
  const auto end = std::chrono::steady_clock::now() + kLongestWait;
  while (std::chrono::steady_clock::now() < end) {
    const auto running = FindRunning(directory);
    if (!running || running->process != process) {
      return true;
    }
    std::this_thread::sleep_for(kPause);
  }
  return false;
}

ExitCode End(const fs::path& directory, Console& console) {
  const auto running = FindRunning(directory);
  if (!running) {
    PrintLine(console.out, fmt::format("nothing runs on {}", directory.string()));
    return ExitCode::kYes;
  }
  if (::kill(running->process, SIGTERM) != 0) {
    PrintLine(console.err,
              fmt::format("error: process {} belongs to somebody else", running->process));
    return ExitCode::kNo;
  }
  if (!AwaitEnd(directory, running->process)) {
    PrintLine(console.err, fmt::format("error: process {} does not end; look at {}/quadra.log, or "
                                       "end it by force: kill -9 {}",
                                       running->process, directory.string(), running->process));
    return ExitCode::kNo;
  }
  PrintLine(console.out,
            fmt::format("ended process {} on {}", running->process, directory.string()));
  return ExitCode::kYes;
}

// Only what nobody named: a directory of a person's own stays.
ExitCode Clear(const fs::path& directory, Console& console) {
  std::error_code error;
  if (fs::remove_all(directory, error) > 0 && !error) {
    PrintLine(console.out, "deleted " + directory.string());
  }
  if (error) {
    PrintLine(console.err,
              fmt::format("error: cannot delete {}: {}", directory.string(), error.message()));
  }
  return error ? ExitCode::kNo : ExitCode::kYes;
}

ExitCode RunDown(const Invocation& invocation, Console& console) {
  const bool is_demo = invocation.Has(kDemo.name);
  const Result<fs::path> directory =
      DataDirectoryOf(invocation, is_demo ? kDemoState : kUsualState);
  if (!directory) {
    return RefuseUsage(directory.error(), invocation.program, FindVerb("down"), console);
  }
  const ExitCode ended = End(*directory, console);
  const bool was_named = invocation.Has(kDataDirFlag.name);
  return ended == ExitCode::kYes && is_demo && !was_named ? Clear(*directory, console) : ended;
}

}  // namespace

const Verb kDownVerb{
    .name = "down",
    .synopsis = "[--data-dir DIR] [--demo]",
    .summary = "end what quadra up started",
    .description =
        "Ends the process that works on the directory, lets its requests end first, and waits for "
        "it. What is stored stays; of a demonstration it is deleted, unless --data-dir names where "
        "it is.",
    .examples =
        "  quadra down\n"
        "  quadra down --demo\n",
    .flags = kDownFlags,
    .argument_choices = "",
    .run = RunDown,
};

}  // namespace quadra::cli
