// History: random events in the life of a small cluster, for tests. Each goes to an inventory and
// to plain lists of objects, from which the inventory can be built anew and the two compared.
//
// Nodes n0 to n2 have a pool each, and all, or those of a zone, share one more; a pool is a slice of counters and a
// slice of devices, of every sort: plain, partitions, shareable, tainted, with binding conditions;
// where the features are on, with attributes that are lists and with compatibility groups.
#pragma once

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/random.h"
#include "inventory/inventory.h"

namespace quadra::inventory {

// --- Objects.

// Below `bound`, from as few random bits as it takes.
inline std::size_t Choose(Random& random, std::size_t bound) {
  return static_cast<std::size_t>(random.Next() % bound);
}

inline quantity::Quantity RandomAmount(Random& random, std::size_t least, std::size_t most) {
  return quantity::Quantity::Of(
      static_cast<std::int64_t>(least + Choose(random, most - least + 1)));
}

// Some of x, y and z; at least one where it must be.
inline api::List<std::string> RandomWords(Random& random, std::size_t least) {
  static const std::vector<std::string> words = {"x", "y", "z"};
  const std::size_t first = Choose(random, words.size());
  api::List<std::string> some;
  for (std::size_t i = 0, count = least + Choose(random, words.size() - least); i < count; ++i) {
    some.push_back(words[(first + i) % words.size()]);
  }
  return some;
}

inline void AddAttributes(Random& random, const Features& features, api::Device& device) {
  if (Choose(random, 4) != 0) {
    device.attributes["group"].int_value = static_cast<std::int64_t>(Choose(random, 3));
  }
  device.attributes["kind"].string_value = Choose(random, 2) == 0 ? "a" : "b";
  if (features.list_attributes) {
    const api::List<std::string> lanes = RandomWords(random, 1);
    if (Choose(random, 3) == 0) {
      device.attributes["lanes"].string_value = lanes[0];
    } else {
      device.attributes["lanes"].string_values = lanes;
    }
  }
}

inline void AddCounters(Random& random, const Features& features, api::Device& device) {
  auto& consumed = device.consumes_counters.emplace_back();
  consumed.counter_set = "board";
  consumed.counters["cores"].value = RandomAmount(random, 1, 2);
  consumed.counters["memory"].value = RandomAmount(random, 0, 2);
  if (features.compatibility_groups) {
    consumed.compatibility_groups = RandomWords(random, 0);
  }
}

inline void MakeShareable(Random& random, api::Device& device) {
  device.allow_multiple_allocations = true;
  api::DeviceCapacity& capacity = device.capacity["bandwidth"];
  capacity.value = RandomAmount(random, 4, 8);
  if (Choose(random, 2) == 0) {
    capacity.request_policy.emplace();
    capacity.request_policy->default_value = RandomAmount(random, 1, 2);
  }
}

inline api::DeviceTaint RandomTaint(Random& random) {
  static const std::vector<std::string> effects = {"NoSchedule", "NoExecute", "None"};
  api::DeviceTaint taint;
  taint.key = Choose(random, 2) == 0 ? "hot" : "old";
  taint.effect = effects[Choose(random, effects.size())];
  return taint;
}

inline api::Device RandomDevice(Random& random, const Features& features, std::string name) {
  api::Device device;
  device.name = std::move(name);
  AddAttributes(random, features, device);
  switch (Choose(random, 8)) {
    case 0:
    case 1:
      AddCounters(random, features, device);
      break;
    case 2:
      MakeShareable(random, device);
      break;
    case 3:
      AddCounters(random, features, device);
      MakeShareable(random, device);
      break;
    case 4:
      device.taints.push_back(RandomTaint(random));
      break;
    case 5:
      device.binding_conditions.push_back("ready");
      device.binding_failure_conditions.push_back("broken");
      break;
    default:
      break;
  }
  return device;
}

inline api::DeviceTaintRule RandomRule(Random& random) {
  api::DeviceTaintRule rule;
  rule.metadata.name = fmt::format("rule-{}", Choose(random, 2));
  auto& selector = rule.spec.device_selector.emplace();
  if (Choose(random, 2) == 0) {
    selector.pool = fmt::format("p{}", Choose(random, 4));
  }
  if (Choose(random, 2) == 0) {
    selector.device = fmt::format("d{}", Choose(random, 6));
  }
  rule.spec.taint = RandomTaint(random);
  return rule;
}

inline api::DeviceClass ClassWith(std::string name, std::string expression) {
  api::DeviceClass device_class;
  device_class.metadata.name = std::move(name);
  if (!expression.empty()) {
    device_class.spec.selectors.emplace_back().cel = {.expression = std::move(expression)};
  }
  return device_class;
}

// --- Histories.

// What is known of the cluster, in the order in which it came to be.
struct Objects {
  std::map<std::string, api::Node> nodes;
  std::map<std::string, api::DeviceClass> classes;
  std::vector<api::ResourceSlice> slices;
  std::vector<api::DeviceTaintRule> rules;
  std::map<std::string, api::ResourceClaim> claims;  // by name; allocated ones

