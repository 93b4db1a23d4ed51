// What holds for every answer, whatever upstream says: nothing is given away twice, every result
// keeps the words of its claim, and a followed state answers as a rebuilt one does. The checks
// below share no code with the search.
#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "allocator/allocator.h"
#include "allocator/release.h"
#include "api/object.h"
#include "base/random.h"
#include "inventory/histories_for_tests.h"
#include "inventory/inventory.h"
#include "selector/selector.h"

namespace quadra::allocator {
namespace {

using inventory::Choose;
using inventory::DeviceId;
using inventory::History;
using inventory::Objects;
using quantity::Quantity;

// --- Claims.

constexpr std::string_view kOfGroupOne = R"(device.attributes["d.example.com"].group == 1)";
constexpr std::string_view kHasGroup = R"("group" in device.attributes["d.example.com"])";

api::DeviceToleration RandomToleration(Random& random) {
  api::DeviceToleration toleration;
  toleration.op = Choose(random, 2) == 0 ? "Exists" : "Equal";
  toleration.key = Choose(random, 2) == 0 ? "hot" : "old";
  toleration.effect = Choose(random, 2) == 0 ? "" : "NoSchedule";
  return toleration;
}

// What lists, derived attributes and groups need.
inventory::Features RichFeatures() {
  return {.list_attributes = true, .derived_attributes = true, .compatibility_groups = true};
}

// The kind of a device under another name.
api::DeviceDerivedAttribute Alias() {
  api::DeviceDerivedAttribute alias;
  alias.name = "d.example.com/alias";
  alias.expression = R"(device.attributes["d.example.com"].kind)";
  return alias;
}

// Of an exact request or an alternative, which have these fields in common.
template <typename Request>
void Fill(Random& random, Request& request) {
  if (Choose(random, 2) == 0) {
    request.derived_attributes.push_back(Alias());
  }
  request.device_class_name = Choose(random, 3) == 0 ? "a" : "any";
  const bool all = Choose(random, 8) == 0;
  request.allocation_mode = all ? "All" : "ExactCount";
  request.count = all ? 0 : static_cast<std::int64_t>(1 + Choose(random, 3));
  if (Choose(random, 3) == 0) {
    request.selectors.emplace_back().cel = {
        .expression = std::string(Choose(random, 3) == 0 ? kOfGroupOne : kHasGroup)};
  }
  if (Choose(random, 3) == 0) {
    request.tolerations.push_back(RandomToleration(random));
  }
  if (Choose(random, 4) == 0) {
    request.capacity.emplace().requests["bandwidth"] = inventory::RandomAmount(random, 1, 5);
  }
}

api::DeviceRequest RandomRequest(Random& random, std::size_t number) {
  api::DeviceRequest request;
  request.name = fmt::format("r{}", number);
  if (Choose(random, 4) != 0) {
    Fill(random, request.exactly.emplace());
    if (Choose(random, 8) == 0) {
      request.exactly->admin_access = true;
    }
    return request;
  }
  for (std::size_t i = 0; i < 2; ++i) {
    auto& alternative = request.first_available.emplace_back();
    alternative.name = fmt::format("s{}", i);
    Fill(random, alternative);
  }
  return request;
}

api::DeviceConstraint RandomConstraint(Random& random) {
  api::DeviceConstraint constraint;
  static const std::vector<std::string> attributes = {"group", "kind", "lanes", "alias"};
  const std::string attribute = "d.example.com/" + attributes[Choose(random, attributes.size())];
  (Choose(random, 2) == 0 ? constraint.match_attribute : constraint.distinct_attribute) = attribute;
  if (Choose(random, 2) == 0) {
    constraint.requests.push_back("r0");
  }
  return constraint;
}

api::ResourceClaim RandomClaim(Random& random, std::string name) {
  api::ResourceClaim claim;
  claim.metadata.ns = "ns";
  claim.metadata.name = std::move(name);
  for (std::size_t i = 0, count = 1 + Choose(random, 3); i < count; ++i) {
    claim.spec.devices.requests.push_back(RandomRequest(random, i));
  }
  if (Choose(random, 3) == 0) {
    claim.spec.devices.constraints.push_back(RandomConstraint(random));
  }
  return claim;
}

// --- A naive checker.

// What one result of a claim goes back to.
struct Asked {
  std::string device_class;
  std::string mode;
  std::int64_t count = 0;
  bool admin_access = false;
  const api::List<api::DeviceSelector>* selectors = nullptr;
  const api::List<api::DeviceToleration>* tolerations = nullptr;
  const std::optional<api::CapacityRequirements>* capacity = nullptr;
  bool has_alias = false;
};

template <typename Request>
Asked AskedBy(const Request& request) {
  return {.device_class = request.device_class_name,
          .mode = request.allocation_mode,
          .count = request.count,
          .selectors = &request.selectors,
          .tolerations = &request.tolerations,
          .capacity = &request.capacity,
          .has_alias = !request.derived_attributes.empty()};
}

// By the names that results may carry.
std::map<std::string, Asked> NamesOf(const api::DeviceRequest& request) {
  std::map<std::string, Asked> names;
  if (request.exactly) {
    names[request.name] = AskedBy(*request.exactly);
    names[request.name].admin_access = request.exactly->admin_access.value_or(false);
  }
  for (const api::DeviceSubRequest& alternative : request.first_available) {
    names[request.name + "/" + alternative.name] = AskedBy(alternative);
  }
  return names;
}

bool Tolerates(const api::DeviceToleration& toleration, const api::DeviceTaint& taint) {
  const bool effect = toleration.effect.empty() || toleration.effect == taint.effect;
  const bool key = toleration.key.empty() || toleration.key == taint.key;
  return effect && key && (toleration.op == "Exists" || toleration.value == taint.value);
}

std::vector<api::DeviceRequestAllocationResult> ResultsOf(const api::ResourceClaim& claim) {
  if (!claim.status.allocation) {
    return {};
  }
  const auto& results = claim.status.allocation->devices.results;
  return {results.begin(), results.end()};
}

// Collects what is wrong with allocations.
class Checker {
 public:
  explicit Checker(const Objects& objects) : objects_(objects) {}

