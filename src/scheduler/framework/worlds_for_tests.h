// Worlds of tests: pods and nodes out of YAML, and what one plugin says about them.
//
//   Trial trial({.plugin = "NodeName"});
//   trial.Put(NodeOf({.name = "n1", .spec = "{unschedulable: true}"}));
//   EXPECT_EQ(trial.Filter(PodOf({.spec = "{nodeName: n2}"}), "n1"), "UnschedulableAnd…: node(s) …");
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "api/object.h"
#include "base/check.h"
#include "base/random.h"
#include "json/documents.h"
#include "placement/worlds_for_tests.h"
#include "scheduler/devices/devices.h"
#include "scheduler/framework/cache.h"
#include "scheduler/framework/handle.h"
#include "scheduler/framework/profile.h"
#include "scheduler/plugins/registry.h"
#include "scheduler/queue/queue_rules.h"

namespace quadra::scheduler {

// Objects in YAML's flow style, e.g. {tolerations: [{key: a, operator: Exists}]}. Mind that n, y, no
// and on are booleans there.
struct PodText {
  std::string_view name = "p";  // its uid too
  std::string_view labels = "{}";
  std::string_view spec = "{}";
  std::string_view status = "{}";
};
struct NodeText {
  std::string_view name = "node";
  std::string_view labels = "{}";
  std::string_view spec = "{}";
  std::string_view status = "{}";
};

template <typename T>
T ObjectOf(std::string_view yaml) {
  const Result<std::string> json = json::YamlToJsonStrict(yaml);
  QUADRA_CHECK(json.has_value(), "tests write YAML that can be read");
  api::Decoded<T> object = api::DecodeJson<T>(*json);
  if (!object) {
    ADD_FAILURE() << object.error().message << "\n" << *json;
  }
  QUADRA_CHECK(object.has_value(), "tests write objects that can be read");
  return *std::move(object);
}

inline PodInfoPtr PodOf(const PodText& text) {
  return PodInfo::Of(
      ObjectOf<api::Pod>(fmt::format(
          "{{apiVersion: v1, kind: Pod, metadata: {{name: {0}, namespace: default, uid: {0}, "
          "labels: {1}}}, spec: {2}, status: {3}}}",
          text.name, text.labels, text.spec, text.status)),
      api::FeatureGates());
}

inline std::shared_ptr<const api::Node> NodeOf(const NodeText& text) {
  return std::make_shared<const api::Node>(ObjectOf<api::Node>(fmt::format(
      "{{apiVersion: v1, kind: Node, metadata: {{name: {}, labels: {}}}, spec: {}, status: {}}}",
      text.name, text.labels, text.spec, text.status)));
}

// e.g. Success, or Unschedulable: Too many pods, Insufficient cpu
inline std::string TextOf(const Status& status) {
  return status.reasons().empty() ? std::string(NameOf(status.code()))
                                  : fmt::format("{}: {}", NameOf(status.code()), status.Message());
}

// One plugin in a profile of its own, above a cluster that a test fills.
class Trial {
 public:
  struct Options {
    std::string_view plugin;
    std::string_view args = "{}";  // YAML
    std::string_view gates = "";   // A=true,B=false
    bool strict = false;
    client::Api* api = nullptr;
  };

  explicit Trial(const Options& options)
      : gates_(GatesOf(options.gates)),
        devices(placement::TestLanguage(), gates_),
        random_(1),
        handle{.gates = gates_,
               .snapshot = cache,
               .devices = devices,
               .random = random_,
               .strict = options.strict,
               .api = options.api} {
    Result<std::vector<WeightedPlugin>> made = Make(options.plugin, options.args, handle);
    if (made) {
      profile_.emplace("default-scheduler", *std::move(made), handle);
    } else {
      error = made.error().ToString();
    }
  }

  void Put(const std::shared_ptr<const api::Node>& node) { cache.PutNode(node); }
  // On the node that its spec names.
  void Put(const PodInfoPtr& pod) { cache.PutPod(pod); }

  const Plugin& plugin() const { return *profile_->plugins().front().plugin; }
  const Profile& profile() const { return *profile_; }

  std::string PreEnqueue(const PodInfoPtr& pod) const {
    return TextOf(profile_->RunPreEnqueue(*pod));
  }
  // With the nodes behind it that alone are worth looking at.
  std::string PreFilter(const PodInfoPtr& pod) const {
    CycleState state;
    const PreFiltered found = profile_->RunPreFilter(state, *pod);
    std::string text = state.SkipsFilter(plugin().name()) ? "Skip" : TextOf(found.status);
    for (const std::string& node : found.nodes.value_or(std::vector<std::string>())) {
      text += " " + node;
    }
    return text;
  }
  // PreFilter, then Filter where it came so far.
  Status FilterStatus(const PodInfoPtr& pod, std::string_view node) const {
    CycleState state;
    PreFiltered found = profile_->RunPreFilter(state, *pod);
    return found.status.ok() ? profile_->RunFilters(state, *pod, *cache.Find(node))
                             : std::move(found.status);
  }
  std::string Filter(const PodInfoPtr& pod, std::string_view node) const {
    return TextOf(FilterStatus(pod, node));
  }
  // Of all nodes, e.g. n1=100 n2=0; empty where the plugin does not score the pod.
  std::string Scores(const PodInfoPtr& pod) const {
    CycleState state;
    profile_->RunPreFilter(state, *pod);
    std::vector<ScoredNode> scored;
    if (const Status status = profile_->RunScores(state, *pod, cache.nodes(), scored);
        !status.ok()) {
      return TextOf(status);
    }
    std::map<std::string, std::int64_t> by_name;
    for (const ScoredNode& each : scored) {
      if (!each.by_plugin.empty()) {
        by_name[each.node->name()] = each.by_plugin.front().second;
      }
    }
    std::string text;
    for (const auto& [name, score] : by_name) {
      text += fmt::format("{}{}={}", text.empty() ? "" : " ", name, score);
    }
    return text;
  }
  // Whether a pod that the plugin refused is woken by it.
  bool Wakes(const PodInfoPtr& pod, const ClusterEvent& event, const EventObjects& objects) const {
    const Plugin* const only = &plugin();
    const QueueRules rules("default-scheduler", std::span(&only, 1));
    return rules.WakeOf({.unschedulable = {only->name()}}, *pod, event, objects) != Wake::kSkip;
  }

  std::string error;  // why the plugin could not be made; empty: it was

 private:
  static api::FeatureGates GatesOf(std::string_view text) {
    const Result<api::FeatureGates> gates = api::FeatureGates::Parse(text);
    QUADRA_CHECK(gates.has_value(), "tests name gates that exist");
    return *gates;
  }
  static Result<std::vector<WeightedPlugin>> Make(std::string_view plugin, std::string_view args,
                                                  Handle& handle) {
    const Result<std::string> json = json::YamlToJsonStrict(args);
    QUADRA_CHECK(json.has_value(), "tests write YAML that can be read");
    ProfileConfig profile;
    profile.plugins = {{.name = std::string(plugin)}};
    profile.args[std::string(plugin)] = *json::ParseValue(*json);
    return MakePlugins(profile, handle);
  }

  const api::FeatureGates gates_;

 public:
  Cache cache;
  Devices devices;

 private:
  SeededRandom random_;

 public:
  Handle handle;

 private:
  std::optional<Profile> profile_;
};

}  // namespace quadra::scheduler
