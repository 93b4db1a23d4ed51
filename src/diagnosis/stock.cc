#include "diagnosis/stock.h"

#include <algorithm>
#include <array>
#include <set>

#include <fmt/format.h>

namespace quadra::diagnosis {
namespace {

using inventory::DeviceShape;
using inventory::Pool;
using inventory::PoolState;
using inventory::Slice;
using placement::Cluster;

bool IsLeaked(const DeviceHolder& holder) { return holder.use == Use::kLeaked; }

// --- one pool

std::string NodeOf(const Slice& slice, const inventory::Device* device) {
  return slice.devices_have_placements && device != nullptr ? device->shape->placement.node
                                                            : slice.placement.node;
}

std::string_view StateName(PoolState state) {
  switch (state) {
    case PoolState::kReady:
      return "ok";
    case PoolState::kIncomplete:
      return "incomplete";
    case PoolState::kInvalid:
      return "invalid";
  }
  return "";
}

std::string UuidOf(const selector::DeviceTable& table, selector::Row row) {
  std::string uuid;
  const selector::FactsInputs facts = table.RowInputs(row);
  table.VisitColumns(row, [&](selector::ColumnId column) {
    const selector::ColumnName& name = table.columns().NameOf(column);
    if (name.kind == selector::ColumnKind::kAttribute && name.id == "uuid") {
      const cel::Value value = facts.Slot(column);
      uuid = value.kind() == cel::Kind::kString ? std::string(value.as_text()) : uuid;
    }
  });
  return uuid;
}

class PoolStocker {
 public:
  using Holders = std::map<std::string, std::vector<DeviceHolder>>;

  // `slices`: all of the pool, of whatever generation. `holders`: by device; may be null.
  PoolStocker(const Cluster& cluster, const inventory::Snapshot& devices, PoolStock& stock,
              const inventory::SliceList& slices, const Holders* holders)
      : cluster_(cluster), devices_(devices), stock_(stock), holders_(holders) {
    for (const auto& slice : slices) {
      stock_.generation = std::max(stock_.generation, slice->generation);
    }
    for (const auto& slice : slices) {
      (slice->generation == stock_.generation ? present_ : outdated_).push_back(slice);
    }
    for (inventory::SliceList* list : {&present_, &outdated_}) {
      std::ranges::stable_sort(*list, {}, [](const auto& slice) { return slice->name; });
    }
  }

  void Fill() {
    pool_ =
        inventory::WholePool(devices_.slices(), stock_.driver, stock_.name, devices_.features());
    DescribePool();
    TakeCounters();
    stock_.counters = counters_.Levels();
    FindLargestCapacities();
    AddDevices(present_, false);
    stock_.published = stock_.devices.size();
    AddDevices(outdated_, true);
    AddUnpublished();
    Count();
  }

 private:
  bool IsReady() const { return pool_ && pool_->state == PoolState::kReady; }

  void DescribePool() {
    stock_.slices = present_.size();
    if (present_.empty()) {
      stock_.state = "gone";
      stock_.reason = "devices are held, but no slice publishes the pool";
      return;
    }
    stock_.slices_wanted = present_.front()->slices_of_pool;
    stock_.state = pool_ ? StateName(pool_->state) : "invalid";
    stock_.reason = pool_ ? pool_->reason : "feature gates that are off leave out its slices";
    stock_.node = NodeOf(*present_.front(), nullptr);
    for (const auto& slice : present_) {
      stock_.node = NodeOf(*slice, nullptr) == stock_.node ? stock_.node : "";
      const std::optional<Time> created = cluster_.CreationOf(slice->name);
      stock_.created = created && stock_.created ? std::min(*created, *stock_.created)
                       : created                 ? created
                                                 : stock_.created;
    }
  }

  const std::vector<DeviceHolder>* HoldersOf(const std::string& device) const {
    if (holders_ == nullptr) {
      return nullptr;
    }
    const auto found = holders_->find(device);
    return found == holders_->end() ? nullptr : &found->second;
  }

  void TakeCounters() {
    if (!pool_ || !IsReady()) {
      return;
    }
    counters_ = CountersLeft(*pool_);
    for (const auto& slice : present_) {
      for (const inventory::Device& device : slice->devices) {
        if (HoldersOf(device.name) != nullptr) {
          counters_.Take(*device.shape);
        }
      }
    }
    if (const inventory::Unpublished* unpublished = devices_.UnpublishedOf(*pool_)) {
      for (const auto& [name, shape] : *unpublished) {
        if (shape != nullptr) {
          counters_.Take(*shape);
        }
      }
    }
  }