  // An allocation made for a node while the objects were as they are.
  void Check(const std::string& node, const api::ResourceClaim& claim,
             const api::AllocationResult& allocation) {
    std::map<std::string, std::set<std::string>> devices;  // by the name of the request
    for (const auto& result : allocation.devices.results) {
      CheckDevice(node, claim, result);
      if (!devices[result.request].insert(result.pool + "/" + result.device).second) {
        Complain("{} has {} twice", result.request, result.device);
      }
    }
    for (const api::DeviceRequest& request : claim.spec.devices.requests) {
      CheckCount(node, request, devices);
    }
    for (const api::DeviceConstraint& constraint : claim.spec.devices.constraints) {
      CheckConstraint(constraint, claim, allocation);
    }
  }

  // That what all claims together have is there.
  void CheckTotals() {
    std::map<DeviceId, std::size_t> whole;
    std::map<DeviceId, std::map<std::string, Quantity>> shared;
    for (const auto& [name, claim] : objects_.claims) {
      for (const auto& result : ResultsOf(claim)) {
        const DeviceId id{result.driver, result.pool, result.device};
        if (result.admin_access.value_or(false)) {
          continue;
        }
        if (!result.share_id) {
          ++whole[id];
          continue;
        }
        auto& sums = shared[id];
        for (const auto& [capacity, amount] : result.consumed_capacity) {
          sums[capacity] = Sum(sums, capacity, amount);
        }
      }
    }
    CheckWhole(whole, shared);
    CheckShares(shared);
    CheckCounters(whole, shared);
  }

  const std::string& complaints() const { return complaints_; }

 private:
  template <typename... Values>
  void Complain(fmt::format_string<Values...> format, Values&&... values) {
    complaints_ += fmt::format(format, std::forward<Values>(values)...) + "\n";
  }

  static Quantity Sum(const std::map<std::string, Quantity>& sums, const std::string& name,
                      Quantity amount) {
    if (const auto found = sums.find(name); found != sums.end()) {
      amount.Add(found->second);
    }
    return amount;
  }

