#include "cli/device_dump.h"

#include <algorithm>

#include <fmt/format.h>

#include "api/node_match.h"
#include "api/object_reader.h"

namespace quadra::cli {
namespace {

std::string PoolKey(std::string_view driver, std::string_view pool) {
  return fmt::format("{}/{}", driver, pool);
}

}  // namespace

Status DeviceDump::Take(const json::Manifest& manifest, const Identity& identity) {
  struct Sink {
    DeviceDump& dump;
    void operator()(const api::ResourceSlice& slice) { dump.AddSlice(slice); }
    void operator()(api::DeviceClass given) {
      std::string name = given.metadata.name;
      dump.classes_.insert_or_assign(std::move(name), std::move(given));
    }
    void operator()(const api::Node& node) {
      dump.node_labels_[node.metadata.name] = node.metadata.labels;
    }
  };
  QUADRA_RETURN_IF_ERROR(api::ReadObject(
      {.api_version = identity.api_version, .kind = identity.kind, .json = manifest.json()},
      Sink{*this}));
  return {};
}

void DeviceDump::AddSlice(const api::ResourceSlice& slice) {
  const api::ResourceSliceSpec& spec = slice.spec;
  const std::vector<api::Device> devices(spec.devices.begin(), spec.devices.end());
  Slice added{.id = table_.AddSlice(spec.driver, devices),
              .name = slice.metadata.name,
              .driver = spec.driver,
              .pool = spec.pool.name,
              .generation = spec.pool.generation,
              .placement = {spec.node_name, spec.node_selector, spec.all_nodes.value_or(false)},
              .device_placements = {},
              .devices = {}};
  for (const api::Device& device : devices) {
    added.devices.push_back(device.name);
    if (spec.per_device_node_selection.value_or(false)) {
      added.device_placements.push_back(
          {device.node_name, device.node_selector, device.all_nodes.value_or(false)});
    }
  }
  std::int64_t& newest =
      newest_.try_emplace(PoolKey(spec.driver, spec.pool.name), spec.pool.generation).first->second;
  newest = std::max(newest, spec.pool.generation);
  slices_.push_back(std::move(added));
}

void DeviceDump::Finish(const std::optional<std::string>& node) {
  for (const Slice& slice : slices_) {
    if (IsOutdated(slice)) {
      outdated_ += slice.devices.size();
      table_.RemoveSlice(slice.id);
    }
  }
  for (const Slice& slice : slices_) {
    if (!IsOutdated(slice)) {
      AddEntries(slice, node);
    }
  }
  CountColumns();
}

void DeviceDump::CountColumns() {
  column_counts_.resize(table_.columns().size());
  for (const Entry& device : entries_) {
    table_.VisitColumns(device.row, [&](selector::ColumnId column) { ++column_counts_[column]; });
  }
}

bool DeviceDump::IsOutdated(const Slice& slice) const {
  return slice.generation < newest_.find(PoolKey(slice.driver, slice.pool))->second;
}

bool DeviceDump::Serves(const Placement& placement, const std::string& node) const {
  if (placement.all || placement.node == node) {
    return true;
  }
  static const api::Map<std::string> no_labels;
  const auto labels = node_labels_.find(node);
  return placement.selector &&
         api::Matches(*placement.selector, node,
                      labels == node_labels_.end() ? no_labels : labels->second);
}

void DeviceDump::AddEntries(const Slice& slice, const std::optional<std::string>& node) {
  const selector::RowRange rows = table_.rows(slice.id);
  for (std::size_t i = 0; i < slice.devices.size(); ++i) {
    const Placement& placement =
        slice.device_placements.empty() ? slice.placement : slice.device_placements[i];
    if (node && !Serves(placement, *node)) {
      continue;
    }
    entries_.push_back({.row = rows.begin + static_cast<selector::Row>(i),
                        .name = fmt::format("{}/{}/{}", slice.driver, slice.pool, slice.devices[i]),
                        .node = placement.node.value_or(""),
                        .slice = slice.name});
  }
}

const api::DeviceClass* DeviceDump::FindClass(std::string_view name) const {
  const auto found = classes_.find(name);
  return found == classes_.end() ? nullptr : &found->second;
}

std::vector<std::string_view> DeviceDump::ClassNames() const {
  std::vector<std::string_view> names;
  names.reserve(classes_.size());
  for (const auto& [name, device_class] : classes_) {
    names.emplace_back(name);
  }
  return names;
}

}  // namespace quadra::cli
