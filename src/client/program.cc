#include "client/program.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <optional>
#include <string_view>

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;

namespace quadra::client {
namespace {

using Instant = std::chrono::steady_clock::time_point;

// How soon an end is noticed that nothing wakes us for.
constexpr int kGlanceMs = 20;

// The two halves of a pipe, closed in the end.
class Pipe {
 public:
  Pipe() : error_(pipe2(ends_.data(), O_CLOEXEC) == 0 ? 0 : errno) {}
  ~Pipe() {
    CloseWriter();
    Close(ends_[0]);
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;

  int error() const { return error_; }
  int reader() const { return ends_[0]; }
  int writer() const { return ends_[1]; }
  void CloseWriter() { Close(ends_[1]); }

 private:
  static void Close(int& end) {
    if (end >= 0) {
      close(end);
    }
    end = -1;
  }

  std::array<int, 2> ends_ = {-1, -1};
  int error_;
};

// How the child begins: its stdout is the pipe, its signals are as they are by default.
class Beginning {
 public:
  Beginning(const Program& program, int output) {
    posix_spawn_file_actions_init(&files_);
    posix_spawn_file_actions_adddup2(&files_, output, STDOUT_FILENO);
    if (!program.interactive) {
      posix_spawn_file_actions_addopen(&files_, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    }
    posix_spawnattr_init(&attributes_);
    sigset_t none;
    sigemptyset(&none);
    posix_spawnattr_setsigmask(&attributes_, &none);
    sigset_t reset;
    sigemptyset(&reset);
    for (const int signal : {SIGPIPE, SIGTERM, SIGINT, SIGHUP}) {
      sigaddset(&reset, signal);
    }
    posix_spawnattr_setsigdefault(&attributes_, &reset);
    const int group = program.interactive ? 0 : POSIX_SPAWN_SETPGROUP;
    posix_spawnattr_setflags(
        &attributes_, static_cast<short>(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | group));
  }
  ~Beginning() {
    posix_spawn_file_actions_destroy(&files_);
    posix_spawnattr_destroy(&attributes_);
  }
  Beginning(const Beginning&) = delete;
  Beginning& operator=(const Beginning&) = delete;

  const posix_spawn_file_actions_t* files() const { return &files_; }
  const posix_spawnattr_t* attributes() const { return &attributes_; }

 private:
  posix_spawn_file_actions_t files_{};
  posix_spawnattr_t attributes_{};
};

std::vector<std::string> EnvironmentOf(const Program& program) {
  std::vector<std::string> lines;
  lines.reserve(program.environment.size());
  for (const auto& [name, value] : program.environment) {
    lines.push_back(fmt::format("{}={}", name, value));
  }
  for (char** line = environ; line != nullptr && *line != nullptr; ++line) {
    const std::string_view ours = *line;
    const std::string_view name = ours.substr(0, ours.find('='));
    if (std::ranges::none_of(program.environment,
                             [&](const auto& given) { return given.first == name; })) {
      lines.emplace_back(ours);
    }
  }
  return lines;
}

// What execve takes; views into the texts.
std::vector<char*> Pointers(std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  pointers.reserve(texts.size() + 1);
  for (std::string& text : texts) {
    pointers.push_back(text.data());
  }
  pointers.push_back(nullptr);
  return pointers;
}

// Errno, or 0 and the child's number.
int Spawn(const Program& program, int output, pid_t& child) {
  std::vector<std::string> arguments = {program.command};
  arguments.insert(arguments.end(), program.arguments.begin(), program.arguments.end());
  std::vector<std::string> environment = EnvironmentOf(program);
  const Beginning beginning(program, output);
  return posix_spawnp(&child, program.command.c_str(), beginning.files(), beginning.attributes(),
                      Pointers(arguments).data(), Pointers(environment).data());
}

// A child that runs, and until when it may.
class Child {
 public:
  Child(pid_t id, bool has_group, Instant deadline, const std::atomic<bool>& cancelled)
      : id_(id), has_group_(has_group), deadline_(deadline), cancelled_(cancelled) {}

  // Reads until the end of its output; why not, if so.
  std::optional<Ran::End> Read(int from, std::string& output) {
    pollfd waiting{.fd = from, .events = POLLIN, .revents = 0};
    std::array<char, 16 << 10> part{};
    for (;;) {
      if (const auto end = MustEnd()) {
        return end;
      }
      if (poll(&waiting, 1, kGlanceMs) <= 0) {
        continue;
      }
      const ssize_t got = read(from, part.data(), part.size());
      if (got == 0 || (got < 0 && errno != EINTR)) {
        return std::nullopt;
      }
      output.append(part.data(), got < 0 ? 0 : static_cast<std::size_t>(got));
      if (output.size() > kMostOutput) {
        return Ran::End::kTooMuch;
      }
    }
  }

  // Its status, as waitpid gives it; nothing where it must end first.
  std::optional<int> Wait(std::optional<Ran::End>& why) const {
    for (;;) {
      int status = 0;
      if (waitpid(id_, &status, WNOHANG) != 0) {
        return status;
      }
      why = MustEnd();
      if (why) {
        return std::nullopt;
      }
      poll(nullptr, 0, kGlanceMs / 4);
    }
  }

  void Kill() const {
    kill(has_group_ ? -id_ : id_, SIGKILL);
    int status = 0;
    while (waitpid(id_, &status, 0) < 0 && errno == EINTR) {
    }
  }

 private:
  std::optional<Ran::End> MustEnd() const {
    if (cancelled_) {
      return Ran::End::kCancelled;
    }
    return std::chrono::steady_clock::now() > deadline_ ? std::optional(Ran::End::kTooSlow)
                                                        : std::nullopt;
  }

  const pid_t id_;
  const bool has_group_;
  const Instant deadline_;
  const std::atomic<bool>& cancelled_;
};

Ran Ended(int status, std::string output) {
  if (WIFSIGNALED(status)) {
    return {.end = Ran::End::kSignalled, .number = WTERMSIG(status), .output = std::move(output)};
  }
  return {.end = Ran::End::kExited, .number = WEXITSTATUS(status), .output = std::move(output)};
}

}  // namespace

Ran RunProgram(const Program& program, const std::atomic<bool>& cancelled) {
  const Instant deadline = std::chrono::steady_clock::now() + program.patience;
  Pipe pipe;
  if (pipe.error() != 0) {
    return {.number = pipe.error()};
  }
  pid_t id = 0;
  if (const int error = Spawn(program, pipe.writer(), id); error != 0) {
    return {.number = error};
  }
  pipe.CloseWriter();
  Child child(id, !program.interactive, deadline, cancelled);
  std::string output;
  std::optional<Ran::End> why = child.Read(pipe.reader(), output);
  if (!why) {
    if (const std::optional<int> status = child.Wait(why)) {
      return Ended(*status, std::move(output));
    }
  }
  child.Kill();
  return {.end = why.value_or(Ran::End::kCancelled)};
}

}  // namespace quadra::client
