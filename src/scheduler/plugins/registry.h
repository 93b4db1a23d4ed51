// Registry: all plugins there are, in the order in which upstream's default profile asks them.
//
//   QUADRA_TRY(std::vector<WeightedPlugin> plugins, MakePlugins(profile_config, handle));
//
// Pure; a table. A new plugin is a row.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "json/value.h"
#include "scheduler/config.h"
#include "scheduler/framework/handle.h"
#include "scheduler/framework/profile.h"

namespace quadra::scheduler {

struct PluginRow {
  std::string_view name;
  std::int64_t weight = 1;  // of its scores, unless a profile says otherwise
  // `args` as pluginConfig has them; null where it has none.
  Result<std::unique_ptr<Plugin>> (*make)(Handle& handle, const json::Value& args);
};

std::span<const PluginRow> AllPlugins();
// Null where there is none.
const PluginRow* FindPlugin(std::string_view name);

// `handle` must outlive them. Errors name the plugin and the field of its arguments.
Result<std::vector<WeightedPlugin>> MakePlugins(const ProfileConfig& profile, Handle& handle);

}  // namespace quadra::scheduler