  // --- One result.
  void CheckDevice(const std::string& node, const api::ResourceClaim& claim,
                   const api::DeviceRequestAllocationResult& result) {
    const DeviceId id{result.driver, result.pool, result.device};
    const api::Device* device = objects_.FindDevice(id);
    const std::optional<Asked> asked = Find(claim, result.request);
    if (device == nullptr || !asked) {
      return Complain("{} for {}: no such device or request", id.ToString(), result.request);
    }
    if (!Reaches(node, result.pool)) {
      Complain("{} is not for {}", id.ToString(), node);
    }
    if (!Suits(*asked, *device)) {
      Complain("{} does not match {}", id.ToString(), result.request);
    }
    if (!IsTolerated(*asked, id, *device)) {
      Complain("{} is tainted for {}", id.ToString(), result.request);
    }
    if (asked->admin_access != result.admin_access.value_or(false)) {
      Complain("{}: admin access is not as {} asks", id.ToString(), result.request);
    }
    CheckShare(*asked, *device, result);
  }

  void CheckShare(const Asked& asked, const api::Device& device,
                  const api::DeviceRequestAllocationResult& result) {
    const bool shareable = device.allow_multiple_allocations.value_or(false);
    if (shareable != result.share_id.has_value()) {
      Complain("{}: a share, or not one", result.device);
    }
    if (!HasCapacity(asked, device)) {
      Complain("{} has less capacity than asked", result.device);
    }
    for (std::size_t i = 0; shareable && *asked.capacity && i < (*asked.capacity)->requests.size();
         ++i) {
      const auto& [name, amount] = (*asked.capacity)->requests.At(i);
      const Quantity* consumed = result.consumed_capacity.Find(name);
      if (consumed == nullptr || *consumed < amount) {
        Complain("{}: less {} is consumed than asked", result.device, name);
      }
    }
  }

  // Whether the whole device has what is asked.
  static bool HasCapacity(const Asked& asked, const api::Device& device) {
    const auto& requirements = *asked.capacity;
    return !requirements || std::ranges::all_of(requirements->requests, [&](const auto& request) {
      const api::DeviceCapacity* capacity = device.capacity.Find(request.first);
      return capacity != nullptr && capacity->value >= request.second;
    });
  }

  static std::optional<Asked> Find(const api::ResourceClaim& claim, const std::string& name) {
    for (const api::DeviceRequest& request : claim.spec.devices.requests) {
      const std::map<std::string, Asked> names = NamesOf(request);
      if (const auto found = names.find(name); found != names.end()) {
        return found->second;
      }
    }
    return std::nullopt;
  }

  // Pool i is node i's, the last one everybody's or that of a zone.
  bool Reaches(const std::string& node, const std::string& pool) const {
    return std::ranges::any_of(objects_.slices, [&](const api::ResourceSlice& slice) {
      const auto& spec = slice.spec;
      return spec.pool.name == pool &&
             (spec.node_name.value_or("") == node || spec.all_nodes.value_or(false) ||
              (spec.node_selector && IsInZone(node, *spec.node_selector)));
    });
  }
  bool IsInZone(const std::string& node, const api::NodeSelector& selector) const {
    const std::string* zone = objects_.nodes.at(node).metadata.labels.Find("zone");
    return zone != nullptr &&
           *zone == selector.node_selector_terms[0].match_expressions[0].values[0];
  }

  bool Suits(const Asked& asked, const api::Device& device) {
    const auto device_class = objects_.classes.find(asked.device_class);
    if (device_class == objects_.classes.end()) {
      return false;
    }
    return MatchesAll(device_class->second.spec.selectors, device) &&
           MatchesAll(*asked.selectors, device);
  }

  bool MatchesAll(const api::List<api::DeviceSelector>& selectors, const api::Device& device) {
    return std::ranges::all_of(selectors, [&](const api::DeviceSelector& selector) {
      selector::TableWriter table(language_.columns());
      table.AddSlice("d.example.com", {&device, 1});
      const auto expression = language_.Compile(
          selector.cel->expression, selector::Profile::Stored(), selector::Use::kSelector);
      return selector::Decide(*expression, table.now().RowInputs(0), scratch_) ==
             selector::Verdict::kMatch;
    });
  }

