#include "base/log.h"

#include <atomic>
#include <iterator>
#include <string>

#include <fmt/core.h>
#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace quadra {
namespace {

std::atomic<LogFormat> log_format = LogFormat::kText;
std::atomic<LogLevel> least_level = LogLevel::kInfo;

char LevelLetter(LogLevel level) {
  switch (level) {
    case LogLevel::kDebug:
    case LogLevel::kInfo:
      return 'I';
    case LogLevel::kWarning:
      return 'W';
    case LogLevel::kError:
      return 'E';
  }
  return 'I';
}

std::string_view LevelWord(LogLevel level) {
  switch (level) {
    case LogLevel::kDebug:
      return "debug";
    case LogLevel::kInfo:
      return "info";
    case LogLevel::kWarning:
      return "warning";
    case LogLevel::kError:
      return "error";
  }
  return "info";
}

// Quotes as JSON does, which is also what klog's parsers accept.
void AppendQuoted(std::string& out, std::string_view text) {
  out += '"';
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (c == '\n') {
      out += "\\n";
    } else if (static_cast<unsigned char>(c) < 0x20) {
      fmt::format_to(std::back_inserter(out), "\\u{:04x}", static_cast<unsigned>(c));
    } else {
      out += c;
    }
  }
  out += '"';
}

std::string TextLine(LogLevel level, Time now, int thread, std::string_view message,
                     std::initializer_list<LogField> fields) {
  const auto day = std::chrono::floor<std::chrono::days>(now);
  const std::chrono::year_month_day date(day);
  const std::chrono::hh_mm_ss clock(now - day);
  std::string line = fmt::format(
      "{}{:02}{:02} {:02}:{:02}:{:02}.{:06} {:7} quadra] ", LevelLetter(level),
      static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()), clock.hours().count(),
      clock.minutes().count(), clock.seconds().count(), clock.subseconds().count(), thread);
  AppendQuoted(line, message);
  for (const LogField& field : fields) {
    line += ' ';
    line += field.key;
    line += '=';
    AppendQuoted(line, field.value);
  }
  return line;
}

std::string JsonLine(LogLevel level, Time now, std::string_view message,
                     std::initializer_list<LogField> fields) {
  const auto micros = now.time_since_epoch().count();
  std::string line = fmt::format(R"({{"ts":{}.{:03},"level":"{}","msg":)", micros / 1000,
                                 micros % 1000, LevelWord(level));
  AppendQuoted(line, message);
  for (const LogField& field : fields) {
    line += ',';
    AppendQuoted(line, field.key);
    line += ':';
    AppendQuoted(line, field.value);
  }
  line += '}';
  return line;
}

spdlog::sinks::sink& StandardError() {
  static spdlog::sinks::sink& sink = []() -> spdlog::sinks::sink& {
    auto& made = *new spdlog::sinks::stderr_sink_mt();
    made.set_pattern("%v");
    return made;
  }();
  return sink;
}

}  // namespace

std::string FormatLogLine(LogFormat format, LogLevel level, Time now, int thread,
                          std::string_view message, std::initializer_list<LogField> fields) {
  return format == LogFormat::kJson ? JsonLine(level, now, message, fields)
                                    : TextLine(level, now, thread, message, fields);
}

void ConfigureLog(LogFormat format, LogLevel least) {
  log_format = format;
  least_level = least;
}

void Log(LogLevel level, std::string_view message, std::initializer_list<LogField> fields) {
  if (level < least_level.load(std::memory_order_relaxed)) {
    return;
  }
  const auto thread = static_cast<int>(syscall(SYS_gettid));
  const std::string line =
      FormatLogLine(log_format, level, SystemClock().Now(), thread, message, fields);
  StandardError().log(spdlog::details::log_msg("", spdlog::level::info, line));
}

}  // namespace quadra
