#include "inventory/inventory.h"

#include <algorithm>
#include <span>
#include <utility>

#include <fmt/format.h>

namespace quadra::inventory {
namespace {

// The part, to be changed: copied first where others look at it too.
template <typename T>
T& Own(std::shared_ptr<T>& part) {
  if (part.use_count() > 1) {
    part = std::make_shared<T>(*part);
  }
  return *part;
}

std::string NameOf(const api::ResourceClaim& claim) {
  return claim.metadata.ns + "/" + claim.metadata.name;
}

std::string_view NameOfView(const std::shared_ptr<const NodeView>& view) {
  return view->node->metadata.name;
}

std::span<const api::Device> DevicesOf(const api::ResourceSlice& slice) {
  return {slice.spec.devices.begin(), slice.spec.devices.size()};
}

std::vector<std::string> ConsumersOf(const api::ResourceClaim& claim) {
  std::vector<std::string> consumers;
  for (const api::ResourceClaimConsumerReference& consumer : claim.status.reserved_for) {
    consumers.push_back(fmt::format(
        "{}/{}", consumer.resource == "pods" ? "pod" : consumer.resource, consumer.name));
  }
  return consumers;
}

template <typename T>
void EraseNamed(std::shared_ptr<T>& part, std::string_view name) {
  if (part->find(name) != part->end()) {
    T& map = Own(part);
    map.erase(map.find(name));
  }
}

}  // namespace

std::string KeyOf(const api::ResourceClaim& claim) {
  return claim.metadata.uid.empty() ? NameOf(claim) : claim.metadata.uid;
}

Snapshot::Snapshot(const selector::Language& language, const Features& features)
    : features_(features),
      shapes_(std::make_shared<ShapeStore>(features)),
      table_(std::make_shared<selector::DeviceTable>(language.columns())),
      slices_(std::make_shared<SliceIndex>()),
      ledger_(std::make_shared<Ledger>()),
      marks_(std::make_shared<Marks>()),
      classes_(std::make_shared<ClassesByName>()),
      taint_rules_(std::make_shared<TaintRules>()),
      nodes_(std::make_shared<NodesByName>()),
      views_(std::make_shared<ViewList>()) {}

Inventory Snapshot::Fork() const { return Inventory(*this); }

const NodeView* Snapshot::ViewOf(std::string_view node) const {
  const auto found = std::ranges::lower_bound(*views_, node, {}, NameOfView);
  const bool is_it = found != views_->end() && NameOfView(*found) == node;
  return is_it ? found->get() : nullptr;
}

const Unpublished* Snapshot::UnpublishedOf(const Pool& pool) const {
  if (ledger_->empty()) {
    return nullptr;
  }
  const auto found = ledger_->find(PoolKey(pool.driver, pool.name));
  return found == ledger_->end() ? nullptr : &found->second;
}

Snapshot Inventory::Take() {
  RefreshViews();
  return state_;
}

// --- Slices.

void Inventory::AddSlice(const api::ResourceSlice& slice) {
  Slice made = MakeSlice(slice, Own(state_.shapes_));
  made.rows = Own(state_.table_).AddSlice(slice.spec.driver, DevicesOf(slice));
  const auto added = std::make_shared<const Slice>(std::move(made));
  Own(state_.slices_).Add(added);
  MarkSlice(*added);
  Outdate(*added);
  FollowPool(added->driver, added->pool, nullptr);
}

void Inventory::SetSlice(const api::ResourceSlice& slice) {
  const std::shared_ptr<const Slice> before = state_.slices_->Find(slice.metadata.name);
  if (before == nullptr) {
    AddSlice(slice);
    return;
  }
  Slice made = MakeSlice(slice, Own(state_.shapes_));
  made.rows = before->rows;
  const auto after = std::make_shared<const Slice>(std::move(made));
  Outdate(*before);
  Own(state_.table_).ReplaceSlice(after->rows, slice.spec.driver, DevicesOf(slice));
  Own(state_.slices_).Replace(before, after);
  MarkSlice(*after);
  Outdate(*after);
  FollowPool(before->driver, before->pool, before.get());
  FollowPool(after->driver, after->pool, before.get());
}

void Inventory::RemoveSlice(std::string_view name) {
  if (const std::shared_ptr<const Slice> slice = state_.slices_->Find(name)) {
    Outdate(*slice);
    Own(state_.table_).RemoveSlice(slice->rows);
    Own(state_.slices_).Remove(slice);
    FollowPool(slice->driver, slice->pool, slice.get());
  }
}

void Inventory::FollowPool(const std::string& driver, const std::string& pool,
                           const Slice* before) {
  const std::string key = PoolKey(driver, pool);
  const bool of_this_pool = before != nullptr && PoolKey(before->driver, before->pool) == key;
  UpdateLedger(key, of_this_pool ? before : nullptr);
}

void Inventory::UpdateLedger(const std::string& key, const Slice* before) {
  if (state_.held_.empty()) {
    return;
  }
  const auto known = state_.ledger_->find(key);
  Unpublished unpublished =
      FollowSlices(known == state_.ledger_->end() ? Unpublished() : known->second, SlicesOf(key),
                   before, state_.held_);
  if (!unpublished.empty()) {
    Own(state_.ledger_)[key] = std::move(unpublished);
  } else if (known != state_.ledger_->end()) {
    Own(state_.ledger_).erase(key);
  }
}

const SliceList& Inventory::SlicesOf(const std::string& key) const {
  static const SliceList none;
  const auto listed = state_.slices_->by_pool.find(key);
  return listed == state_.slices_->by_pool.end() ? none : listed->second;
}

// --- What else decides.

void Inventory::SetClass(api::DeviceClass device_class) {
  std::string name = device_class.metadata.name;
  Own(state_.classes_)
      .insert_or_assign(std::move(name),
                        std::make_shared<const api::DeviceClass>(std::move(device_class)));
}

void Inventory::RemoveClass(std::string_view name) { EraseNamed(state_.classes_, name); }

void Inventory::SetTaintRule(api::DeviceTaintRule rule) {
  TaintRules& rules = Own(state_.taint_rules_);
  const auto same = std::ranges::find_if(
      rules, [&](const auto& each) { return each.metadata.name == rule.metadata.name; });
  if (same != rules.end() && !rule.metadata.name.empty()) {
    *same = std::move(rule);
  } else {
    rules.push_back(std::move(rule));
  }
  MarkEverything();
}

void Inventory::RemoveTaintRule(std::string_view name) {
  std::erase_if(Own(state_.taint_rules_),
                [&](const auto& rule) { return rule.metadata.name == name; });
  MarkEverything();
}

void Inventory::SetNode(api::Node node) {
  std::string name = node.metadata.name;
  outdated_.insert(name);
  const auto [at, added] =
      Own(state_.nodes_)
          .insert_or_assign(std::move(name), std::make_shared<const api::Node>(std::move(node)));
  nodes_changed_ = nodes_changed_ || added;
}

void Inventory::RemoveNode(std::string_view name) {
  EraseNamed(state_.nodes_, name);
  nodes_changed_ = true;
}

// --- Claims.

void Inventory::SetClaim(const api::ResourceClaim& claim) {
  Holder holder{.claim = NameOf(claim), .holdings = {}, .consumers = ConsumersOf(claim)};
  if (claim.status.allocation) {
    holder.holdings = HoldingsOf(*claim.status.allocation, state_.features_.consumable_capacity);
  }
  SetHolder(KeyOf(claim), std::move(holder));
}

void Inventory::Release(const std::string& key) {
  SetHolder(key, {.claim = "", .holdings = {}, .consumers = {}});
}

void Inventory::SetHolder(const std::string& key, Holder holder) {
  const Holder* before = state_.held_.HolderOf(key);
  std::vector<Holding> changed = before != nullptr ? before->holdings : std::vector<Holding>();
  changed.insert(changed.end(), holder.holdings.begin(), holder.holdings.end());
  state_.held_.Set(key, std::move(holder));
  for (const Holding& holding : changed) {
    MarkDevice(holding.device);
  }
}

// --- Marks.

void Inventory::MarkSlice(const Slice& slice) {
  if (state_.table_->numbering() != numbering_) {
    MarkEverything();
    return;
  }
  Own(state_.marks_).Resize(state_.table_->size());
  const selector::Row first = state_.table_->rows(slice.rows).begin;
  const bool ruled = std::ranges::any_of(
      *state_.taint_rules_, [&](const auto& rule) { return ConcernsPool(rule, slice); });
  for (std::size_t i = 0; i < slice.devices.size(); ++i) {
    const selector::Row row = first + static_cast<selector::Row>(i);
    MarkRow(row, state_.held_.empty() ? nullptr : state_.held_.Find(slice.IdOf(i)));
    const bool tainted = state_.features_.device_taints &&
                         (ruled || !slice.devices[i].shape->taints.empty()) &&
                         std::ranges::any_of(TaintsOf(slice, i, *state_.taint_rules_), KeepsAway);
    state_.marks_->tainted.Set(row, tainted);
  }
}

void Inventory::MarkEverything() {
  if (state_.table_->numbering() != numbering_) {
    numbering_ = state_.table_->numbering();
    all_outdated_ = true;
  }
  for (const auto& slice : state_.slices_->all) {
    MarkSlice(*slice);
  }
}

void Inventory::MarkDevice(const DeviceId& device) {
  const HeldDevice* held = state_.held_.Find(device);
  const std::string key = PoolKey(device.driver, device.pool);
  const std::int64_t newest = NewestGeneration(SlicesOf(key));
  std::shared_ptr<const DeviceShape> shape;
  bool published = false;
  for (const auto& slice : SlicesOf(key)) {
    for (std::size_t i = 0; i < slice->devices.size(); ++i) {
      if (slice->devices[i].name == device.device) {
        MarkRow(state_.table_->rows(slice->rows).begin + static_cast<selector::Row>(i), held);
        published = published || slice->generation == newest;
        shape = slice->devices[i].shape;
      }
    }
  }
  if (held != nullptr && !published) {
    Own(state_.ledger_)[key].try_emplace(device.device, std::move(shape));
  } else {
    StrikeOff(key, device.device);
  }
}

void Inventory::MarkRow(selector::Row row, const HeldDevice* held) {
  Marks& marks = Own(state_.marks_);
  marks.in_use.Set(row, held != nullptr && held->exclusive > 0);
  marks.held.Set(row, held != nullptr);
}

void Inventory::StrikeOff(const std::string& key, const std::string& device) {
  const auto entry = state_.ledger_->find(key);
  if (entry == state_.ledger_->end() || !entry->second.contains(device)) {
    return;
  }
  Ledger& ledger = Own(state_.ledger_);
  ledger[key].erase(device);
  if (ledger[key].empty()) {
    ledger.erase(key);
  }
}

// --- Views.

// A slice matters to the nodes that see its pool, and to those that might see it whole with it.
void Inventory::Outdate(const Slice& slice) {
  const SliceList& all = SlicesOf(PoolKey(slice.driver, slice.pool));
  const auto is_named = [](const auto& each) { return !each->placement.node.empty(); };
  if (slice.placement.node.empty() || !std::ranges::all_of(all, is_named)) {
    all_outdated_ = true;
    return;
  }
  outdated_.insert(slice.placement.node);
  for (const auto& each : all) {
    outdated_.insert(each->placement.node);
  }
}

void Inventory::RefreshViews() {
  if (state_.table_->numbering() != numbering_) {
    MarkEverything();
  }
  const auto make = [&](const std::shared_ptr<const api::Node>& node) {
    return MakeView(*state_.slices_, *state_.table_, node, state_.features_);
  };
  if (all_outdated_ || nodes_changed_) {
    const ViewList& before = *state_.views_;
    auto after = std::make_shared<ViewList>();
    after->reserve(state_.nodes_->size());
    auto old = before.begin();
    for (const auto& [name, node] : *state_.nodes_) {
      while (old != before.end() && NameOfView(*old) < name) {
        ++old;
      }
      const bool keep = old != before.end() && NameOfView(*old) == name && !IsOutdated(name);
      after->push_back(keep ? *old : make(node));
    }
    state_.views_ = std::move(after);
  } else if (!outdated_.empty()) {
    ViewList& views = Own(state_.views_);
    for (const std::string& name : outdated_) {
      const auto at = std::ranges::lower_bound(views, std::string_view(name), {}, NameOfView);
      if (at != views.end() && NameOfView(*at) == name) {
        *at = make(state_.nodes_->find(name)->second);
      }
    }
  }
  outdated_.clear();
  all_outdated_ = nodes_changed_ = false;
}

}  // namespace quadra::inventory
