#include "cli/scheduler_question.h"

#include <chrono>
#include <utility>

#include <fmt/format.h>

#include "cli/listen_address.h"
#include "net/client.h"

namespace quadra::cli {
namespace {

constexpr std::string_view kExplain = "/explain/";
constexpr auto kPatience = std::chrono::seconds(5);

// The answer, as far as it came.
struct Heard {
  int status = 0;
  std::string body;

  apiserver::LastAttemptJson Result(const Status& how) && {
    if (!how) {
      return Fail(how.error());
    }
    if (status == 404) {
      return std::nullopt;
    }
    if (status != 200) {
      return Fail(ErrorKind::kUnreadable, fmt::format("it answers with status {}", status));
    }
    return std::optional(std::move(body));
  }
};

void Ask(net::Client& client, const apiserver::PodName& pod,
         std::function<void(apiserver::LastAttemptJson)> tell) {
  const auto heard = std::make_shared<Heard>();
  client.Start({.method = "GET", .target = fmt::format("{}{}/{}", kExplain, pod.ns, pod.name)},
               {.head = [heard](int status, const net::Headers&) { heard->status = status; },
                .data = [heard](std::string_view piece) { heard->body += piece; },
                .end = [heard, tell = std::move(tell)](
                           const Status& how) { tell(std::move(*heard).Result(how)); }},
               kPatience);
}

}  // namespace

std::optional<std::string> AttemptAt(const scheduler::AttemptLog& log, std::string_view path) {
  const std::size_t slash = path.find('/', kExplain.size());
  if (!path.starts_with(kExplain) || slash == std::string_view::npos) {
    return std::nullopt;
  }
  const auto attempt =
      log.Find(path.substr(kExplain.size(), slash - kExplain.size()), path.substr(slash + 1));
  return attempt ? std::optional(ToJson(*attempt)) : std::nullopt;
}

apiserver::AskScheduler AskOf(std::shared_ptr<const scheduler::AttemptLog> log) {
  return [log = std::move(log)](const apiserver::PodName& pod,
                                const std::function<void(apiserver::LastAttemptJson)>& tell) {
    const auto attempt = log->Find(pod.ns, pod.name);
    tell(attempt ? std::optional(ToJson(*attempt)) : std::nullopt);
  };
}

Result<apiserver::AskScheduler> AskAtAddress(const Invocation& invocation) {
  if (!invocation.Has(kSchedulerAddressFlag.name)) {
    return apiserver::AskScheduler();
  }
  const std::string text = invocation.Value(kSchedulerAddressFlag.name);
  QUADRA_TRY(const ListenAddress address, ReadListenAddress(kSchedulerAddressFlag.name, text));
  if (!address.port || *address.port == 0) {
    return Fail(ErrorKind::kUsage,
                fmt::format("--{}: \"{}\" names no port", kSchedulerAddressFlag.name, text));
  }
  QUADRA_TRY(std::shared_ptr<net::Client> client,
             net::Client::Make({.host = address.host.value_or("127.0.0.1"),
                                .port = *address.port,
                                .insecure = true,
                                .connect_timeout = kPatience}));
  return apiserver::AskScheduler([client](const apiserver::PodName& pod,
                                          std::function<void(apiserver::LastAttemptJson)> tell) {
    Ask(*client, pod, std::move(tell));
  });
}

}  // namespace quadra::cli
