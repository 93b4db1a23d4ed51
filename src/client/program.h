// RunProgram: what another program prints, and how it ended. Private to src/client.
//
//   const Ran ran = RunProgram({.command = "aws", .arguments = {"eks", "get-token"}}, cancelled);
//
// A program that takes too long, prints too much or is no longer wanted is killed, and, where it has
// no terminal, what it started as well. What it says on stderr goes to ours.
// Threads: all may call it; it waits for the program.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace quadra::client {

struct Program {
  std::string command;  // looked for in $PATH where it has no slash
  std::vector<std::string> arguments;
  std::vector<std::pair<std::string, std::string>> environment;  // besides, or instead of, ours
  bool interactive = false;  // has our stdin; otherwise it has none
  std::chrono::milliseconds patience = std::chrono::minutes(2);
};

struct Ran {
  enum class End : std::uint8_t {
    kExited,      // `number` is its status
    kSignalled,   // by `number`
    kNotStarted,  // `number` is errno
    kTooSlow,
    kTooMuch,
    kCancelled,
  };

  End end = End::kNotStarted;
  int number = 0;
  std::string output;
};

inline constexpr std::size_t kMostOutput = 1 << 20;

Ran RunProgram(const Program& program, const std::atomic<bool>& cancelled);

}  // namespace quadra::client
