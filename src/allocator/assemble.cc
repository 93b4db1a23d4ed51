#include "allocator/assemble.h"

#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>

namespace quadra::allocator {
namespace {

constexpr std::string_view kFromClass = "FromClass";
constexpr std::string_view kFromClaim = "FromClaim";

// Those of the first request, or alternative, of that name; names need not be unique here.
const api::List<api::DeviceToleration>& TolerationsFor(const ClaimPlan& claim,
                                                       const Demand& taker) {
  for (const Request& request : claim.requests) {
    for (const Demand& demand : request.alternatives) {
      if (demand.request == taker.request && (!taker.is_alternative || demand.name == taker.name)) {
        return *demand.tolerations;
      }
    }
  }
  return *taker.tolerations;
}

api::DeviceRequestAllocationResult ResultOf(const Problem& problem, const ClaimPlan& claim,
                                            const Pick& pick, Random& random) {
  const Candidate& candidate = problem.candidates()[pick.place];
  api::DeviceRequestAllocationResult result;
  result.request = pick.demand->QualifiedName();
  result.driver = candidate.slice->driver;
  result.pool = candidate.slice->pool;
  result.device = candidate.slice->devices[candidate.index].name;
  if (pick.demand->admin_access) {
    result.admin_access = true;
  }
  result.tolerations = TolerationsFor(claim, *pick.demand);
  if (problem.cluster().features().binding_conditions) {
    result.binding_conditions = candidate.shape->binding_conditions;
    result.binding_failure_conditions = candidate.shape->binding_failure_conditions;
  }
  if (pick.portion != nullptr) {
    result.share_id = NewUuid(random);
    for (const Portion::Amount& amount : pick.portion->amounts()) {
      result.consumed_capacity[*amount.capacity] = amount.consumed;
    }
  }
  if (problem.cluster().features().knows_node_operations()) {
    result.skip_node_operations = candidate.slice->skip_node_operations;
  }
  return result;
}

// --- Configuration.

class ConfigAssembler {
 public:
  ConfigAssembler(const ClaimPlan& claim, const std::vector<std::size_t>& chosen)
      : claim_(claim), chosen_(chosen) {}

  api::List<api::DeviceAllocationConfiguration> Assemble() {
    AddClasses();
    for (const api::DeviceClaimConfiguration& config : claim_.claim->spec.devices.config) {
      if (config.requests.empty() || NamesAny(config.requests)) {
        Add(kFromClaim, config.requests, config.opaque);
      }
    }
    // What names every request says so by naming none.
    for (api::DeviceAllocationConfiguration& config : configs_) {
      if (!config.requests.empty() && NamesAll(config.requests)) {
        config.requests.Reset();
      }
    }
    return std::move(configs_);
  }

 private:
  const Demand& ChosenOf(std::size_t request) const {
    return claim_.requests[request].alternatives[chosen_[request]];
  }

  // Each class once, with all requests that use it.
  void AddClasses() {
    std::map<const api::DeviceClass*, std::pair<std::size_t, std::size_t>> added;
    for (std::size_t i = 0; i < claim_.requests.size(); ++i) {
      const Demand& demand = ChosenOf(i);
      const auto [at, is_new] = added.try_emplace(demand.device_class);
      if (is_new) {
        at->second.first = configs_.size();
        for (const api::DeviceClassConfiguration& config : demand.device_class->spec.config) {
          Add(kFromClass, {demand.QualifiedName()}, config.opaque);
        }
        at->second.second = configs_.size();
        continue;
      }
      for (std::size_t n = at->second.first; n < at->second.second; ++n) {
        configs_[n].requests.push_back(demand.QualifiedName());
      }
    }
  }

  void Add(std::string_view source, const api::List<std::string>& requests,
           const std::optional<api::OpaqueDeviceConfiguration>& opaque) {
    api::DeviceAllocationConfiguration config;
    config.source = source;
    config.requests = requests;
    config.opaque = opaque;
    configs_.push_back(std::move(config));
  }

