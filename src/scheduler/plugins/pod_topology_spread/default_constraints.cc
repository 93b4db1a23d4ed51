#include "scheduler/plugins/pod_topology_spread/default_constraints.h"

#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <utility>

#include "scheduler/plugins/arguments.h"

namespace quadra::scheduler {
namespace {

using Constraint = api::TopologySpreadConstraint;

constexpr std::int64_t kMostSkew = std::numeric_limits<std::int32_t>::max();

// Empty: not given.
Result<std::string> OneOf(const Arguments& in, std::string_view member, std::string_view one,
                          std::string_view other) {
  QUADRA_TRY(std::string text, in.Text(member));
  if (!text.empty() && text != one && text != other) {
    return Fail(in.Wrong(member, "must be " + std::string(one) + " or " + std::string(other)));
  }
  return text;
}

Result<std::string> NonEmpty(const Arguments& in, std::string_view member, std::string text) {
  if (text.empty()) {
    return Fail(in.Wrong(member, "can not be empty"));
  }
  return text;
}

Result<Constraint> ReadDefault(const Arguments& in) {
  Constraint read;
  QUADRA_TRY(const auto max_skew, in.Int("maxSkew", {.least = 1, .most = kMostSkew}));
  if (!max_skew) {
    return Fail(in.Wrong("maxSkew", "not in valid range (0, inf)"));
  }
  read.max_skew = static_cast<std::int32_t>(*max_skew);
  QUADRA_TRY(std::string key, in.Text("topologyKey"));
  QUADRA_TRY(read.topology_key, NonEmpty(in, "topologyKey", std::move(key)));
  QUADRA_TRY(std::string action, OneOf(in, "whenUnsatisfiable", "DoNotSchedule", "ScheduleAnyway"));
  QUADRA_TRY(read.when_unsatisfiable, NonEmpty(in, "whenUnsatisfiable", std::move(action)));
  if (!in.Get("labelSelector").is_null()) {
    return Fail(in.Wrong("labelSelector",
                         "constraint must not define a selector, as they deduced for each pod"));
  }
  QUADRA_TRY(const auto min_domains, in.Int("minDomains", {.least = 1, .most = kMostSkew}));
  if (min_domains) {
    read.min_domains = static_cast<std::int32_t>(*min_domains);
  }
  QUADRA_TRY(std::string affinity, OneOf(in, "nodeAffinityPolicy", "Honor", "Ignore"));
  QUADRA_TRY(std::string taints, OneOf(in, "nodeTaintsPolicy", "Honor", "Ignore"));
  read.node_affinity_policy = affinity.empty() ? std::nullopt : std::optional(std::move(affinity));
  read.node_taints_policy = taints.empty() ? std::nullopt : std::optional(std::move(taints));
  QUADRA_TRY(const std::vector<std::string> keys, in.Texts("matchLabelKeys"));
  for (const std::string& each : keys) {
    read.match_label_keys.push_back(each);
  }
  return read;
}

bool IsThere(const api::List<Constraint>& list, const Constraint& constraint) {
  return std::ranges::any_of(list, [&](const Constraint& each) {
    return each.topology_key == constraint.topology_key &&
           each.when_unsatisfiable == constraint.when_unsatisfiable;
  });
}

}  // namespace

Result<DefaultConstraints> DefaultConstraints::Read(const json::Value& args) {
  QUADRA_TRY(const Arguments in, Arguments::Of(args, "PodTopologySpreadArgs",
                                               {"defaultConstraints", "defaultingType"}));
  QUADRA_TRY(const std::string type, OneOf(in, "defaultingType", "System", "List"));
  QUADRA_TRY(const std::vector<Arguments> parts,
             in.Parts("defaultConstraints",
                      {"maxSkew", "topologyKey", "whenUnsatisfiable", "labelSelector", "minDomains",
                       "nodeAffinityPolicy", "nodeTaintsPolicy", "matchLabelKeys"}));
  DefaultConstraints read{.are_systems = type != "List", .list = {}};
  if (read.are_systems && !parts.empty()) {
    return Fail(in.Wrong("defaultingType", "when .defaultConstraints are not empty",
                         "set defaultingType: List"));
  }
  for (const Arguments& part : parts) {
    QUADRA_TRY(Constraint constraint, ReadDefault(part));
    if (IsThere(read.list, constraint)) {
      return Fail(part.Wrong("topologyKey", "is there already for this whenUnsatisfiable"));
    }
    read.list.push_back(std::move(constraint));
  }
  return read;
}

}  // namespace quadra::scheduler