  void FindLargestCapacities() {
    for (const auto& slice : present_) {
      for (const inventory::Device& device : slice->devices) {
        for (const auto& [name, capacity] : device.shape->capacity) {
          double& largest = largest_[name];
          largest = std::max(largest, capacity.value.AsApproximateDouble());
        }
      }
    }
  }

  void AddDevices(const inventory::SliceList& slices, bool outdated) {
    for (const auto& slice : slices) {
      const selector::Row first = devices_.table().rows(slice->rows).begin;
      for (std::size_t i = 0; i < slice->devices.size(); ++i) {
        const bool fresh = seen_.insert(slice->devices[i].name).second;
        if (fresh || !outdated) {
          AddDevice(*slice, i, first + static_cast<selector::Row>(i), outdated);
        }
      }
    }
  }

  void AddDevice(const Slice& slice, std::size_t i, selector::Row row, bool outdated) {
    const inventory::Device& published = slice.devices[i];
    DeviceStock device{.id = slice.IdOf(i),
                       .node = NodeOf(slice, &published),
                       .slice = slice.name,
                       .uuid = UuidOf(devices_.table(), row)};
    if (devices_.features().device_taints) {
      device.taints = inventory::TaintsOf(slice, i, devices_.taint_rules());
    }
    if (const std::vector<DeviceHolder>* holders = HoldersOf(published.name)) {
      device.holders = *holders;
    }
    const bool tainted = std::ranges::any_of(device.taints, inventory::KeepsAway);
    if (published.shape->allow_multiple_allocations) {
      device.capacity = CapacityLevels(*published.shape, ConsumedBy(device.holders));
    }
    device.share = ShareOf(*published.shape, device.holders);
    device.free = !outdated && !tainted && CanBeTaken(*published.shape, device.holders);
    device.state = StateOf(device, outdated, tainted);
    stock_.devices.push_back(std::move(device));
  }

  static inventory::Amounts ConsumedBy(const std::vector<DeviceHolder>& holders) {
    inventory::Amounts consumed;
    for (const DeviceHolder& holder : holders) {
      for (const auto& [name, amount] : holder.consumed) {
        consumed[name].Add(amount);
      }
    }
    return consumed;
  }

  static bool IsHeldWhole(const std::vector<DeviceHolder>& holders) {
    return std::ranges::any_of(holders, [](const DeviceHolder& holder) { return !holder.shared; });
  }

  bool CanBeTaken(const DeviceShape& shape, const std::vector<DeviceHolder>& holders) const {
    if (!IsReady() || !shape.is_usable || !shape.is_selectable || IsHeldWhole(holders)) {
      return false;
    }
    if (!holders.empty()) {  // its counters were charged with the first share
      return shape.allow_multiple_allocations && HasRoom(shape, ConsumedBy(holders));
    }
    return counters_.Admits(shape) && (!shape.allow_multiple_allocations || HasRoom(shape, {}));
  }

  double ShareOf(const DeviceShape& shape, const std::vector<DeviceHolder>& holders) const {
    if (!shape.consumes_counters.empty()) {
      return counters_.ShareOf(shape);
    }
    if (shape.capacity.empty()) {
      return 1;
    }
    const inventory::Amounts consumed = ConsumedBy(holders);
    double share = 0;
    for (const auto& [name, capacity] : shape.capacity) {
      const double left = CapacityLeft(capacity, name, consumed).AsApproximateDouble();
      const auto largest = largest_.find(name);
      share = std::max(
          share, largest == largest_.end() || largest->second <= 0 ? 0 : left / largest->second);
    }
    return share;
  }

  DeviceState StateOf(const DeviceStock& device, bool outdated, bool tainted) const {
    if (!device.holders.empty()) {
      return outdated ? DeviceState::kUnpublished : HeldState(device);
    }
    if (outdated) {
      return DeviceState::kOutdated;
    }
    if (!IsReady()) {
      return stock_.state == "incomplete" ? DeviceState::kIncomplete : DeviceState::kInvalid;
    }
    if (tainted) {
      return DeviceState::kTainted;
    }
    return device.free ? DeviceState::kFree : DeviceState::kBlocked;
  }

