#include "apiserver/explain.h"

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "apiserver/encode.h"
#include "base/go_text.h"

namespace quadra::apiserver {
namespace {

constexpr std::string_view kExplain = "/quadra/explain/";

bool IsName(std::string_view text) {
  return !text.empty() &&
         text.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-.") == std::string_view::npos;
}

std::optional<PodName> PodOf(std::string_view path) {
  if (!path.starts_with(kExplain)) {
    return std::nullopt;
  }
  path.remove_prefix(kExplain.size());
  const std::size_t slash = path.find('/');
  const std::string_view ns = path.substr(0, slash);
  const std::string_view name =
      slash == std::string_view::npos ? std::string_view() : path.substr(slash + 1);
  return IsName(ns) && IsName(name)
             ? std::optional(PodName{.ns = std::string(ns), .name = std::string(name)})
             : std::nullopt;
}

Failure NothingRemembered(const PodName& pod) {
  Failure failure = NotFound({.group = "", .plural = "pods"}, pod.name);
  failure.message = fmt::format("the scheduler remembers no attempt on pod {}",
                                GoQuote(fmt::format("{}/{}", pod.ns, pod.name)));
  return failure;
}

net::Response AnswerOf(const LastAttemptJson& said, const PodName& pod, const Ask& ask) {
  if (!said) {
    return AnswerWith(Unavailable("the scheduler does not answer: " + said.error().ToString()),
                      ask);
  }
  const std::optional<std::string>& attempt = *said;
  return attempt ? AnswerWith(200, *attempt, ask) : AnswerWith(NothingRemembered(pod), ask);
}

}  // namespace

bool ServeExplanation(const Backend& backend, const Ask& ask, net::Exchange& exchange) {
  const std::optional<PodName> pod = PodOf(ask.address.path);
  if (!pod || !backend.ask_scheduler) {
    return false;
  }
  if (ask.request.method != "GET") {
    exchange.Answer(AnswerWith(MethodNotAllowed(), ask));
    return true;
  }
  const auto waiting = std::make_shared<net::Exchange>(std::move(exchange));
  backend.ask_scheduler(*pod, [waiting, ask, pod = *pod](const LastAttemptJson& said) {
    waiting->Answer(AnswerOf(said, pod, ask));
  });
  return true;
}

}  // namespace quadra::apiserver
