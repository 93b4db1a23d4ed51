#include "scheduler/config.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <set>
#include <span>
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

// In front the one that stands for all.
constexpr std::array<std::string_view, 13> kPoints = {
    "multiPoint", "preEnqueue", "queueSort", "preFilter", "filter", "postFilter", "preScore",
    "score",      "reserve",    "permit",    "preBind",   "bind",   "postBind"};

// A field that upstream does not know either is a slip of the pen.
quadra::Status CheckField(std::string_view path, const std::string& key,
                          std::span<const std::string_view> known) {
  if (std::ranges::find(known, key) != known.end()) {
    return {};
  }
  return Fail(Error{.kind = ErrorKind::kInvalid,
                    .message = "there is no such field" + DidYouMean(key, known),
                    .field = fmt::format("{}{}", path, key)});
}

// What a profile of the file says, as it is read.
class ProfileReader {
 public:
  ProfileReader(const json::Value& from, std::string path, std::vector<std::string>& unheeded)
      : from_(from), path_(std::move(path)), unheeded_(unheeded) {}

  Result<ProfileConfig> Read() {
    profile_.plugins = DefaultPlugins();
    QUADRA_RETURN_IF_ERROR(CheckFields());
    if (const std::string& name = from_.Get("schedulerName").text(); !name.empty()) {
      profile_.scheduler_name = name;
    }
    QUADRA_TRY(const auto percentage, ReadInt(from_, "percentageOfNodesToScore", 0, 100));
    profile_.percentage_of_nodes = static_cast<std::int32_t>(percentage.value_or(0));
    QUADRA_RETURN_IF_ERROR(ReadPlugins(from_.Get("plugins")));
    QUADRA_RETURN_IF_ERROR(CheckNeeded());
    QUADRA_RETURN_IF_ERROR(ReadArgs(from_.Get("pluginConfig")));
    return std::move(profile_);
  }

 private:
  quadra::Status CheckFields() {
    static constexpr std::array<std::string_view, 4> kFields = {
        "schedulerName", "percentageOfNodesToScore", "plugins", "pluginConfig"};
    return ForEachMember(from_, path_, [&](const json::Value::Member& member) {
      return CheckField(path_ + ".", member.key, kFields);
    });
  }

  // What is said of single points counts beyond what is said of all.
  quadra::Status ReadPlugins(const json::Value& plugins) {
    const std::string path = path_ + ".plugins.";
    const std::string all(kPoints.front());
    QUADRA_RETURN_IF_ERROR(ForEachMember(
        plugins, path_ + ".plugins",
        [&](const json::Value::Member& point) { return CheckField(path, point.key, kPoints); }));
    QUADRA_RETURN_IF_ERROR(ReadMultiPoint(plugins.Get(all), path + all));
    return ForEachMember(plugins, path_ + ".plugins", [&](const json::Value::Member& point) {
      return point.key == all ? quadra::Status()
                              : ReadPoint(point.key, point.value, path + point.key);
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

  // One that is switched on at a single point only is off at all others.
  quadra::Status ReadPoint(const std::string& point, const json::Value& value,
                           const std::string& path) {
    QUADRA_RETURN_IF_ERROR(ForEachName(value.Get("disabled"), path, [&](const std::string& name) {
      for (PluginChoice& each : profile_.plugins) {
        if (name == "*" || each.name == name) {
          each.off.insert(point);
        }
      }
    }));
    return ForEachEnabled(value.Get("enabled"), path,
                          [&](const std::string& name, std::int64_t weight) {
                            const bool is_new = Find(name) == nullptr;
                            Enable(name, weight);
                            if (is_new) {
                              Find(name)->off.insert(kPoints.begin() + 1, kPoints.end());
                            }
                            Find(name)->off.erase(point);
                          });
  }

  // Without these nothing could be scheduled.
  quadra::Status CheckNeeded() {
    for (const auto& [point, plugin] :
         {std::pair("queueSort", "PrioritySort"), std::pair("bind", "DefaultBinder")}) {
      const PluginChoice* const found = Find(plugin);
      if (found == nullptr || found->off.contains(point)) {
        return Fail(Error{.kind = ErrorKind::kInvalid,
                          .message = fmt::format(
                              "no plugin is left at {}: {} cannot be switched off", point, plugin),
                          .field = path_ + ".plugins"});
      }
    }
    return {};
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
  static constexpr std::array<std::string_view, 7> kFields = {
      "leaderElect",  "leaseDuration", "renewDeadline",    "retryPeriod",
      "resourceLock", "resourceName",  "resourceNamespace"};
  return ForEachMember(
      election, "leaderElection", [&](const json::Value::Member& member) -> quadra::Status {
        QUADRA_RETURN_IF_ERROR(CheckField("leaderElection.", member.key, kFields));
        if (member.key != kFields.front()) {
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

// What upstream has, those that are honoured first.
constexpr std::array<std::string_view, 15> kTopFields = {"apiVersion",
                                                         "kind",
                                                         "leaderElection",
                                                         "podInitialBackoffSeconds",
                                                         "podMaxBackoffSeconds",
                                                         "profiles",
                                                         "percentageOfNodesToScore",
                                                         "parallelism",
                                                         "clientConnection",
                                                         "healthzBindAddress",
                                                         "metricsBindAddress",
                                                         "enableProfiling",
                                                         "enableContentionProfiling",
                                                         "extenders",
                                                         "delayCacheUntilActive"};
constexpr std::size_t kHonoured = 7;

quadra::Status ReadTop(const json::Value& in, SchedulerConfig& config) {
  for (const json::Value::Member& member : in.members()) {
    QUADRA_RETURN_IF_ERROR(CheckField("", member.key, kTopFields));
    const auto place = std::ranges::find(kTopFields, member.key) - kTopFields.begin();
    if (static_cast<std::size_t>(place) >= kHonoured) {
      config.unheeded.push_back(member.key);
    }
  }
  QUADRA_TRY(const auto first, ReadInt(in, "podInitialBackoffSeconds", 1, 1'000'000));
  QUADRA_TRY(const auto longest, ReadInt(in, "podMaxBackoffSeconds", 1, 1'000'000));
  config.first_backoff = std::chrono::seconds(first.value_or(config.first_backoff.count()));
  config.longest_backoff = std::chrono::seconds(longest.value_or(config.longest_backoff.count()));
  if (config.longest_backoff < config.first_backoff) {
    return Fail(
        Error{.kind = ErrorKind::kInvalid,
              .message = fmt::format("must be at least podInitialBackoffSeconds, which is {}",
                                     config.first_backoff.count()),
              .field = "podMaxBackoffSeconds",
              .value = std::to_string(config.longest_backoff.count())});
  }
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
