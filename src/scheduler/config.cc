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
  quadra::Status ReadPlugins(const json::Value& plugins) {
    if (plugins.is_null()) {
      return {};
    }
    for (const json::Value::Member& point : plugins.members()) {
      if (point.key == "multiPoint") {
        QUADRA_RETURN_IF_ERROR(ReadMultiPoint(point.value));
      } else if (point.key == "score") {
        QUADRA_RETURN_IF_ERROR(ReadScore(point.value));
      } else {
        unheeded_.push_back(
            fmt::format("{}.plugins.{}: plugins are switched at multiPoint and "
                        "score only",
                        path_, point.key));
      }
    }
    return {};
  }

  quadra::Status ReadMultiPoint(const json::Value& point) {
    for (const std::string& name : NamesIn(point.Get("disabled"))) {
      std::erase_if(profile_.plugins,
                    [&](const PluginChoice& each) { return name == "*" || each.name == name; });
    }
    return ForEach(point.Get("enabled"),
                   [&](const std::string& name, std::int64_t weight) { Enable(name, weight); });
  }

  quadra::Status ReadScore(const json::Value& point) {
    for (const std::string& name : NamesIn(point.Get("disabled"))) {
      for (PluginChoice& each : profile_.plugins) {
        each.scores = each.scores && name != "*" && each.name != name;
      }
    }
    return ForEach(point.Get("enabled"), [&](const std::string& name, std::int64_t weight) {
      Enable(name, weight);
      Find(name)->scores = true;
    });
  }

  template <typename Visit>
  quadra::Status ForEach(const json::Value& plugins, const Visit& visit) {
    if (plugins.is_null()) {
      return {};
    }
    for (const json::Value& each : plugins.items()) {
      const std::string& name = each.Get("name").text();
      if (FindPlugin(name) == nullptr) {
        QUADRA_RETURN_IF_ERROR(RefuseUnknown(name));
        continue;
      }
      QUADRA_TRY(const auto weight, ReadInt(each, "weight", 0, 1'000'000));
      visit(name, weight.value_or(0));
    }
    return {};
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
    if (configs.is_null()) {
      return {};
    }
    for (const json::Value& each : configs.items()) {
      const std::string& name = each.Get("name").text();
      if (FindPlugin(name) == nullptr) {
        QUADRA_RETURN_IF_ERROR(RefuseUnknown(name));
        continue;
      }
      profile_.args[name] = each.Get("args");
    }
    return {};
  }

  static std::vector<std::string> NamesIn(const json::Value& plugins) {
    std::vector<std::string> names;
    if (plugins.kind() == json::Kind::kArray) {
      for (const json::Value& each : plugins.items()) {
        names.push_back(each.Get("name").text());
      }
    }
    return names;
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

// A member that ought to be a list or an object and is none: told before anything reads it.
quadra::Status CheckShape(const json::Value& in) {
  const json::Value& profiles = in.Get("profiles");
  if (!profiles.is_null() && profiles.kind() != json::Kind::kArray) {
    return Fail(WrongField("profiles", profiles, "must be a list"));
  }
  return {};
}

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

quadra::Status ReadTop(const json::Value& in, SchedulerConfig& config) {
  static const std::set<std::string_view> kHeeded = {
      "apiVersion",           "kind",     "leaderElection",          "podInitialBackoffSeconds",
      "podMaxBackoffSeconds", "profiles", "percentageOfNodesToScore"};
  for (const json::Value::Member& member : in.members()) {
    if (!kHeeded.contains(member.key)) {
      config.unheeded.push_back(member.key);
    }
  }
  QUADRA_TRY(const auto first, ReadInt(in, "podInitialBackoffSeconds", 1, 1'000'000));
  QUADRA_TRY(const auto longest, ReadInt(in, "podMaxBackoffSeconds", 1, 1'000'000));
  config.first_backoff = std::chrono::seconds(first.value_or(config.first_backoff.count()));
  config.longest_backoff = std::chrono::seconds(longest.value_or(config.longest_backoff.count()));
  const json::Value& elect = in.Get("leaderElection").Get("leaderElect");
  config.leader_elect = elect.kind() == json::Kind::kBool && elect.boolean();
  return {};
}

quadra::Status ReadProfiles(const json::Value& in, SchedulerConfig& config) {
  QUADRA_TRY(const auto percentage, ReadInt(in, "percentageOfNodesToScore", 0, 100));
  const json::Value& profiles = in.Get("profiles");
  if (!profiles.is_null() && !profiles.items().empty()) {
    config.profiles.clear();
    for (std::size_t i = 0; i < profiles.items().size(); ++i) {
      QUADRA_TRY(ProfileConfig profile,
                 ProfileReader(profiles.items()[i], fmt::format("profiles[{}]", i), config.unheeded)
                     .Read());
      config.profiles.push_back(std::move(profile));
    }
  }
  std::set<std::string_view> names;
  for (ProfileConfig& profile : config.profiles) {
    if (profile.percentage_of_nodes == 0) {
      profile.percentage_of_nodes = static_cast<std::int32_t>(percentage.value_or(0));
    }
    if (!names.insert(profile.scheduler_name).second) {
      return Fail(Error{.message = "two profiles have this name; give each its own",
                        .field = "profiles.schedulerName",
                        .value = profile.scheduler_name});
    }
  }
  return {};
}

}  // namespace

SchedulerConfig DefaultConfig() {
  return {.profiles = {{.plugins = DefaultPlugins(), .args = {}}}, .unheeded = {}};
}

Result<SchedulerConfig> ReadConfig(std::string_view text) {
  QUADRA_TRY(const std::string as_json, json::YamlToJson(text));
  QUADRA_TRY(const json::Value in, json::ParseValue(as_json));
  QUADRA_RETURN_IF_ERROR(CheckKind(in));
  QUADRA_RETURN_IF_ERROR(CheckShape(in));
  SchedulerConfig config = DefaultConfig();
  QUADRA_RETURN_IF_ERROR(ReadTop(in, config));
  QUADRA_RETURN_IF_ERROR(ReadProfiles(in, config));
  return config;
}

}  // namespace quadra::scheduler