  // One claim may hold several shares, but the whole of a device only by itself.
  static bool IsOverbooked(const DeviceStock& device) {
    const std::vector<DeviceHolder>& holders = device.holders;
    const bool several = std::ranges::any_of(
        holders, [&](const DeviceHolder& holder) { return holder.claim != holders.front().claim; });
    return (several && IsHeldWhole(holders)) ||
           std::ranges::any_of(device.capacity, [](const Level& level) {
             return level.total.Sign() > 0 && level.used > level.total;
           });
  }

  static DeviceState HeldState(const DeviceStock& device) {
    const std::vector<DeviceHolder>& holders = device.holders;
    if (IsOverbooked(device)) {
      return DeviceState::kOverbooked;
    }
    if (std::ranges::any_of(holders, IsLeaked)) {
      return DeviceState::kLeaked;
    }
    if (std::ranges::find(holders, Use::kUnknown, &DeviceHolder::use) != holders.end()) {
      return DeviceState::kUnknown;
    }
    return IsHeldWhole(holders) ? DeviceState::kInUse : DeviceState::kShared;
  }

  void AddUnpublished() {
    if (holders_ == nullptr) {
      return;
    }
    for (const auto& [name, holders] : *holders_) {
      if (seen_.insert(name).second) {
        stock_.devices.push_back({.id = {stock_.driver, stock_.name, name},
                                  .state = DeviceState::kUnpublished,
                                  .holders = holders});
      }
    }
  }

  void Count() {
    for (std::size_t i = 0; i < stock_.devices.size(); ++i) {
      const DeviceStock& device = stock_.devices[i];
      const auto count = [](std::size_t& counter, bool counts) { counter += counts ? 1 : 0; };
      count(stock_.used, i < stock_.published && !device.holders.empty());
      count(stock_.free, device.free);
      count(stock_.tainted,
            i < stock_.published && std::ranges::any_of(device.taints, inventory::KeepsAway));
      count(stock_.leaked, std::ranges::any_of(device.holders, IsLeaked));
      count(stock_.unpublished, device.state == DeviceState::kUnpublished);
      if (device.free &&
          (!stock_.largest || device.share > stock_.devices[*stock_.largest].share)) {
        stock_.largest = i;
      }
    }
  }

  const Cluster& cluster_;
  const inventory::Snapshot& devices_;
  PoolStock& stock_;
  const Holders* holders_;
  inventory::SliceList present_, outdated_;
  std::optional<Pool> pool_;
  CountersLeft counters_;
  std::map<std::string, double> largest_;  // value by capacity
  std::set<std::string, std::less<>> seen_;
};

}  // namespace

std::string_view NameOf(DeviceState state) {
  constexpr std::array<std::string_view, 12> kNames = {
      "unpublished", "overbooked", "leaked",  "unknown", "in-use",  "shared",
      "outdated",    "incomplete", "invalid", "tainted", "blocked", "free"};
  return kNames[static_cast<std::size_t>(state)];
}

Stock::Stock(const Cluster& cluster, const inventory::Snapshot& devices)
    : cluster_(cluster), devices_(devices) {
  const LeakJudge judge(cluster);
  for (const api::ResourceClaim& claim : cluster.claims().all()) {
    if (!claim.status.allocation) {
      continue;
    }
    const std::vector<Consumer> consumers = judge.ConsumersOf(claim);
    const Use use = LeakJudge::UseOf(consumers);
    for (inventory::Holding& holding :
         inventory::HoldingsOf(*claim.status.allocation, devices.features().consumable_capacity)) {
      const inventory::DeviceId& id = holding.device;
      holders_[{id.driver, id.pool}][id.device].push_back(
          {&claim, holding.shared, std::move(holding.consumed), consumers, use,
           claim.status.allocation->allocation_timestamp});
    }
  }
}

PoolStock Stock::StockOf(const PoolName& pool) const {
  const auto holders = holders_.find(pool);
  PoolStock stock{.driver = pool.first, .name = pool.second};
  PoolStocker(cluster_, devices_, stock,
              devices_.slices().OfPool(inventory::PoolKey(pool.first, pool.second)),
              holders == holders_.end() ? nullptr : &holders->second)
      .Fill();
  return stock;
}

void Stock::Visit(const std::function<void(const PoolStock&)>& visit) const {
  std::set<PoolName> pools;
  devices_.slices().VisitPools([&](const std::string&, const inventory::SliceList& slices) {
    pools.emplace(slices.front()->driver, slices.front()->pool);
  });
  for (const auto& [pool, devices] : holders_) {
    pools.insert(pool);
  }
  for (const PoolName& pool : pools) {
    visit(StockOf(pool));
  }
}

}  // namespace quadra::diagnosis
