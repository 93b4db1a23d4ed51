// Health: what /livez, /readyz and /healthz say: "ok", or check by check what is not.
#pragma once

#include <string_view>

#include "apiserver/ask.h"

namespace quadra::apiserver {

// Of a path that is one of these or below it, e.g. /readyz/store; 404 for a check that nobody has.
net::Response AnswerHealth(const Backend& backend, std::string_view path, const Query& query);

}  // namespace quadra::apiserver