  // Null if it is not published, or only by slices that a newer generation replaced.
  const api::Device* FindDevice(const DeviceId& id) const;
};

class History {
 public:
  static constexpr std::size_t kPools = 4;
  static constexpr std::size_t kDevices = 6;  // names, of a pool

  // Begins with the nodes, the classes `any` and `a` and some devices in every pool. With
  // `keeps_held` no event takes away a device that is held.
  History(const selector::Language& language, Random& random, bool keeps_held,
          const Features& features = {})
      : language_(language),
        random_(random),
        keeps_held_(keeps_held),
        features_(features),
        shares_in_zone_(Choose(random, 2) == 0),
        inventory_(language, features) {
    for (std::size_t n = 0; n + 1 < kPools; ++n) {
      SetNode(n);
    }
    SetClass(ClassWith("any", ""));
    SetClass(ClassWith("a", R"(device.attributes["d.example.com"].kind == "a")"));
    for (std::size_t pool = 0; pool < kPools; ++pool) {
      Publish(CountersOf(pool));
      Publish(DevicesOf(pool));
    }
  }

  // One event.
  void Step() {
    switch (Choose(random_, 12)) {
      case 0:
      case 1:
        return Publish(DevicesOf(Choose(random_, kPools)));
      case 2:
        return Publish(CountersOf(Choose(random_, kPools)));
      case 3:
        return RemoveSlice();
      case 4:
        return PublishAnew(Choose(random_, kPools));
      case 5:
        return Choose(random_, 2) == 0 ? SetRule() : RemoveRule();
      case 6:
        return Choose(random_, 2) == 0 ? SetClass(ClassWith("any", "true")) : RemoveClass("any");
      case 7:
        return Choose(random_, 2) == 0 ? SetNode(Choose(random_, kPools - 1)) : RemoveNode();
      case 8:
        return RemoveClaim();
      default:
        return Hold();
    }
  }

  Inventory& inventory() { return inventory_; }
  const Objects& objects() const { return objects_; }
  // Whether a device was held while it was not published, ever.
  bool lost() const { return lost_; }
  // Whether what the snapshot charges for held devices that went away is known, wherever they were
  // published while they were held.
  bool IsChargedIn(const Snapshot& snapshot) const;

  void SetClaim(const api::ResourceClaim& claim) {
    inventory_.SetClaim(claim);
    objects_.claims[claim.metadata.name] = claim;
    NoticeLosses();
  }
  void RemoveClaim(const std::string& name) {
    if (const auto found = objects_.claims.find(name); found != objects_.claims.end()) {
      inventory_.RemoveClaim(found->second);
      objects_.claims.erase(found);
      NoticeLosses();
    }
  }

  // A taint rule, new or in place of another.
  void SetRule() {
    const api::DeviceTaintRule rule = RandomRule(random_);
    inventory_.SetTaintRule(rule);
    const auto same = FindRule(rule.metadata.name);
    if (same != objects_.rules.end()) {
      *same = rule;
    } else {
      objects_.rules.push_back(rule);
    }
  }

  // From the objects as they are now.
  Inventory Rebuilt() const {
    Inventory built(language_, features_);
    for (const auto& [name, node] : objects_.nodes) {
      built.SetNode(node);
    }
    for (const auto& [name, device_class] : objects_.classes) {
      built.SetClass(device_class);
    }
    for (const api::ResourceSlice& slice : objects_.slices) {
      built.SetSlice(slice);
    }
    for (const api::DeviceTaintRule& rule : objects_.rules) {
      built.SetTaintRule(rule);
    }
    for (const auto& [name, claim] : objects_.claims) {
      built.SetClaim(claim);
    }
    return built;
  }

