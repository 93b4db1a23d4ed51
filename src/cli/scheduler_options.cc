#include "cli/scheduler_options.h"

#include <ostream>
#include <utility>

#include <fmt/format.h>

#include "cli/line.h"
#include "client/connection.h"

namespace quadra::cli {
namespace {

Error Wrong(std::string_view flag, const Error& error) {
  return {.kind = ErrorKind::kUsage, .message = fmt::format("--{}: {}", flag, error.ToString())};
}

Result<scheduler::SchedulerConfig> ReadConfigFile(const Invocation& invocation) {
  if (!invocation.Has(kSchedulerConfigFlag.name)) {
    return scheduler::DefaultConfig();
  }
  const std::string path = invocation.Value(kSchedulerConfigFlag.name);
  QUADRA_TRY(const std::string text, client::SystemEnvironment().read_file(path));
  Result<scheduler::SchedulerConfig> config = scheduler::ReadConfig(text);
  if (!config) {
    config.error().message = fmt::format("{}: {}", path, config.error().message);
  }
  return config;
}

Result<scheduler::SchedulerConfig> ReadCheckedConfig(const Invocation& invocation) {
  QUADRA_TRY(scheduler::SchedulerConfig config, ReadConfigFile(invocation));
  QUADRA_RETURN_IF_ERROR(scheduler::CheckPlugins(config));
  return config;
}

// One profile can be called otherwise; of several the file names each.
Status Rename(const Invocation& invocation, scheduler::SchedulerConfig& config) {
  if (!invocation.Has("scheduler-name")) {
    return {};
  }
  const std::string name = invocation.Value("scheduler-name");
  if (config.profiles.size() > 1 || name.empty()) {
    return Fail(Error{.kind = ErrorKind::kUsage,
                      .message = name.empty() ? "--scheduler-name: a name is missing"
                                              : "--scheduler-name: the configuration has several "
                                                "profiles",
                      .remedy = name.empty() ? "" : "name them there, as schedulerName"});
  }
  config.profiles.front().scheduler_name = name;
  return {};
}

}  // namespace

Result<SchedulerChoice> ReadScheduler(const Invocation& invocation, Console& console) {
  SchedulerChoice choice;
  QUADRA_TRY(choice.gates, ReadFeatureGates(invocation));
  Result<scheduler::SchedulerConfig> config = ReadCheckedConfig(invocation);
  if (!config) {
    return Fail(Wrong(kSchedulerConfigFlag.name, config.error()));
  }
  QUADRA_RETURN_IF_ERROR(Rename(invocation, *config));
  for (const std::string& line : config->unheeded) {
    PrintLine(console.err, fmt::format("scheduler: not honoured: {}", line));
  }
  choice.options = {.config = *std::move(config),
                    .strict = invocation.Has("strict"),
                    .preempt_devices = invocation.Value(kPreemptDevicesFlag.name) != "false",
                    .attempts = std::make_shared<scheduler::AttemptLog>()};
  return choice;
}

roles::RoleOptions SchedulerRole(const SchedulerChoice& choice, Console& console) {
  roles::RoleOptions role{.name = "quadra-scheduler", .gates = choice.gates};
  role.makers = {[options = choice.options](client::ControllerContext& context) {
    return scheduler::MakeScheduler(context, options);
  }};
  role.log = [&err = console.err](std::string_view line) {
    PrintLine(err, fmt::format("scheduler: {}", line));
  };
  return role;
}

}  // namespace quadra::cli
