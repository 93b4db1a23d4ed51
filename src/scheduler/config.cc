#include "scheduler/config.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "base/nearest.h"
#include "json/documents.h"
#include "scheduler/plugins/registry.h"

namespace quadra::scheduler {
namespace {

constexpr std::string_view kVersion = "kubescheduler.config.k8s.io/v1";
constexpr std::string_view kKind = "KubeSchedulerConfiguration";

Error WrongField(std::string field, const json::Value& value, std::string message) {
  return {.kind = ErrorKind::kInvalid,
          .message = std::move(message),
          .field = std::move(field),
          .value = json::ToJson(value)};
}

// The items of a list that may be absent; anything else is an error.
template <typename Visit>
quadra::Status ForEachItem(const json::Value& list, const std::string& path, const Visit& visit) {
  if (list.is_null()) {
    return {};
  }
  if (list.kind() != json::Kind::kArray) {
    return Fail(WrongField(path, list, "must be a list"));
  }
  for (const json::Value& item : list.items()) {
    QUADRA_RETURN_IF_ERROR(visit(item));
  }
  return {};
}

// The same of an object's members.
template <typename Visit>
quadra::Status ForEachMember(const json::Value& object, const std::string& path,
                             const Visit& visit) {
  if (object.is_null()) {
    return {};
  }
  if (object.kind() != json::Kind::kObject) {
    return Fail(WrongField(path, object, "must be an object"));
  }
  for (const json::Value::Member& member : object.members()) {
    QUADRA_RETURN_IF_ERROR(visit(member));
  }
  return {};
}

// Absent where there is none.
Result<std::optional<std::int64_t>> ReadInt(const json::Value& in, std::string_view key,
                                            std::int64_t least, std::int64_t most) {
  const json::Value& value = in.Get(key);
  if (value.is_null()) {
    return std::nullopt;
  }
  std::int64_t number = 0;
  const bool is_number = value.kind() == json::Kind::kNumber;
  const std::string text = is_number ? value.number() : "";
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (!is_number || error != std::errc() || end != text.data() + text.size() || number < least ||
      number > most) {
    return Fail(WrongField(std::string(key), value,
                           fmt::format("must be a whole number from {} to {}", least, most)));
  }
  return number;
}

std::vector<PluginChoice> DefaultPlugins() {
  std::vector<PluginChoice> plugins;
  for (const PluginRow& row : AllPlugins()) {
    plugins.push_back({.name = std::string(row.name), .weight = row.weight});
  }
  return plugins;
}

// What a profile of the file says, as it is read.
class ProfileReader {
 public:
  ProfileReader(const json::Value& from, std::string path, std::vector<std::string>& unheeded)
      : from_(from), path_(std::move(path)), unheeded_(unheeded) {}

  Result<ProfileConfig> Read() {
    profile_.plugins = DefaultPlugins();
    QUADRA_RETURN_IF_ERROR(ListUnheeded());
    if (const std::string& name = from_.Get("schedulerName").text(); !name.empty()) {
      profile_.scheduler_name = name;
    }
    QUADRA_TRY(const auto percentage, ReadInt(from_, "percentageOfNodesToScore", 0, 100));
    profile_.percentage_of_nodes = static_cast<std::int32_t>(percentage.value_or(0));
    QUADRA_RETURN_IF_ERROR(ReadPlugins(from_.Get("plugins")));
    QUADRA_RETURN_IF_ERROR(ReadArgs(from_.Get("pluginConfig")));
    return std::move(profile_);
  }

 private:
  quadra::Status ListUnheeded() {
    static constexpr std::array<std::string_view, 4> kHeeded = {
        "schedulerName", "percentageOfNodesToScore", "plugins", "pluginConfig"};
    return ForEachMember(from_, path_, [&](const json::Value::Member& member) -> quadra::Status {
      if (std::ranges::find(kHeeded, member.key) == kHeeded.end()) {
        unheeded_.push_back(fmt::format("{}.{}", path_, member.key));
      }
      return {};
    });
  }

