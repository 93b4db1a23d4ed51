#include "inventory/inventory.h"

#include <algorithm>
#include <utility>

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

std::string KeyOf(const api::ResourceClaim& claim) {
  return claim.metadata.uid.empty() ? claim.metadata.ns + "/" + claim.metadata.name
                                    : claim.metadata.uid;
}

std::vector<api::Device> DevicesOf(const api::ResourceSlice& slice) {
  return {slice.spec.devices.begin(), slice.spec.devices.end()};
}

}  // namespace

Snapshot::Snapshot(const selector::Language& language, const Features& features)
    : features_(features),
      shapes_(std::make_shared<ShapeStore>()),
      table_(std::make_shared<selector::DeviceTable>(language.columns())),
      slices_(std::make_shared<SliceIndex>()),
      classes_(std::make_shared<ClassesByName>()),
      taint_rules_(std::make_shared<TaintRules>()),
      nodes_(std::make_shared<NodesByName>()) {}

Inventory Snapshot::Fork() const { return Inventory(*this); }

void Inventory::AddSlice(const api::ResourceSlice& slice) {
  Slice made = MakeSlice(slice, Own(state_.shapes_));
  made.rows = Own(state_.table_).AddSlice(slice.spec.driver, DevicesOf(slice));
  Own(state_.slices_).Add(std::make_shared<const Slice>(std::move(made)));
}

void Inventory::SetSlice(const api::ResourceSlice& slice) {
  const std::shared_ptr<const Slice> before = state_.slices_->Find(slice.metadata.name);
  if (before == nullptr) {
    AddSlice(slice);
    return;
  }
  Slice made = MakeSlice(slice, Own(state_.shapes_));
  made.rows = before->rows;
  Own(state_.table_).ReplaceSlice(made.rows, slice.spec.driver, DevicesOf(slice));
  Own(state_.slices_).Replace(before, std::make_shared<const Slice>(std::move(made)));
}

void Inventory::RemoveSlice(std::string_view name) {
  if (const std::shared_ptr<const Slice> slice = state_.slices_->Find(name)) {
    Own(state_.table_).RemoveSlice(slice->rows);
    Own(state_.slices_).Remove(slice);
  }
}

void Inventory::SetClass(api::DeviceClass device_class) {
  std::string name = device_class.metadata.name;
  Own(state_.classes_).insert_or_assign(std::move(name), std::move(device_class));
}

void Inventory::RemoveClass(std::string_view name) {
  std::erase_if(Own(state_.classes_), [&](const auto& entry) { return entry.first == name; });
}

void Inventory::SetTaintRule(api::DeviceTaintRule rule) {
  TaintRules& rules = Own(state_.taint_rules_);
  const auto same = std::ranges::find_if(
      rules, [&](const auto& each) { return each.metadata.name == rule.metadata.name; });
  if (same != rules.end()) {
    *same = std::move(rule);
  } else {
    rules.push_back(std::move(rule));
  }
}

void Inventory::RemoveTaintRule(std::string_view name) {
  std::erase_if(Own(state_.taint_rules_),
                [&](const auto& rule) { return rule.metadata.name == name; });
}

void Inventory::SetNode(api::Node node) {
  std::string name = node.metadata.name;
  Own(state_.nodes_).insert_or_assign(std::move(name), std::move(node));
}

void Inventory::RemoveNode(std::string_view name) {
  std::erase_if(Own(state_.nodes_), [&](const auto& entry) { return entry.first == name; });
}

void Inventory::SetClaim(const api::ResourceClaim& claim) {
  Holder holder{.claim = claim.metadata.ns + "/" + claim.metadata.name, .holdings = {}};
  if (claim.status.allocation) {
    holder.holdings = HoldingsOf(*claim.status.allocation, state_.features_.consumable_capacity);
  }
  state_.held_.Set(KeyOf(claim), std::move(holder));
}

void Inventory::RemoveClaim(const api::ResourceClaim& claim) {
  state_.held_.Set(KeyOf(claim), {.claim = "", .holdings = {}});
}

}  // namespace quadra::inventory