  bool IsTolerated(const Asked& asked, const DeviceId& id, const api::Device& device) const {
    std::vector<api::DeviceTaint> taints(device.taints.begin(), device.taints.end());
    for (const api::DeviceTaintRule& rule : objects_.rules) {
      const api::DeviceTaintSelector selector =
          rule.spec.device_selector.value_or(api::DeviceTaintSelector());
      if (selector.pool.value_or(id.pool) == id.pool &&
          selector.device.value_or(id.device) == id.device) {
        taints.push_back(rule.spec.taint);
      }
    }
    return std::ranges::all_of(taints, [&](const api::DeviceTaint& taint) {
      return taint.effect == "None" ||
             std::ranges::any_of(*asked.tolerations, [&](const api::DeviceToleration& toleration) {
               return Tolerates(toleration, taint);
             });
    });
  }

  // --- One request: one of its names, with as many devices as that asks for.
  void CheckCount(const std::string& node, const api::DeviceRequest& request,
                  const std::map<std::string, std::set<std::string>>& devices) {
    std::size_t served = 0;
    for (const auto& [name, asked] : NamesOf(request)) {
      const auto found = devices.find(name);
      if (found == devices.end()) {
        continue;
      }
      ++served;
      const std::size_t wanted =
          asked.mode == "All" ? CountSuiting(node, asked) : static_cast<std::size_t>(asked.count);
      if (found->second.size() != wanted) {
        Complain("{} has {} devices, not {}", name, found->second.size(), wanted);
      }
    }
    if (served != 1) {
      Complain("{} is served {} times", request.name, served);
    }
  }

  // Of the pools that are whole; of others a request for all devices is refused.
  std::size_t CountSuiting(const std::string& node, const Asked& asked) {
    std::size_t count = 0;
    for (const api::ResourceSlice& slice : objects_.slices) {
      for (const api::Device& device : slice.spec.devices) {
        if (Reaches(node, slice.spec.pool.name) && Suits(asked, device) &&
            HasCapacity(asked, device)) {
          ++count;
        }
      }
    }
    return count;
  }

  // --- One constraint.
  void CheckConstraint(const api::DeviceConstraint& constraint, const api::ResourceClaim& claim,
                       const api::AllocationResult& allocation) {
    std::vector<std::set<std::string>> values;
    for (const auto& result : allocation.devices.results) {
      const std::string request = result.request.substr(0, result.request.find('/'));
      const bool covered =
          constraint.requests.empty() ||
          std::ranges::find(constraint.requests, request) != constraint.requests.end();
      if (covered) {
        values.push_back(ValuesOf(constraint, claim, result));
      }
    }
    if (std::ranges::any_of(values, &std::set<std::string>::empty)) {
      Complain("a constraint is about an attribute that a device lacks");
    }
    if (constraint.match_attribute ? !HaveCommon(values) : !AreDisjoint(values)) {
      Complain("a constraint is not kept");
    }
  }

  static bool HaveCommon(const std::vector<std::set<std::string>>& all) {
    return all.empty() || std::ranges::any_of(all[0], [&](const std::string& value) {
             return std::ranges::all_of(all, [&](const auto& one) { return one.contains(value); });
           });
  }

  static bool AreDisjoint(const std::vector<std::set<std::string>>& all) {
    std::set<std::string> seen;
    std::size_t count = 0;
    for (const std::set<std::string>& one : all) {
      seen.insert(one.begin(), one.end());
      count += one.size();
    }
    return seen.size() == count;
  }

  // Of the attribute that the constraint is about; a scalar is a list of one. Empty: the device
  // lacks it.
  std::set<std::string> ValuesOf(const api::DeviceConstraint& constraint,
                                 const api::ResourceClaim& claim,
                                 const api::DeviceRequestAllocationResult& result) const {
    const std::string full =
        constraint.match_attribute.value_or(constraint.distinct_attribute.value_or(""));
    std::string name = full.substr(full.find('/') + 1);
    const std::optional<Asked> asked = Find(claim, result.request);
    if (name == "alias" && asked && asked->has_alias) {
      name = "kind";
    }
    const api::Device* device = objects_.FindDevice({result.driver, result.pool, result.device});
    const api::DeviceAttribute* value = device == nullptr ? nullptr : device->attributes.Find(name);
    if (value == nullptr) {
      return {};
    }
    if (value->int_value) {
      return {fmt::to_string(*value->int_value)};
    }
    return value->string_value
               ? std::set<std::string>{*value->string_value}
               : std::set<std::string>(value->string_values.begin(), value->string_values.end());
  }

