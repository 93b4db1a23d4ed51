// DeleteOptions: how a deletion is to be done, from the body or, where that is empty, the query.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "apiserver/ask.h"
#include "apiserver/failure.h"

namespace quadra::apiserver {

struct DeleteOptions {
  std::optional<std::int64_t> grace_period_seconds;
  std::optional<std::string> uid;  // preconditions
  std::optional<std::string> resource_version;
  std::optional<std::string> propagation;  // Background, Foreground, Orphan
  std::optional<bool> orphan_dependents;
  std::vector<std::string> dry_runs;  // as sent; All

  bool dry_run() const { return !dry_runs.empty(); }
};

// Fails with BadRequest, UnsupportedMediaType or Invalid.
OrFailure<DeleteOptions> ReadDeleteOptions(const Ask& ask);

}  // namespace quadra::apiserver