 private:
  // --- What is published.
  static std::string CountersName(std::size_t pool) { return fmt::format("p{}-counters", pool); }
  static std::string DevicesName(std::size_t pool) { return fmt::format("p{}-devices", pool); }

  api::ResourceSlice SliceOf(std::size_t pool, std::string name) const {
    api::ResourceSlice slice;
    slice.metadata.name = std::move(name);
    slice.spec.driver = "d.example.com";
    slice.spec.pool = {.name = fmt::format("p{}", pool),
                       .generation = generations_[pool],
                       .resource_slice_count = 2};
    if (pool + 1 < kPools) {
      slice.spec.node_name = fmt::format("n{}", pool);
    } else if (shares_in_zone_) {
      auto& zone = slice.spec.node_selector.emplace().node_selector_terms.emplace_back();
      api::NodeSelectorRequirement& requirement = zone.match_expressions.emplace_back();
      requirement.key = "zone";
      requirement.op = "In";
      requirement.values = {"even"};
    } else {
      slice.spec.all_nodes = true;
    }
    return slice;
  }

  api::ResourceSlice CountersOf(std::size_t pool) {
    api::ResourceSlice slice = SliceOf(pool, CountersName(pool));
    auto& set = slice.spec.shared_counters.emplace_back();
    set.name = "board";
    set.counters["cores"].value = RandomAmount(random_, 1, 6);
    set.counters["memory"].value = RandomAmount(random_, 1, 6);
    return slice;
  }

  api::ResourceSlice DevicesOf(std::size_t pool) {
    api::ResourceSlice slice = SliceOf(pool, DevicesName(pool));
    for (std::size_t i = 0; i < kDevices; ++i) {
      const std::string name = fmt::format("d{}", i);
      const bool needed = keeps_held_ && IsHeld({slice.spec.driver, slice.spec.pool.name, name});
      if (Choose(random_, 3) != 0 || needed) {
        slice.spec.devices.push_back(RandomDevice(random_, features_, name));
      }
    }
    return slice;
  }

  void Publish(const api::ResourceSlice& slice) {
    inventory_.SetSlice(slice);
    const auto same = FindSlice(slice.metadata.name);
    if (same != objects_.slices.end()) {
      *same = slice;
    } else {
      objects_.slices.push_back(slice);
    }
    NoticeLosses();
  }

  // A new generation: the devices first, so that none is missing meanwhile; or only one of the two.
  void PublishAnew(std::size_t pool) {
    ++generations_[pool];
    const std::size_t which = keeps_held_ ? 0 : Choose(random_, 3);
    if (which != 1) {
      Publish(DevicesOf(pool));
    }
    if (which != 2) {
      Publish(CountersOf(pool));
    }
  }

  void RemoveSlice() {
    const std::size_t pool = Choose(random_, kPools);
    const bool counters = keeps_held_ || Choose(random_, 2) == 0;
    const std::string name = counters ? CountersName(pool) : DevicesName(pool);
    const auto found = FindSlice(name);
    if (found != objects_.slices.end()) {
      inventory_.RemoveSlice(name);
      objects_.slices.erase(found);
      NoticeLosses();
    }
  }

  std::vector<api::ResourceSlice>::iterator FindSlice(const std::string& name) {
    return std::ranges::find_if(objects_.slices,
                                [&](const auto& slice) { return slice.metadata.name == name; });
  }

