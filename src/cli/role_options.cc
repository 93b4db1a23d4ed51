#include "cli/role_options.h"

#include <charconv>
#include <ostream>

#include <fmt/format.h>

#include "cli/line.h"

namespace quadra::cli {
namespace {

std::vector<std::string> ControllerWords(const Invocation& invocation) {
  std::vector<std::string> words = invocation.Values(kControllersFlag.name);
  if (words.empty()) {
    words.emplace_back("*");
  }
  return words;
}

Result<std::vector<const roles::ControllerRow*>> ReadNames(const Invocation& invocation) {
  return roles::ChooseControllers(ControllerWords(invocation)).map_error([](Error error) {
    error.message = "--controllers: " + error.message;
    return error;
  });
}

// 50, or 50s as upstream writes durations.
Status TakeGrace(const Invocation& invocation, lifecycle::NodeLifecycleOptions& nodes) {
  if (!invocation.Has(kNodeMonitorGraceFlag.name)) {
    return {};
  }
  const std::string text = invocation.Value(kNodeMonitorGraceFlag.name);
  int seconds = 0;
  const char* const end = text.data() + text.size() - (text.ends_with('s') ? 1 : 0);
  const auto [stopped, error] = std::from_chars(text.data(), end, seconds);
  if (error != std::errc() || stopped != end || seconds <= 0) {
    return Fail(Error{.kind = ErrorKind::kUsage,
                      .message = fmt::format("--{}: \"{}\" is no number of seconds from 1 on",
                                             kNodeMonitorGraceFlag.name, text),
                      .remedy = "write it as 50 or 50s"});
  }
  nodes.monitor_grace_period = std::chrono::seconds(seconds);
  return {};
}

}  // namespace

Result<ControllerChoice> ReadControllers(const Invocation& invocation) {
  ControllerChoice choice;
  QUADRA_TRY(choice.rows, ReadNames(invocation));
  QUADRA_TRY(choice.gates, ReadFeatureGates(invocation));
  QUADRA_RETURN_IF_ERROR(TakeGrace(invocation, choice.settings.nodes));
  if (invocation.Value(kMetricsNamesFlag.name) == "seed") {
    choice.settings.claims.metrics_names = claims::MetricsNames::kSeed;
  }
  return choice;
}

roles::RoleOptions ControllersRole(const ControllerChoice& choice, Console& console) {
  roles::RoleOptions role{.name = "quadra-controller",
                          .makers = roles::MakersOf(choice.rows, choice.settings),
                          .gates = choice.gates};
  role.log = [&err = console.err](std::string_view line) {
    PrintLine(err, fmt::format("controller: {}", line));
  };
  return role;
}

}  // namespace quadra::cli