  quadra::Status ReadPlugins(const json::Value& plugins) {
    return ForEachMember(plugins, path_ + ".plugins", [&](const json::Value::Member& point) {
      const std::string path = fmt::format("{}.plugins.{}", path_, point.key);
      if (point.key == "multiPoint") {
        return ReadMultiPoint(point.value, path);
      }
      if (point.key == "score") {
        return ReadScore(point.value, path);
      }
      unheeded_.push_back(path + ": plugins are switched at multiPoint and score only");
      return quadra::Status();
    });
  }

  quadra::Status ReadMultiPoint(const json::Value& point, const std::string& path) {
    QUADRA_RETURN_IF_ERROR(ForEachName(point.Get("disabled"), path, [&](const std::string& name) {
      std::erase_if(profile_.plugins,
                    [&](const PluginChoice& each) { return name == "*" || each.name == name; });
    }));
    return ForEachEnabled(
        point.Get("enabled"), path,
        [&](const std::string& name, std::int64_t weight) { Enable(name, weight); });
  }

  quadra::Status ReadScore(const json::Value& point, const std::string& path) {
    QUADRA_RETURN_IF_ERROR(ForEachName(point.Get("disabled"), path, [&](const std::string& name) {
      for (PluginChoice& each : profile_.plugins) {
        each.scores = each.scores && name != "*" && each.name != name;
      }
    }));
    return ForEachEnabled(point.Get("enabled"), path,
                          [&](const std::string& name, std::int64_t weight) {
                            Enable(name, weight);
                            Find(name)->scores = true;
                          });
  }

  template <typename Visit>
  static quadra::Status ForEachName(const json::Value& plugins, const std::string& path,
                                    const Visit& visit) {
    return ForEachItem(plugins, path + ".disabled", [&](const json::Value& each) {
      visit(each.Get("name").text());
      return quadra::Status();
    });
  }

  template <typename Visit>
  quadra::Status ForEachEnabled(const json::Value& plugins, const std::string& path,
                                const Visit& visit) {
    return ForEachItem(plugins, path + ".enabled", [&](const json::Value& each) -> quadra::Status {
      const std::string& name = each.Get("name").text();
      if (FindPlugin(name) == nullptr) {
        return RefuseUnknown(name);
      }
      QUADRA_TRY(const auto weight, ReadInt(each, "weight", 0, 1'000'000));
      visit(name, weight.value_or(0));
      return {};
    });
  }

  // Of upstream's plugins some are not here: told, not refused.
  quadra::Status RefuseUnknown(const std::string& name) {
    static constexpr std::array<std::string_view, 8> kUpstream = {
        "VolumeRestrictions",    "NodeVolumeLimits",
        "VolumeBinding",         "VolumeZone",
        "GangScheduling",        "PodGroupPodsCount",
        "DeferredPodScheduling", "TopologyPlacementGenerator"};
    if (std::ranges::find(kUpstream, name) != kUpstream.end()) {
      unheeded_.push_back(fmt::format("{}.plugins: {} is not here", path_, name));
      return {};
    }
    std::vector<std::string_view> names;
    for (const PluginRow& row : AllPlugins()) {
      names.push_back(row.name);
    }
    return Fail(Error{.kind = ErrorKind::kInvalid,
                      .message = "there is no such plugin" + DidYouMean(name, names),
                      .field = path_ + ".plugins",
                      .value = name});
  }

  quadra::Status ReadArgs(const json::Value& configs) {
    return ForEachItem(configs, path_ + ".pluginConfig", [&](const json::Value& each) {
      const std::string& name = each.Get("name").text();
      if (FindPlugin(name) == nullptr) {
        return RefuseUnknown(name);
      }
      profile_.args[name] = each.Get("args");
      return quadra::Status();
    });
  }

  PluginChoice* Find(const std::string& name) {
    const auto found = std::ranges::find(profile_.plugins, name, &PluginChoice::name);
    return found == profile_.plugins.end() ? nullptr : &*found;
  }

  void Enable(const std::string& name, std::int64_t weight) {
    PluginChoice* plugin = Find(name);
    if (plugin == nullptr) {
      plugin = &profile_.plugins.emplace_back(
          PluginChoice{.name = name, .weight = FindPlugin(name)->weight});
    }
    plugin->weight = weight > 0 ? weight : plugin->weight;
  }

