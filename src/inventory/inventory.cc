#include "inventory/inventory.h"

#include <algorithm>
#include <set>
#include <span>
#include <utility>

#include <fmt/format.h>

namespace quadra::inventory {
namespace {

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

bool NamesItsNode(const std::shared_ptr<const Slice>& slice) {
  return !slice->placement.node.empty();
}

}  // namespace

std::string ClaimKey(const api::ResourceClaim& claim) {
  return claim.metadata.uid.empty() ? api::FullNameOf(claim) : claim.metadata.uid;
}

Snapshot::Snapshot(const selector::Language& language, const Features& features)
    : features_(features), shapes_(features), taint_rules_(std::make_shared<const TaintRules>()) {
  selector::TableWriter writer(language.columns());
  lineage_ = writer.lineage();
  table_ = writer.Take();
}

Inventory::Inventory(Snapshot state)
    : state_(std::move(state)),
      table_(state_.table_, state_.lineage_),
      epoch_(state_.lineage_->Next()) {}

Inventory Snapshot::Fork() const { return Inventory(*this); }

const NodeView* Snapshot::ViewOf(std::string_view node) const {
  const auto found = views_.seats().find(node);
  return found == views_.seats().end() ? nullptr : found->second.view.get();
}

const Unpublished* Snapshot::UnpublishedOf(const Pool& pool) const {
  return ledger_.empty() ? nullptr : ledger_.Find(PoolKey(pool.driver, pool.name));
}

Snapshot::Sizes Snapshot::sizes() const {
  return {
      .rows = table_->size(), .device_classes = table_->classes_in_use(), .shapes = shapes_.size()};
}

Snapshot Inventory::Take() {
  RefreshViews();
  state_.table_ = table_.Take();
  epoch_ = state_.lineage_->Next();
  return state_;
}

// --- Slices.

void Inventory::AddSlice(const api::ResourceSlice& slice) {
  Slice made = state_.shapes_.MakeSlice(epoch_, slice);
  made.rows = table_.AddSlice(slice.spec.driver, DevicesOf(slice));
  const auto added = std::make_shared<const Slice>(std::move(made));
  const std::string pool = PoolKey(added->driver, added->pool);
  state_.slices_.Add(epoch_, added);
  MarkSlice(*added);
  Touch(pool, true);
  UpdateLedger(pool, nullptr);
}

void Inventory::SetSlice(const api::ResourceSlice& slice) {
  const std::shared_ptr<const Slice> before = state_.slices_.Find(slice.metadata.name);
  if (before == nullptr) {
    AddSlice(slice);
    return;
  }
  Slice made = state_.shapes_.MakeSlice(epoch_, slice);
  state_.shapes_.LetGo(epoch_, *before);
  made.rows = table_.ReplaceSlice(before->rows, slice.spec.driver, DevicesOf(slice));
  const auto after = std::make_shared<const Slice>(std::move(made));
  const std::string old_pool = PoolKey(before->driver, before->pool);
  const std::string pool = PoolKey(after->driver, after->pool);
  Touch(old_pool, true);
  state_.slices_.Replace(epoch_, before, after);
  MarkSlice(*after);
  Touch(pool, true);
  UpdateLedger(old_pool, before.get());
  if (pool != old_pool) {
    UpdateLedger(pool, nullptr);
  }
}

void Inventory::RemoveSlice(std::string_view name) {
  const std::shared_ptr<const Slice> slice = state_.slices_.Find(std::string(name));
  if (slice == nullptr) {
    return;
  }
  const std::string pool = PoolKey(slice->driver, slice->pool);
  Touch(pool, true);
  table_.RemoveSlice(slice->rows);
  state_.shapes_.LetGo(epoch_, *slice);
  state_.slices_.Remove(epoch_, slice);
  UpdateLedger(pool, slice.get());
}

void Inventory::UpdateLedger(const std::string& key, const Slice* before) {
  if (state_.held_.empty()) {
    return;
  }
  const Unpublished* known = state_.ledger_.Find(key);
  Unpublished unpublished = FollowSlices(known == nullptr ? Unpublished() : *known,
                                         state_.slices_.OfPool(key), before, state_.held_);
  if (unpublished.empty()) {
    state_.ledger_.Erase(epoch_, key);
  } else {
    state_.ledger_.Set(epoch_, key, std::move(unpublished));
  }
}

// --- What else decides.

void Inventory::SetClass(api::DeviceClass device_class) {
  std::string name = device_class.metadata.name;
  state_.classes_.Set(epoch_, std::move(name),
                      std::make_shared<const api::DeviceClass>(std::move(device_class)));
}

void Inventory::RemoveClass(std::string_view name) { state_.classes_.Erase(epoch_, name); }

void Inventory::SetTaintRule(api::DeviceTaintRule rule) {
  TaintRules rules = *state_.taint_rules_;
  const auto same = std::ranges::find_if(
      rules, [&](const auto& each) { return each.metadata.name == rule.metadata.name; });
  if (same != rules.end() && !rule.metadata.name.empty()) {
    *same = std::move(rule);
  } else {
    rules.push_back(std::move(rule));
  }
  state_.taint_rules_ = std::make_shared<const TaintRules>(std::move(rules));
  MarkEverything();
}

void Inventory::RemoveTaintRule(std::string_view name) {
  TaintRules rules = *state_.taint_rules_;
  std::erase_if(rules, [&](const auto& rule) { return rule.metadata.name == name; });
  state_.taint_rules_ = std::make_shared<const TaintRules>(std::move(rules));
  MarkEverything();
}

void Inventory::SetNode(api::Node node) {
  std::string name = node.metadata.name;
  outdated_.nodes.insert(name);
  state_.nodes_.Set(epoch_, std::move(name), std::make_shared<const api::Node>(std::move(node)));
}

void Inventory::RemoveNode(std::string_view name) {
  outdated_.nodes.insert(std::string(name));
  state_.nodes_.Erase(epoch_, name);
}

// --- Claims.

void Inventory::SetClaim(const api::ResourceClaim& claim) {
  Holder holder{.claim = api::FullNameOf(claim), .holdings = {}, .consumers = ConsumersOf(claim)};
  if (claim.status.allocation) {
    holder.holdings = HoldingsOf(*claim.status.allocation, state_.features_.consumable_capacity);
  }
  SetHolder(ClaimKey(claim), std::move(holder));
}

void Inventory::Release(const std::string& key) {
  SetHolder(key, {.claim = "", .holdings = {}, .consumers = {}});
}

void Inventory::SetHolder(const std::string& key, Holder holder) {
  const Holder* before = state_.held_.HolderOf(key);
  std::vector<Holding> changed = before != nullptr ? before->holdings : std::vector<Holding>();
  changed.insert(changed.end(), holder.holdings.begin(), holder.holdings.end());
  state_.held_.Set(epoch_, key, std::move(holder));
  for (const Holding& holding : changed) {
    MarkDevice(holding.device);
  }
}

// --- Marks.

void Inventory::MarkSlice(const Slice& slice) {
  state_.marks_.Resize(epoch_, table_.now().size());
  const selector::Row first = table_.now().rows(slice.rows).begin;
  const bool ruled = std::ranges::any_of(
      *state_.taint_rules_, [&](const auto& rule) { return ConcernsPool(rule, slice); });
  for (std::size_t i = 0; i < slice.devices.size(); ++i) {
    const selector::Row row = first + static_cast<selector::Row>(i);
    MarkRow(row, state_.held_.empty() ? nullptr : state_.held_.Find(slice.IdOf(i)));
    const bool tainted = state_.features_.device_taints &&
                         (ruled || !slice.devices[i].shape->taints.empty()) &&
                         std::ranges::any_of(TaintsOf(slice, i, *state_.taint_rules_), KeepsAway);
    state_.marks_.tainted.Set(epoch_, row, tainted);
  }
}

void Inventory::MarkEverything() {
  touched_.all = true;
  state_.slices_.VisitPools([&](const std::string&, const SliceList& slices) {
    for (const auto& slice : slices) {
      MarkSlice(*slice);
    }
  });
}

void Inventory::MarkDevice(const DeviceId& device) {
  const HeldDevice* held = state_.held_.Find(device);
  const std::string key = PoolKey(device.driver, device.pool);
  const SliceList& slices = state_.slices_.OfPool(key);
  const std::int64_t newest = NewestGeneration(slices);
  std::shared_ptr<const DeviceShape> shape;
  bool published = false;
  for (const auto& slice : slices) {
    for (std::size_t i = 0; i < slice->devices.size(); ++i) {
      if (slice->devices[i].name == device.device) {
        MarkRow(table_.now().rows(slice->rows).begin + static_cast<selector::Row>(i), held);
        published = published || slice->generation == newest;
        shape = slice->devices[i].shape;
      }
    }
  }
  if (held == nullptr || published) {
    StrikeOff(key, device.device);
  } else {
    const Unpublished* known = state_.ledger_.Find(key);
    Unpublished unpublished = known == nullptr ? Unpublished() : *known;
    unpublished.try_emplace(device.device, std::move(shape));
    state_.ledger_.Set(epoch_, key, std::move(unpublished));
  }
  Touch(key, false);
}

void Inventory::MarkRow(selector::Row row, const HeldDevice* held) {
  state_.marks_.in_use.Set(epoch_, row, held != nullptr && held->exclusive > 0);
  state_.marks_.SetHeld(epoch_, row, held);
}

void Inventory::StrikeOff(const std::string& key, const std::string& device) {
  const Unpublished* known = state_.ledger_.Find(key);
  if (known == nullptr || !known->contains(device)) {
    return;
  }
  Unpublished rest = *known;
  rest.erase(device);
  if (rest.empty()) {
    state_.ledger_.Erase(epoch_, key);
  } else {
    state_.ledger_.Set(epoch_, key, std::move(rest));
  }
}

// --- Views.

// The nodes that see a pool are known where all of its slices name theirs.
void Inventory::Touch(const std::string& pool_key, bool anew) {
  Changed& changed = anew ? outdated_ : touched_;
  const SliceList& slices = state_.slices_.OfPool(pool_key);
  if (!std::ranges::all_of(slices, NamesItsNode)) {
    changed.all = true;
    return;
  }
  for (const auto& slice : slices) {
    changed.nodes.insert(slice->placement.node);
  }
}

void Inventory::RefreshViews() {
  if (touched_.all || outdated_.all) {
    state_.all_version_ = epoch_;
  }
  if (outdated_.all) {
    for (const auto& [name, node] : state_.nodes_) {
      RefreshView(name);
    }
  }
  // In order, so that views lie in memory as they will be walked.
  for (const std::string& name : std::set(outdated_.nodes.begin(), outdated_.nodes.end())) {
    if (!outdated_.all || !state_.nodes_.contains(name)) {
      RefreshView(name);
    }
  }
  for (const std::string& name : touched_.nodes) {
    const auto seat = state_.views_.seats().find(name);
    if (seat != state_.views_.seats().end()) {
      state_.views_.seats().Set(epoch_, name, {seat->second.view, epoch_});
    }
  }
  touched_ = {};
  outdated_ = {};
}

void Inventory::RefreshView(const std::string& node) {
  const auto known = state_.nodes_.find(node);
  if (known == state_.nodes_.end()) {
    state_.views_.seats().Erase(epoch_, node);
    return;
  }
  state_.views_.seats().Set(
      epoch_, node,
      {MakeView(state_.slices_, table_.now(), known->second, state_.features_), epoch_});
}

}  // namespace quadra::inventory
