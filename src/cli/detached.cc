#include "cli/detached.h"

#include <array>
#include <fstream>
#include <ostream>
#include <string_view>
#include <utility>

#include <fcntl.h>
#include <unistd.h>

namespace quadra::cli {
namespace {

constexpr char kReady = '\x06';  // ACK: no text has it
constexpr int kLogMode = 0600;

// Becomes one of the three standard streams.
void Redirect(int from, int to) {
  if (from >= 0) {
    ::dup2(from, to);
    ::close(from);
  }
}

int OpenLog(const std::filesystem::path& path) {
  std::error_code ignored;
  std::filesystem::create_directories(path.parent_path(), ignored);
  return ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, kLogMode);
}

}  // namespace

Detached::Detached(bool wanted, const std::filesystem::path& log, Console& console)
    : log_(log), console_(console) {
  std::array<int, 2> ends{};
  if (!wanted || ::pipe2(ends.data(), O_CLOEXEC) != 0) {
    return;
  }
  console_.out << std::flush;
  const pid_t background = ::fork();
  if (background != 0) {
    reader_ = ends[0];
    ::close(ends[1]);
    return;
  }
  ::close(ends[0]);
  ::setsid();
  Redirect(::open("/dev/null", O_RDONLY | O_CLOEXEC), STDIN_FILENO);
  Redirect(OpenLog(log_), STDERR_FILENO);
  Redirect(ends[1], STDOUT_FILENO);
  writer_ = STDOUT_FILENO;
}

ExitCode Detached::Await() {
  std::array<char, 4096> buffer{};
  bool is_ready = false;
  for (ssize_t size = 0; (size = ::read(reader_, buffer.data(), buffer.size())) > 0;) {
    std::string_view text(buffer.data(), static_cast<std::size_t>(size));
    if (text.ends_with(kReady)) {
      is_ready = true;
      text.remove_suffix(1);
    }
    console_.out << text << std::flush;
  }
  ::close(std::exchange(reader_, -1));
  if (!is_ready) {
    console_.err << std::ifstream(log_).rdbuf() << std::flush;
  }
  return is_ready ? ExitCode::kYes : ExitCode::kNo;
}

void Detached::Release() {
  if (writer_ < 0) {
    return;
  }
  console_.out << kReady << std::flush;
  Redirect(::open("/dev/null", O_WRONLY | O_CLOEXEC), std::exchange(writer_, -1));
}

}  // namespace quadra::cli
