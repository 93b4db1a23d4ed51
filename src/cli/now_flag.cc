#include "cli/now_flag.h"

#include "api/vocabulary.h"

namespace quadra::cli {

Result<std::optional<Time>> ReadNow(const Invocation& invocation) {
  if (!invocation.Has(kNowFlagName)) {
    return std::nullopt;
  }
  const std::optional<Time> time = api::ParseTime(invocation.Value(kNowFlagName));
  if (!time) {
    return Fail({.kind = ErrorKind::kUsage,
                 .message = "--now: not a time: \"" + invocation.Value(kNowFlagName) + "\"",
                 .remedy = "write it as 2026-08-01T12:18:00Z"});
  }
  return time;
}

}  // namespace quadra::cli
