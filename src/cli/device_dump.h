// DeviceDump: the devices of a dump of a cluster, ready to be selected from, with the classes and
// nodes that selecting needs.
//
// Slices become rows of a table as they are read, so a dump of any size needs little more memory
// than its text. Of each pool only the newest generation counts, as the scheduler has it. Not
// thread-safe.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/kinds.h"
#include "base/result.h"
#include "cli/identity.h"
#include "json/manifest.h"
#include "selector/selector.h"

namespace quadra::cli {

class DeviceDump {
 public:
  // `language` must outlive this.
  explicit DeviceDump(const selector::Language& language) : table_(language.columns()) {}

  // Takes a ResourceSlice, DeviceClass or Node; other kinds are left alone.
  Status Take(const json::Manifest& manifest, const Identity& identity);
  // To be called once, after the last object: drops outdated slices, and with `node` those that
  // are not for that node.
  void Finish(const std::optional<std::string>& node);

  struct Entry {
    selector::Row row;
    std::string name;  // driver/pool/device
    std::string node;  // the slice's or device's node; empty where several may use it
    std::string slice;
  };
  // In the order of the dump. Valid after Finish().
  const std::vector<Entry>& devices() const { return entries_; }
  const selector::DeviceTable& table() const { return table_; }
  // How many of the devices have the column.
  std::size_t DevicesWith(selector::ColumnId column) const {
    return column < column_counts_.size() ? column_counts_[column] : 0;
  }
  bool has_slices() const { return !slices_.empty(); }
  std::size_t outdated() const { return outdated_; }  // devices of slices that were superseded
  const api::DeviceClass* FindClass(std::string_view name) const;
  std::vector<std::string_view> ClassNames() const;

 private:
  // Which nodes may use a slice or a device.
  struct Placement {
    std::optional<std::string> node;
    std::optional<api::NodeSelector> selector;
    bool all = false;
  };
  struct Slice {
    selector::SliceId id;
    std::string name;
    std::string driver;
    std::string pool;
    std::int64_t generation;
    Placement placement;
    std::vector<Placement> device_placements;  // empty unless each device has its own
    std::vector<std::string> devices;
  };

  void AddSlice(const api::ResourceSlice& slice);
  bool IsOutdated(const Slice& slice) const;
  bool Serves(const Placement& placement, const std::string& node) const;
  void AddEntries(const Slice& slice, const std::optional<std::string>& node);
  void CountColumns();

  selector::DeviceTable table_;
  std::vector<Slice> slices_;
  std::map<std::string, std::int64_t> newest_;  // generation by driver/pool
  std::map<std::string, api::DeviceClass, std::less<>> classes_;
  std::map<std::string, api::Map<std::string>> node_labels_;
  std::vector<Entry> entries_;
  std::vector<std::size_t> column_counts_;  // by ColumnId
  std::size_t outdated_ = 0;
};

}  // namespace quadra::cli
