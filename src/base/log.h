// Log: one line a message on standard error, in klog's text form or as JSON.
//
//   Log(LogLevel::kInfo, "claim allocated", {{"claim", "team-a/train"}, {"node", "gpu-07"}});
//   I0801 12:18:00.123456       1 quadra] "claim allocated" claim="team-a/train" node="gpu-07"
//   {"ts":1785586680123.456,"level":"info","msg":"claim
//   allocated","claim":"team-a/train","node":"gpu-07"}
//
// Thread-safe. Levels below the verbosity cost one comparison.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>

#include "base/clock.h"

namespace quadra {

enum class LogLevel { kDebug, kInfo, kWarning, kError };
enum class LogFormat { kText, kJson };

struct LogField {
  std::string_view key;
  std::string_view value;
};

// One formatted line without a newline; `thread` is the number klog prints after the time.
std::string FormatLogLine(LogFormat format, LogLevel level, Time now, int thread,
                          std::string_view message, std::initializer_list<LogField> fields);

// To be called before threads start; the default is text at kInfo.
void ConfigureLog(LogFormat format, LogLevel least);
void Log(LogLevel level, std::string_view message, std::initializer_list<LogField> fields = {});

}  // namespace quadra