  // --- What else decides.
  void RemoveRule() {
    const auto found = FindRule(fmt::format("rule-{}", Choose(random_, 2)));
    if (found != objects_.rules.end()) {
      inventory_.RemoveTaintRule(found->metadata.name);
      objects_.rules.erase(found);
    }
  }
  std::vector<api::DeviceTaintRule>::iterator FindRule(const std::string& name) {
    return std::ranges::find_if(objects_.rules,
                                [&](const auto& rule) { return rule.metadata.name == name; });
  }
  void SetClass(const api::DeviceClass& device_class) {
    inventory_.SetClass(device_class);
    objects_.classes[device_class.metadata.name] = device_class;
  }
  void RemoveClass(const std::string& name) {
    inventory_.RemoveClass(name);
    objects_.classes.erase(name);
  }
  void SetNode(std::size_t n) {
    api::Node node;
    node.metadata.name = fmt::format("n{}", n);
    node.metadata.labels["zone"] = n % 2 == 0 ? "even" : "odd";
    inventory_.SetNode(node);
    objects_.nodes[node.metadata.name] = node;
  }
  void RemoveNode() {
    const std::string name = fmt::format("n{}", Choose(random_, kPools - 1));
    inventory_.RemoveNode(name);
    objects_.nodes.erase(name);
  }

  // --- What is held, in whatever way: claims may contradict each other.
  void Hold() {
    api::ResourceClaim claim;
    claim.metadata.ns = "ns";
    claim.metadata.name = fmt::format("held-{}", Choose(random_, 6));
    auto& results = claim.status.allocation.emplace().devices.results;
    for (std::size_t i = 0, count = 1 + Choose(random_, 2); i < count; ++i) {
      api::DeviceRequestAllocationResult result = RandomResult();
      const DeviceId id{result.driver, result.pool, result.device};
      if (!keeps_held_ || objects_.FindDevice(id) != nullptr) {
        results.push_back(std::move(result));
      }
    }
    SetClaim(claim);
  }

  api::DeviceRequestAllocationResult RandomResult() {
    api::DeviceRequestAllocationResult result;
    result.request = "r";
    result.driver = "d.example.com";
    result.pool = fmt::format("p{}", Choose(random_, kPools));
    result.device = fmt::format("d{}", Choose(random_, kDevices));
    switch (Choose(random_, 6)) {
      case 0:
        result.admin_access = true;
        break;
      case 1:
      case 2:
        result.share_id = fmt::format("share-{}", Choose(random_, 100));
        result.consumed_capacity["bandwidth"] = RandomAmount(random_, 1, 4);
        break;
      default:
        break;
    }
    return result;
  }

  void RemoveClaim() { RemoveClaim(fmt::format("held-{}", Choose(random_, 6))); }

  template <typename Visit>
  void VisitHeld(const Visit& visit) const {
    for (const auto& [name, claim] : objects_.claims) {
      if (claim.status.allocation) {
        for (const Holding& holding : HoldingsOf(*claim.status.allocation, true)) {
          visit(holding.device);
        }
      }
    }
  }
  bool IsHeld(const DeviceId& id) const {
    bool found = false;
    VisitHeld([&](const DeviceId& held) { found = found || held == id; });
    return found;
  }
  void NoticeLosses() {
    std::set<DeviceId> seen;
    VisitHeld([&](const DeviceId& held) {
      const bool published = objects_.FindDevice(held) != nullptr;
      lost_ = lost_ || !published;
      if (published || seen_.contains(held)) {
        seen.insert(held);
      }
    });
    seen_ = std::move(seen);
  }

