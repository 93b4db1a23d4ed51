#include "scheduler/plugins/registry.h"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "scheduler/plugins/dynamic_resources/dynamic_resources.h"

namespace quadra::scheduler {
namespace {

using Made = Result<std::unique_ptr<Plugin>>;

constexpr std::array<PluginRow, 1> kPlugins = {{
    {"DynamicResources", 2, &DynamicResources::Make},
}};

}  // namespace

std::span<const PluginRow> AllPlugins() { return kPlugins; }

const PluginRow* FindPlugin(std::string_view name) {
  const auto* const found = std::ranges::find(kPlugins, name, &PluginRow::name);
  return found == kPlugins.end() ? nullptr : found;
}

Result<std::vector<WeightedPlugin>> MakePlugins(const ProfileConfig& profile, Handle& handle) {
  static const json::Value kNoArgs;
  std::vector<WeightedPlugin> plugins;
  for (const PluginChoice& choice : profile.plugins) {
    const auto args = profile.args.find(choice.name);
    const PluginRow& row = *FindPlugin(choice.name);
    Made made = row.make(handle, args == profile.args.end() ? kNoArgs : args->second);
    if (!made) {
      Error error = std::move(made).error();
      error.field = fmt::format("pluginConfig {}.{}", choice.name, error.field);
      return Fail(std::move(error));
    }
    plugins.push_back({.plugin = *std::move(made),
                       .weight = choice.weight > 0 ? choice.weight : row.weight,
                       .scores = choice.scores});
  }
  return plugins;
}

}  // namespace quadra::scheduler