  const json::Value& from_;
  const std::string path_;
  std::vector<std::string>& unheeded_;
  ProfileConfig profile_;
};

quadra::Status CheckKind(const json::Value& in) {
  if (in.Get("kind").text() != kKind || in.Get("apiVersion").text() != kVersion) {
    return Fail(Error{
        .kind = ErrorKind::kUnsupported,
        .message = "this is no configuration of a scheduler",
        .field = "apiVersion, kind",
        .value = in.Find("kind") == nullptr
                     ? ""
                     : fmt::format("{}, {}", in.Get("apiVersion").text(), in.Get("kind").text()),
        .remedy = fmt::format("use {}, {}", kVersion, kKind)});
  }
  return {};
}

quadra::Status ReadElection(const json::Value& election, SchedulerConfig& config) {
  return ForEachMember(
      election, "leaderElection", [&](const json::Value::Member& member) -> quadra::Status {
        if (member.key != "leaderElect") {
          config.unheeded.push_back("leaderElection." + member.key);
        } else if (member.value.kind() != json::Kind::kBool) {
          return Fail(
              WrongField("leaderElection.leaderElect", member.value, "must be true or false"));
        } else {
          config.leader_elect = member.value.boolean();
        }
        return {};
      });
}

quadra::Status ReadTop(const json::Value& in, SchedulerConfig& config) {
  static constexpr std::array<std::string_view, 7> kHeeded = {
      "apiVersion",           "kind",     "leaderElection",          "podInitialBackoffSeconds",
      "podMaxBackoffSeconds", "profiles", "percentageOfNodesToScore"};
  for (const json::Value::Member& member : in.members()) {
    if (std::ranges::find(kHeeded, member.key) == kHeeded.end()) {
      config.unheeded.push_back(member.key);
    }
  }
  QUADRA_TRY(const auto first, ReadInt(in, "podInitialBackoffSeconds", 1, 1'000'000));
  QUADRA_TRY(const auto longest, ReadInt(in, "podMaxBackoffSeconds", 1, 1'000'000));
  config.first_backoff = std::chrono::seconds(first.value_or(config.first_backoff.count()));
  config.longest_backoff = std::chrono::seconds(longest.value_or(config.longest_backoff.count()));
  return ReadElection(in.Get("leaderElection"), config);
}

quadra::Status CheckNames(const SchedulerConfig& config) {
  std::set<std::string_view> names;
  for (const ProfileConfig& profile : config.profiles) {
    if (!names.insert(profile.scheduler_name).second) {
      return Fail(Error{.message = "two profiles have this name; give each its own",
                        .field = "profiles.schedulerName",
                        .value = profile.scheduler_name});
    }
  }
  return {};
}

quadra::Status ReadProfiles(const json::Value& in, SchedulerConfig& config) {
  std::vector<ProfileConfig> profiles;
  QUADRA_RETURN_IF_ERROR(
      ForEachItem(in.Get("profiles"), "profiles", [&](const json::Value& item) -> quadra::Status {
        std::string path = fmt::format("profiles[{}]", profiles.size());
        QUADRA_TRY(ProfileConfig profile,
                   ProfileReader(item, std::move(path), config.unheeded).Read());
        profiles.push_back(std::move(profile));
        return {};
      }));
  if (!profiles.empty()) {
    config.profiles = std::move(profiles);
  }
  QUADRA_TRY(const auto percentage, ReadInt(in, "percentageOfNodesToScore", 0, 100));
  for (ProfileConfig& profile : config.profiles) {
    if (profile.percentage_of_nodes == 0) {
      profile.percentage_of_nodes = static_cast<std::int32_t>(percentage.value_or(0));
    }
  }
  return CheckNames(config);
}

}  // namespace

SchedulerConfig DefaultConfig() {
  return {.profiles = {{.plugins = DefaultPlugins(), .args = {}}}, .unheeded = {}};
}

Result<SchedulerConfig> ReadConfig(std::string_view text) {
  QUADRA_TRY(const std::string as_json, json::YamlToJson(text));
  QUADRA_TRY(const json::Value in, json::ParseValue(as_json));
  QUADRA_RETURN_IF_ERROR(CheckKind(in));
  SchedulerConfig config = DefaultConfig();
  QUADRA_RETURN_IF_ERROR(ReadTop(in, config));
  QUADRA_RETURN_IF_ERROR(ReadProfiles(in, config));
  return config;
}

}  // namespace quadra::scheduler
