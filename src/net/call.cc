#include "net/call.h"

#include <utility>

#include <fmt/format.h>

namespace quadra::net {

void Call::End(const Status& how) {
  if (!std::exchange(ended, true)) {
    receiver.end(how);
  }
}

std::optional<Error> Call::Expired(Instant now) const {
  if (cancelled) {
    return Error{.kind = ErrorKind::kUnreadable, .message = "the request was cancelled"};
  }
  if (deadline && now > *deadline) {
    return Error{.kind = ErrorKind::kUnreadable, .message = "the request took too long"};
  }
  return std::nullopt;
}

Error ClientClosed() {
  return {.kind = ErrorKind::kUnreadable, .message = "the client was closed"};
}

std::string AuthorityOf(const ClientOptions& options) {
  const bool v6 = options.host.find(':') != std::string::npos;
  return v6 ? fmt::format("[{}]:{}", options.host, options.port)
            : fmt::format("{}:{}", options.host, options.port);
}

}  // namespace quadra::net
