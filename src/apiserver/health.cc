#include "apiserver/health.h"

#include <algorithm>
#include <array>
#include <string>

#include <fmt/format.h>

namespace quadra::apiserver {
namespace {

struct HealthCheck {
  std::string_view name;
  Status (*run)(const Backend& backend);
};
constexpr std::array kChecks = {
    HealthCheck{"ping", [](const Backend&) { return Status(); }},
    HealthCheck{"store", [](const Backend& backend) { return backend.store.Writable(); }},
};

// Checks by name; a process that lives needs no disk.
bool Counts(const HealthCheck& check, std::string_view group, const Query& query) {
  const std::vector<std::string_view> excluded = query.All("exclude");
  return std::ranges::find(excluded, check.name) == excluded.end() &&
         (group != "livez" || check.name == "ping");
}

// As it is, without a line break: probes compare it.
net::Response PlainAnswer(int status, std::string text) {
  return {.status = status,
          .headers = {{"content-type", "text/plain; charset=utf-8"}},
          .body = net::Share(std::move(text))};
}

net::Response AnswerOne(const Backend& backend, std::string_view name) {
  const auto* check = std::ranges::find(kChecks, name, &HealthCheck::name);
  if (check == kChecks.end()) {
    return PlainAnswer(404, "404 page not found");
  }
  const Status status = check->run(backend);
  return status ? PlainAnswer(200, "ok")
                : PlainAnswer(500,
                              fmt::format("internal server error: {}", status.error().ToString()));
}

}  // namespace

net::Response AnswerHealth(const Backend& backend, std::string_view path, const Query& query) {
  path.remove_prefix(1);
  const std::string_view group = path.substr(0, path.find('/'));
  if (group.size() < path.size()) {
    return AnswerOne(backend, path.substr(group.size() + 1));
  }
  std::string report;
  bool failed = false;
  for (const HealthCheck& check : kChecks) {
    if (!Counts(check, group, query)) {
      report += fmt::format("[+]{} excluded: ok\n", check.name);
      continue;
    }
    const Status status = check.run(backend);
    failed = failed || !status;
    report += status ? fmt::format("[+]{} ok\n", check.name)
                     : fmt::format("[-]{} failed: {}\n", check.name, status.error().ToString());
  }
  if (failed) {
    return PlainAnswer(500, fmt::format("{}{} check failed\n", report, group));
  }
  return PlainAnswer(
      200, query.Has("verbose") ? fmt::format("{}{} check passed\n", report, group) : "ok");
}

}  // namespace quadra::apiserver
