#include "cli/running_server.h"

#include <fstream>
#include <string>

#include <fmt/format.h>

namespace quadra::cli {
namespace {

namespace fs = std::filesystem;

// What ended and was not waited for yet (Z) runs no more.
bool IsQuadra(pid_t process) {
  std::ifstream file(fmt::format("/proc/{}/stat", process));
  std::string number;
  std::string name;
  std::string state;
  return file >> number >> name >> state && name == "(quadra)" && state != "Z";
}

}  // namespace

std::optional<RunningServer> FindRunning(const fs::path& directory) {
  const fs::path file = directory / "quadra.pid";
  pid_t process = 0;
  if (!(std::ifstream(file) >> process) || process <= 0 || !IsQuadra(process)) {
    return std::nullopt;
  }
  std::error_code error;
  const fs::file_time_type since = fs::last_write_time(file, error);
  if (error) {
    return std::nullopt;  // it has just ended
  }
  return RunningServer{.process = process,
                       .up = std::chrono::duration_cast<std::chrono::seconds>(
                           fs::file_time_type::clock::now() - since)};
}

}  // namespace quadra::cli