  bool Names(const api::List<std::string>& requests, std::size_t request) const {
    const Demand& demand = ChosenOf(request);
    const auto listed = [&](const std::string& name) {
      return std::ranges::find(requests, name) != requests.end();
    };
    return listed(demand.request) || (demand.is_alternative && listed(demand.QualifiedName()));
  }
  bool NamesAny(const api::List<std::string>& requests) const {
    for (std::size_t i = 0; i < claim_.requests.size(); ++i) {
      if (Names(requests, i)) {
        return true;
      }
    }
    return false;
  }
  bool NamesAll(const api::List<std::string>& requests) const {
    for (std::size_t i = 0; i < claim_.requests.size(); ++i) {
      if (!Names(requests, i)) {
        return false;
      }
    }
    return true;
  }

  const ClaimPlan& claim_;
  const std::vector<std::size_t>& chosen_;
  api::List<api::DeviceAllocationConfiguration> configs_;
};

// --- Nodes.

bool SameRequirement(const api::NodeSelectorRequirement& a, const api::NodeSelectorRequirement& b) {
  return a.key == b.key && a.op == b.op &&
         std::set<std::string>(a.values.begin(), a.values.end()) ==
             std::set<std::string>(b.values.begin(), b.values.end());
}

void Merge(const api::List<api::NodeSelectorRequirement>& from,
           api::List<api::NodeSelectorRequirement>& to) {
  for (const api::NodeSelectorRequirement& requirement : from) {
    const bool known = std::ranges::any_of(
        to, [&](const auto& other) { return SameRequirement(requirement, other); });
    if (!known) {
      to.push_back(requirement);
    }
  }
}

api::NodeSelector OnlyNode(const std::string& name) {
  api::NodeSelectorRequirement requirement;
  requirement.key = "metadata.name";
  requirement.op = "In";
  requirement.values = {name};
  api::NodeSelectorTerm term;
  term.match_fields.push_back(std::move(requirement));
  api::NodeSelector selector;
  selector.node_selector_terms.push_back(std::move(term));
  return selector;
}

Result<std::optional<api::NodeSelector>> NodesOf(const Problem& problem,
                                                 const std::vector<Pick>& picks) {
  api::NodeSelectorTerm term;
  for (const Pick& pick : picks) {
    const Candidate& candidate = problem.candidates()[pick.place];
    const inventory::Placement& placement = candidate.slice->devices_have_placements
                                                ? candidate.shape->placement
                                                : candidate.slice->placement;
    if (!placement.node.empty() || candidate.shape->binds_to_node) {
      return OnlyNode(problem.node().node->metadata.name);
    }
    if (!placement.selector || placement.selector->node_selector_terms.empty()) {
      continue;
    }
    const auto& terms = placement.selector->node_selector_terms;
    if (terms.size() > 1) {
      return Fail(
          ErrorKind::kInvalid,
          fmt::format("unsupported ResourceSlice.NodeSelector with {} terms", terms.size()));
    }
    Merge(terms[0].match_fields, term.match_fields);
    Merge(terms[0].match_expressions, term.match_expressions);
  }
  if (term.match_fields.empty() && term.match_expressions.empty()) {
    return std::optional<api::NodeSelector>();
  }
  api::NodeSelector selector;
  selector.node_selector_terms.push_back(std::move(term));
  return std::optional(std::move(selector));
}

}  // namespace

Result<api::AllocationResult> Assemble(const Problem& problem, const Search& search,
                                       std::size_t claim, Random& random) {
  const ClaimPlan& asked = problem.claims()[claim];
  api::AllocationResult allocation;
  for (const Pick& pick : search.picks()[claim]) {
    allocation.devices.results.push_back(ResultOf(problem, asked, pick, random));
  }
  allocation.devices.config = ConfigAssembler(asked, search.chosen()[claim]).Assemble();
  Result<std::optional<api::NodeSelector>> nodes = NodesOf(problem, search.picks()[claim]);
  if (!nodes) {
    return Fail(ErrorKind::kInvalid,
                fmt::format("create NodeSelector for claim {}: {}", asked.claim->metadata.name,
                            nodes.error().message));
  }
  allocation.node_selector = *std::move(nodes);
  return allocation;
}

}  // namespace quadra::allocator
