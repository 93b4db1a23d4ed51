// Detached: a server that goes on in the background once it is ready, while its starter ends.
//
//   Detached detached(invocation.Has("detach"), directory / "quadra.log", console);
//   if (detached.is_starter()) return detached.Await();    // prints what the other says until ready
//   … start, print where it is …
//   detached.Release();
#pragma once

#include <filesystem>

#include "cli/cli.h"
#include "cli/exit_code.h"

namespace quadra::cli {

// Before any thread starts. Where nothing is detached every call does nothing.
class Detached {
 public:
  // What the one in the background complains of goes to `log`, which is made anew.
  Detached(bool wanted, const std::filesystem::path& log, Console& console);
  Detached(const Detached&) = delete;
  Detached& operator=(const Detached&) = delete;

  bool is_starter() const { return reader_ >= 0; }
  // Prints what the background says; kNo, and what its log holds, where it ends before it is ready.
  ExitCode Await();
  // Ready: the starter ends, nobody reads what is printed from here on.
  void Release();

 private:
  const std::filesystem::path log_;
  Console& console_;
  int reader_ = -1;  // the starter's end of the pipe
  int writer_ = -1;  // the background's
};

}  // namespace quadra::cli
