// RunningServer: the server of a data directory, as its process sees it.
//
//   if (const auto running = FindRunning(directory)) … running->process …
#pragma once

#include <chrono>
#include <filesystem>
#include <optional>

#include <sys/types.h>

namespace quadra::cli {

struct RunningServer {
  pid_t process = 0;
  std::chrono::seconds up{};
};

// By DIR/quadra.pid; absent where that process is no quadra, or there is none.
std::optional<RunningServer> FindRunning(const std::filesystem::path& directory);

}  // namespace quadra::cli