  // --- All claims together.
  void CheckWhole(const std::map<DeviceId, std::size_t>& whole,
                  const std::map<DeviceId, std::map<std::string, Quantity>>& shared) {
    for (const auto& [id, holders] : whole) {
      if (holders > 1 || shared.contains(id)) {
        Complain("{} is given away twice", id.ToString());
      }
    }
  }

  void CheckShares(const std::map<DeviceId, std::map<std::string, Quantity>>& shared) {
    for (const auto& [id, sums] : shared) {
      const api::Device* device = objects_.FindDevice(id);
      for (const auto& [name, sum] : sums) {
        if (device->capacity.Find(name)->value < sum) {
          Complain("{}: {} of {} are consumed", id.ToString(), sum.ToString(), name);
        }
      }
    }
  }

  // A device that is shared consumes its counters once.
  void CheckCounters(const std::map<DeviceId, std::size_t>& whole,
                     const std::map<DeviceId, std::map<std::string, Quantity>>& shared) {
    std::set<DeviceId> held;
    for (const auto& [id, holders] : whole) {
      held.insert(id);
    }
    for (const auto& [id, sums] : shared) {
      held.insert(id);
    }
    std::map<std::string, std::map<std::string, Quantity>> consumed;   // by pool, by counter
    std::map<std::string, std::vector<std::set<std::string>>> groups;  // by pool
    for (const DeviceId& id : held) {
      for (const auto& consumption : objects_.FindDevice(id)->consumes_counters) {
        groups[id.pool].emplace_back(consumption.compatibility_groups.begin(),
                                     consumption.compatibility_groups.end());
        for (const auto& [name, counter] : consumption.counters) {
          consumed[id.pool][name] = Sum(consumed[id.pool], name, counter.value);
        }
      }
    }
    for (const auto& [pool, all] : groups) {
      if (!std::ranges::all_of(all, &std::set<std::string>::empty) && !HaveCommon(all)) {
        Complain("devices of {} have no compatibility group in common", pool);
      }
    }
    for (const api::ResourceSlice& slice : objects_.slices) {
      for (const api::CounterSet& set : slice.spec.shared_counters) {
        for (const auto& [name, sum] : consumed[slice.spec.pool.name]) {
          if (set.counters.Find(name)->value < sum) {
            Complain("{} of {} are consumed in {}", sum.ToString(), name, slice.spec.pool.name);
          }
        }
      }
    }
  }

  const Objects& objects_;
  selector::Language language_;
  cel::Scratch scratch_;
  std::string complaints_;
};

// --- Asking.

class Asker {
 public:
  // The answer for the node, without its words.
  Allocation Ask(const inventory::Snapshot& cluster, const inventory::NodeView& node,
                 const std::vector<const api::ResourceClaim*>& claims,
                 Placement placement = Placement::kUpstream) {
    Allocator allocator(cluster, claims, verdicts_, {.placement = placement});
    SeededRandom random(1);
    return allocator.Allocate(node, random);
  }
  const selector::Language& language() const { return language_; }