  const selector::Language& language_;
  Random& random_;
  bool keeps_held_;
  Features features_;
  bool shares_in_zone_;  // the pool that nodes share is for those of one zone
  bool lost_ = false;
  std::set<DeviceId> seen_;  // held, and published at some time since
  Inventory inventory_;
  Objects objects_;
  std::vector<std::int64_t> generations_ = std::vector<std::int64_t>(kPools, 1);
};

inline const api::Device* Objects::FindDevice(const DeviceId& id) const {
  const api::Device* found = nullptr;
  std::int64_t newest = 0;
  for (const api::ResourceSlice& slice : slices) {
    if (slice.spec.driver != id.driver || slice.spec.pool.name != id.pool ||
        slice.spec.pool.generation < newest) {
      continue;
    }
    found = slice.spec.pool.generation > newest ? nullptr : found;
    newest = slice.spec.pool.generation;
    for (const api::Device& device : slice.spec.devices) {
      found = device.name == id.device ? &device : found;
    }
  }
  return found;
}

// --- Comparing.

inline std::string DescribeHeld(const Snapshot& snapshot, const DeviceId& id) {
  const HeldDevice* held = snapshot.held().Find(id);
  if (held == nullptr) {
    return "free";
  }
  std::string text = fmt::format("{}+{}", held->exclusive, held->shares);
  for (const auto& [name, amount] : held->consumed) {
    text += fmt::format(" {}={}", name, amount.ToString());
  }
  return text;
}

// What a node sees: its pools, its devices in order, their marks and who holds them.
inline std::string DescribeView(const Snapshot& snapshot, const NodeView& view) {
  std::string text = fmt::format("{}:\n", view.node->metadata.name);
  for (const Pool& pool : view.pools) {
    text += fmt::format("  {} {} {}\n", pool.ToString(), static_cast<int>(pool.state),
                        pool.counter_sets.size());
  }
  for (const Candidate& candidate : view.candidates) {
    const DeviceId id = candidate.slice->IdOf(candidate.index);
    const Marks& marks = snapshot.marks();
    text += fmt::format("  {} {}{}{} {}\n", id.ToString(), marks.in_use.Test(candidate.row),
                        marks.held.Test(candidate.row), marks.tainted.Test(candidate.row),
                        DescribeHeld(snapshot, id));
  }
  return text;
}

inline std::string Describe(const Snapshot& snapshot) {
  std::string text;
  for (const auto& view : snapshot.views()) {
    text += DescribeView(snapshot, *view);
  }
  return text;
}

// Held devices that are not published, with whether it is known what they consume.
using Charges = std::map<std::string, bool>;

inline Charges ChargesOf(const Snapshot& snapshot, const NodeView& view) {
  Charges charges;
  for (const Pool& pool : view.pools) {
    if (const Unpublished* unpublished = snapshot.UnpublishedOf(pool)) {
      for (const auto& [device, shape] : *unpublished) {
        charges[fmt::format("{}/{}", pool.ToString(), device)] = shape != nullptr;
      }
    }
  }
  return charges;
}

inline Charges ChargesOf(const Snapshot& snapshot) {
  Charges charges;
  for (const auto& view : snapshot.views()) {
    charges.merge(ChargesOf(snapshot, *view));
  }
  return charges;
}

inline bool History::IsChargedIn(const Snapshot& snapshot) const {
  std::set<std::string> visible;
  for (const auto& view : snapshot.views()) {
    for (const Pool& pool : view->pools) {
      visible.insert(pool.name);
    }
  }
  const Charges charges = ChargesOf(snapshot);
  return std::ranges::all_of(seen_, [&](const DeviceId& id) {
    const auto charge = charges.find(id.ToString());
    return objects_.FindDevice(id) != nullptr || !visible.contains(id.pool) ||
           (charge != charges.end() && charge->second);
  });
}

// One that keeps a snapshot for a while, and what it said when it was taken.
struct Reader {
  explicit Reader(const Snapshot& taken)
      : snapshot(taken), said(Describe(taken)), charged(ChargesOf(taken)) {}
  bool SeesTheSame() const { return Describe(snapshot) == said && ChargesOf(snapshot) == charged; }

  Snapshot snapshot;
  std::string said;
  Charges charged;
};

// Readers that come and go while the cluster changes.
class Readers {
 public:
  // One comes, one goes, or neither. Whether the one that goes saw the same all the time.
  bool Step(Random& random, Inventory& inventory) {
    constexpr std::size_t kMost = 4;
    switch (Choose(random, 4)) {
      case 0:
        all_.emplace_back(inventory.Take());
        return all_.size() <= kMost || LeaveOne(random);
      case 1:
        return all_.empty() || LeaveOne(random);
      default:
        return true;
    }
  }
  bool AllSeeTheSame() const { return std::ranges::all_of(all_, &Reader::SeesTheSame); }

 private:
  bool LeaveOne(Random& random) {
    const auto one = all_.begin() + static_cast<std::ptrdiff_t>(Choose(random, all_.size()));
    const bool same = one->SeesTheSame();
    all_.erase(one);
    return same;
  }
  std::vector<Reader> all_;
};

// Whether everything in `less` is in `more`, and known there if it is known here.
inline bool ChargesAtLeast(const Charges& more, const Charges& less) {
  return std::ranges::all_of(less, [&](const auto& charge) {
    const auto found = more.find(charge.first);
    return found != more.end() && (found->second || !charge.second);
  });
}

}  // namespace quadra::inventory
