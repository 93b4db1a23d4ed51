// Config: what a KubeSchedulerConfiguration file says, as far as it is honoured; the rest is listed.
//
//   QUADRA_TRY(const SchedulerConfig config, ReadConfig(text));
//   for (const std::string& line : config.unheeded) …   // told at start, never silently ignored
//
// Reads kubescheduler.config.k8s.io/v1, YAML or JSON, with upstream's defaults. Pure.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "json/value.h"

namespace quadra::scheduler {

struct PluginChoice {
  std::string name;
  std::int64_t weight = 0;                 // of its scores; 0: its own default
  std::set<std::string, std::less<>> off;  // extension points at which it is not asked
};

struct ProfileConfig {
  std::string scheduler_name = "default-scheduler";
  std::int32_t percentage_of_nodes = 0;     // percentageOfNodesToScore; 0: by the number of nodes
  std::vector<PluginChoice> plugins;        // in order
  std::map<std::string, json::Value> args;  // by plugin
};

struct SchedulerConfig {
  std::vector<ProfileConfig> profiles;
  std::chrono::seconds first_backoff{1};
  std::chrono::seconds longest_backoff{10};
  bool leader_elect = false;
  std::vector<std::string> unheeded;
};

// One profile with all plugins in upstream's order.
SchedulerConfig DefaultConfig();
Result<SchedulerConfig> ReadConfig(std::string_view text);

}  // namespace quadra::scheduler