 private:
  selector::Language language_;
  selector::ExpressionCache expressions_{language_};
  Verdicts verdicts_{expressions_};
};

// What every node answers to some claims, in words that can be compared.
std::vector<std::string> Answers(Asker& asker, const inventory::Snapshot& cluster,
                                 const std::vector<api::ResourceClaim>& probes) {
  std::vector<std::string> answers;
  for (const auto& view : cluster.views()) {
    for (const api::ResourceClaim& probe : probes) {
      const Allocation allocation = asker.Ask(cluster, *view, {&probe});
      std::string text =
          fmt::format("{} {}:", view->node->metadata.name, static_cast<int>(allocation.result));
      for (const api::AllocationResult& claim : allocation.claims) {
        for (const auto& result : claim.devices.results) {
          text += fmt::format(" {}={}/{}", result.request, result.pool, result.device);
        }
      }
      answers.push_back(std::move(text));
    }
  }
  return answers;
}

bool Fits(const std::string& answer) {
  static const std::string fits =
      fmt::format(" {}:", static_cast<int>(Allocation::Result::kAllocated));
  return answer.find(fits) != std::string::npos;
}

std::vector<api::ResourceClaim> RandomProbes(Random& random, std::size_t count) {
  std::vector<api::ResourceClaim> probes;
  probes.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    probes.push_back(RandomClaim(random, fmt::format("probe-{}", i)));
  }
  return probes;
}

// --- Properties.

// Gives pods their devices one after the other, on the first node that has them, while some leave
// again.
class Placing {
 public:
  Placing(std::uint64_t seed, Placement placement)
      : random_(seed),
        placement_(placement),
        history_(asker_.language(), random_, true, RichFeatures()) {}

  void Place(std::size_t pod) {
    const std::vector<api::ResourceClaim> claims = ClaimsOf(pod);
    std::vector<const api::ResourceClaim*> pending(claims.size());
    std::ranges::transform(claims, pending.begin(), [](const auto& claim) { return &claim; });
    const inventory::Snapshot cluster = history_.inventory().Take();
    for (const auto& view : cluster.views()) {
      const Allocation allocation = asker_.Ask(cluster, *view, pending, placement_);
      if (allocation.result == Allocation::Result::kAllocated) {
        ++placed_;
        return Keep(view->node->metadata.name, claims, allocation);
      }
      ++refused_;
      CheckReasons(cluster, *view, pending, allocation);
    }
  }

  void Taint() { history_.SetRule(); }

  void Leave() {
    const auto& claims = history_.objects().claims;
    if (!claims.empty()) {
      history_.RemoveClaim(
          std::next(claims.begin(), static_cast<std::ptrdiff_t>(Choose(random_, claims.size())))
              ->first);
    }
  }

  Random& random() { return random_; }
  const std::string& complaints() const { return complaints_; }
  std::size_t placed() const { return placed_; }
  std::size_t refused() const { return refused_; }
  // How often a reason had the code.
  std::size_t told(reasons::Code code) { return told_[code]; }

 private:
  // Whoever is told that waiting does not help may believe it, and so may who is told that it does;
  // and nobody is said to hold more than he does.
  void CheckReasons(const inventory::Snapshot& cluster, const inventory::NodeView& node,
                    const std::vector<const api::ResourceClaim*>& claims,
                    const Allocation& allocation) {
    using reasons::Code;
    if (allocation.result != Allocation::Result::kUnavailable) {
      return;
    }
    const std::set<std::string> held = HoldersSeenFrom(node, cluster);
    const std::vector<std::string> keys(held.begin(), held.end());
    const bool fits = asker_.Ask(Released(cluster, keys), node, claims, placement_).result ==
                      Allocation::Result::kAllocated;
    for (const reasons::Refusal& reason : allocation.reasons) {
      const bool alternative = reason.request.find('/') != std::string::npos;
      const bool never = reason.code == Code::kTooLarge || reason.code == Code::kCountPerNode;
      const bool busy = reason.code == Code::kDevicesBusy || reason.code == Code::kCountersBusy;
      const bool together = reason.request.empty();
      if ((never && fits && !alternative) || (busy && together && !fits)) {
        complaints_ += fmt::format("{}: {}\n", reasons::NameOf(reason.code), reason.message);
      }
      ++told_[reason.code];
      for (const auto& [key, devices] : reason.holders) {
        const inventory::Holder* holder = cluster.held().HolderOf(key);
        if (holder == nullptr || holder->holdings.size() < devices) {
          complaints_ += fmt::format("{} does not hold {} devices\n", key, devices);
        }
      }
    }
  }

  std::vector<api::ResourceClaim> ClaimsOf(std::size_t pod) {
    std::vector<api::ResourceClaim> claims;
    for (std::size_t i = 0, count = 1 + Choose(random_, 2); i < count; ++i) {
      claims.push_back(RandomClaim(random_, fmt::format("claim-{}-{}", pod, i)));
    }
    return claims;
  }

