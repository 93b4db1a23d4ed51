#include "inspection/device_list.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "absl/container/flat_hash_map.h"
#include "base/nearest.h"

namespace quadra::inspection {
namespace {

// Who may use a device: what its slice says, unless each device has its own.
const inventory::Placement& PlacementOf(const inventory::Slice& slice, std::size_t device) {
  const bool own = slice.devices_have_placements && slice.placement.empty();
  return own ? slice.devices[device].shape->placement : slice.placement;
}

}  // namespace

void DeviceReader::operator()(api::ResourceSlice slice) {
  std::string& name = slice.metadata.name;
  if (name.empty()) {
    name = fmt::format("unnamed-{:05}", ++unnamed_);
  }
  inventory_.SetSlice(slice);
  order_.push_back(std::move(name));
}

void DeviceReader::operator()(api::DeviceClass device_class) {
  inventory_.SetClass(std::move(device_class));
}

DeviceList::DeviceList(Published published, const Options& options)
    : published_(std::move(published)) {
  FindSlices();
  absl::flat_hash_map<std::string, std::int64_t> newest;  // generation by pool
  for (const auto& slice : slices_) {
    const std::string pool = inventory::PoolKey(slice->driver, slice->pool);
    std::int64_t& generation = newest.try_emplace(pool, slice->generation).first->second;
    generation = std::max(generation, slice->generation);
  }
  for (std::size_t i = 0; i < slices_.size(); ++i) {
    const inventory::Slice& slice = *slices_[i];
    if (slice.generation < newest.find(inventory::PoolKey(slice.driver, slice.pool))->second) {
      superseded_ += slice.devices.size();
    } else {
      AddEntries(i, options.node);
    }
  }
  CountColumns();
}

// A name that came twice has one slice, in the place of the first.
void DeviceList::FindSlices() {
  slices_.reserve(published_.slices.size());
  absl::flat_hash_map<const inventory::Slice*, bool> seen;
  for (const std::string& name : published_.slices) {
    std::shared_ptr<const inventory::Slice> slice = published_.snapshot.slices().Find(name);
    if (seen.try_emplace(slice.get(), true).second) {
      slices_.push_back(std::move(slice));
    }
  }
}

void DeviceList::AddEntries(std::size_t slice, const api::Node* node) {
  const inventory::Slice& from = *slices_[slice];
  const selector::RowRange rows = table().rows(from.rows);
  for (std::size_t i = 0; i < from.devices.size(); ++i) {
    const inventory::Placement& placement = PlacementOf(from, i);
    unreadable_ += node != nullptr && !placement.is_readable ? 1 : 0;
    if (node == nullptr || placement.Serves(*node)) {
      entries_.push_back({.row = rows.begin + static_cast<selector::Row>(i),
                          .slice = static_cast<std::uint32_t>(slice),
                          .device = static_cast<std::uint32_t>(i)});
    }
  }
}

void DeviceList::CountColumns() {
  column_counts_.resize(table().columns().size());
  for (const Entry& entry : entries_) {
    table().VisitColumns(entry.row, [&](selector::ColumnId column) { ++column_counts_[column]; });
  }
}

std::string DeviceList::NameOf(const Entry& entry) const {
  return SliceAt(entry).IdOf(entry.device).ToString();
}

const std::string& DeviceList::NodeOf(const Entry& entry) const {
  return PlacementOf(SliceAt(entry), entry.device).node;
}

const api::DeviceClass* DeviceList::FindClass(std::string_view name) const {
  const inventory::ClassesByName& classes = published_.snapshot.classes();
  const auto found = classes.find(name);
  return found == classes.end() ? nullptr : found->second.get();
}

std::vector<std::string_view> DeviceList::ClassNames() const {
  std::vector<std::string_view> names;
  for (const auto& [name, device_class] : published_.snapshot.classes()) {
    names.emplace_back(name);
  }
  return names;
}

std::string UnknownColumn(selector::ColumnId column, const DeviceList& devices) {
  if (devices.DevicesWith(column) > 0) {
    return "";
  }
  const selector::Columns& columns = devices.table().columns();
  const selector::ColumnName& name = columns.NameOf(column);
  std::vector<std::string_view> known;
  std::vector<std::size_t> known_counts;
  for (selector::ColumnId other = 0; other < columns.size(); ++other) {
    const selector::ColumnName& candidate = columns.NameOf(other);
    if (devices.DevicesWith(other) > 0 && candidate.kind == name.kind &&
        candidate.domain == name.domain) {
      known.emplace_back(candidate.id);
      known_counts.push_back(devices.DevicesWith(other));
    }
  }
  std::string text =
      fmt::format("{} {}/{} is on 0 of {} devices",
                  name.kind == selector::ColumnKind::kCapacity ? "capacity" : "attribute",
                  name.domain, name.id, devices.size());
  if (const std::string_view nearest = Nearest(name.id, known); !nearest.empty()) {
    const auto at = std::ranges::find(known, nearest) - known.begin();
    text += fmt::format("; \"{}\" is on {}", nearest, known_counts[static_cast<std::size_t>(at)]);
  }
  return text;
}

}  // namespace quadra::inspection
