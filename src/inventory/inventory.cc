#include "inventory/inventory.h"

#include <memory>
#include <utility>

namespace quadra::inventory {

void Inventory::AddSlice(const api::ResourceSlice& slice) {
  Slice made = MakeSlice(slice, shapes_);
  const std::vector<api::Device> devices(slice.spec.devices.begin(), slice.spec.devices.end());
  made.rows = table_.AddSlice(slice.spec.driver, devices);
  slices_.Add(std::make_shared<const Slice>(std::move(made)));
}

void Inventory::SetClass(api::DeviceClass device_class) {
  std::string name = device_class.metadata.name;
  classes_.insert_or_assign(std::move(name), std::move(device_class));
}

void Inventory::SetNode(api::Node node) {
  std::string name = node.metadata.name;
  nodes_.insert_or_assign(std::move(name), std::move(node));
}

void Inventory::SetClaim(const api::ResourceClaim& claim) {
  const std::string name = claim.metadata.ns + "/" + claim.metadata.name;
  Holder holder{.claim = name, .holdings = {}};
  if (claim.status.allocation) {
    holder.holdings = HoldingsOf(*claim.status.allocation, consumable_capacity_);
  }
  held_.Set(claim.metadata.uid.empty() ? name : claim.metadata.uid, std::move(holder));
}

}  // namespace quadra::inventory