  void Keep(const std::string& node, std::vector<api::ResourceClaim> claims,
            const Allocation& allocation) {
    Checker checker(history_.objects());
    for (std::size_t i = 0; i < claims.size(); ++i) {
      checker.Check(node, claims[i], allocation.claims[i]);
      claims[i].status.allocation = allocation.claims[i];
      history_.SetClaim(claims[i]);
    }
    checker.CheckTotals();
    complaints_ += checker.complaints();
  }

  SeededRandom random_;
  Placement placement_;
  Asker asker_;
  History history_;
  std::string complaints_;
  std::size_t placed_ = 0;
  std::size_t refused_ = 0;
  std::map<reasons::Code, std::size_t> told_;
};

TEST(Property, EveryResultKeepsItsWordsAndNothingIsGivenAwayTwice) {
  std::size_t placed = 0;
  std::size_t refused = 0;
  std::map<reasons::Code, std::size_t> told;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    Placing placing(seed, seed % 3 == 0 ? Placement::kBestFit : Placement::kUpstream);
    for (std::size_t pod = 0; pod < 25; ++pod) {
      placing.Place(pod);
      if (Choose(placing.random(), 4) == 0) {
        placing.Leave();
      }
      if (Choose(placing.random(), 8) == 0) {
        placing.Taint();
      }
      ASSERT_EQ(placing.complaints(), "") << "seed " << seed << ", pod " << pod;
    }
    placed += placing.placed();
    refused += placing.refused();
    for (const reasons::Row& row : reasons::Rows()) {
      told[row.code] += placing.told(row.code);
    }
  }
  EXPECT_GT(placed, 300U);
  EXPECT_GT(refused, 300U);
  for (const reasons::Code code : {reasons::Code::kTooLarge, reasons::Code::kCapacityBusy,
                                   reasons::Code::kCountersBusy, reasons::Code::kDevicesBusy}) {
    EXPECT_GT(told[code], 10U) << reasons::NameOf(code);
  }
}

TEST(Property, AFollowedStateAnswersAsARebuiltOne) {
  Asker asker;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    SeededRandom random(seed);
    const bool keeps_held = seed % 2 == 0;
    History history(asker.language(), random, keeps_held, RichFeatures());
    for (int round = 0; round < 6; ++round) {
      for (int step = 0; step < 10; ++step) {
        history.Step();
      }
      const std::vector<api::ResourceClaim> probes = RandomProbes(random, 4);
      const auto followed = Answers(asker, history.inventory().Take(), probes);
      const auto rebuilt = Answers(asker, history.Rebuilt().Take(), probes);
      SCOPED_TRACE(fmt::format("seed {}, round {}", seed, round));
      if (!history.lost()) {
        ASSERT_EQ(followed, rebuilt);
        continue;
      }
      ASSERT_EQ(followed.size(), rebuilt.size());
      for (std::size_t i = 0; i < followed.size(); ++i) {
        EXPECT_TRUE(Fits(rebuilt[i]) || !Fits(followed[i]))
            << followed[i] << " but rebuilt " << rebuilt[i];
      }
    }
  }
}

TEST(Property, AForkLeavesTheAnswersOfItsParentAlone) {
  Asker asker;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    SeededRandom random(seed);
    History history(asker.language(), random, false, RichFeatures());
    for (int step = 0; step < 20; ++step) {
      history.Step();
    }
    const inventory::Snapshot parent = history.inventory().Take();
    const std::vector<api::ResourceClaim> probes = RandomProbes(random, 4);
    const auto before = Answers(asker, parent, probes);
    inventory::Inventory fork = parent.Fork();
    for (const auto& [name, claim] : history.objects().claims) {
      fork.RemoveClaim(claim);
    }
    fork.RemoveSlice("p3-devices");
    Answers(asker, fork.Take(), probes);
    EXPECT_EQ(Answers(asker, parent, probes), before) << "seed " << seed;
  }
}

}  // namespace
}  // namespace quadra::allocator
