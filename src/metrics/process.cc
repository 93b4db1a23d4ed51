#include "metrics/process.h"

#include <charconv>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <sstream>

#include <sys/resource.h>
#include <unistd.h>

namespace quadra::metrics {
namespace {

std::string ReadAll(const char* path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

// Counted as proc(5) counts the fields of /proc/self/stat.
enum Field {
  kUserTicks = 14,
  kSystemTicks = 15,
  kStartTicks = 22,
  kVirtualBytes = 23,
  kPages = 24
};

// Behind the name of the program, which is in parentheses and may hold blanks, the third begins.
std::optional<double> StatField(Field wanted) {
  const std::string stat = ReadAll("/proc/self/stat");
  const std::size_t name_end = stat.rfind(')');
  if (name_end == std::string::npos) {
    return std::nullopt;
  }
  std::istringstream fields(stat.substr(name_end + 1));
  std::string field;
  for (int i = 2; i < wanted; ++i) {
    fields >> field;
  }
  double number = 0;
  const auto [end, error] = std::from_chars(field.data(), field.data() + field.size(), number);
  return error == std::errc() ? std::optional(number) : std::nullopt;
}

double TicksPerSecond() { return static_cast<double>(sysconf(_SC_CLK_TCK)); }

std::optional<double> CpuSeconds() {
  const std::optional<double> user = StatField(kUserTicks);
  const std::optional<double> system = StatField(kSystemTicks);
  return user && system ? std::optional((*user + *system) / TicksPerSecond()) : std::nullopt;
}

std::optional<double> ResidentBytes() {
  const std::optional<double> pages = StatField(kPages);
  return pages ? std::optional(*pages * static_cast<double>(sysconf(_SC_PAGESIZE))) : std::nullopt;
}

std::optional<double> VirtualBytes() { return StatField(kVirtualBytes); }

// When the machine started, and how much later we did.
std::optional<double> StartSeconds() {
  std::istringstream stat(ReadAll("/proc/stat"));
  const std::optional<double> later = StatField(kStartTicks);
  for (std::string word; later && stat >> word;) {
    double boot = 0;
    if (word == "btime" && stat >> boot) {
      return boot + *later / TicksPerSecond();
    }
  }
  return std::nullopt;
}

std::optional<double> OpenFiles() {
  std::error_code error;
  const std::filesystem::directory_iterator files("/proc/self/fd", error);
  return error ? std::nullopt
               : std::optional(static_cast<double>(std::distance(begin(files), end(files))));
}

std::optional<double> MostFiles() {
  rlimit limit{};
  return getrlimit(RLIMIT_NOFILE, &limit) == 0 ? std::optional(static_cast<double>(limit.rlim_cur))
                                               : std::nullopt;
}

void AddOne(Registry& registry, const char* name, const char* help, Kind kind,
            std::optional<double> (*read)()) {
  registry.Compute({.name = name, .help = help}, kind, [read](const Report& report) {
    if (const std::optional<double> value = read()) {
      report({}, *value);
    }
  });
}

}  // namespace

void AddProcess(Registry& registry) {
  AddOne(registry, "process_cpu_seconds_total", "CPU time that this process has used.",
         Kind::kCounter, CpuSeconds);
  AddOne(registry, "process_resident_memory_bytes", "Memory of this process that is in RAM.",
         Kind::kGauge, ResidentBytes);
  AddOne(registry, "process_virtual_memory_bytes", "Address space of this process.", Kind::kGauge,
         VirtualBytes);
  AddOne(registry, "process_open_fds", "File descriptors that are open.", Kind::kGauge, OpenFiles);
  AddOne(registry, "process_max_fds", "File descriptors that may be open.", Kind::kGauge,
         MostFiles);
  AddOne(registry, "process_start_time_seconds", "When this process started, in Unix time.",
         Kind::kGauge, StartSeconds);
}

}  // namespace quadra::metrics
