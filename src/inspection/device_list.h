// DeviceList: the devices of a snapshot as people ask about them: of each pool the newest
// generation, as the scheduler has it, in the order in which the slices were read.
//
//   DeviceReader reader(language);
//   api::ReadObject(object, reader);              // slices and classes, one by one
//   const DeviceList devices(reader.Take(), {.node = &node});
//   for (const DeviceList::Entry& entry : devices.entries()) Print(devices.NameOf(entry));
//
// Immutable, and may be read by any number of threads. Memory: the snapshot's and 16 bytes a
// device.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "api/kinds.h"
#include "inventory/inventory.h"
#include "selector/selector.h"

namespace quadra::inspection {

// What was published: a snapshot, and its slices in the order in which they came.
struct Published {
  inventory::Snapshot snapshot;
  std::vector<std::string> slices;  // names
};

// A sink of api/object_reader.h: takes slices and classes. Slices without a name get one, so that
// manifests written by hand count; of two with one name the later counts. Not thread-safe.
class DeviceReader {
 public:
  // `language` must outlive this and all that comes from it.
  explicit DeviceReader(const selector::Language& language)
      : inventory_(language, inventory::Features()) {}

  void operator()(api::ResourceSlice slice);
  void operator()(api::DeviceClass device_class);

  Published Take() { return {inventory_.Take(), order_}; }

 private:
  inventory::Inventory inventory_;
  std::vector<std::string> order_;
  std::size_t unnamed_ = 0;
};

class DeviceList {
 public:
  struct Options {
    // Only devices that this node can use; null: all. A device whose node selector cannot be read
    // is for no node.
    const api::Node* node = nullptr;
  };
  DeviceList(Published published, const Options& options);

  struct Entry {
    selector::Row row;  // in table()
    std::uint32_t slice;
    std::uint32_t device;  // of the slice
  };
  const std::vector<Entry>& entries() const { return entries_; }
  std::size_t size() const { return entries_.size(); }
  std::string NameOf(const Entry& entry) const;  // driver/pool/device
  // The one node that has it; empty where several may use it.
  const std::string& NodeOf(const Entry& entry) const;
  const std::string& SliceOf(const Entry& entry) const { return SliceAt(entry).name; }

  const selector::DeviceTable& table() const { return published_.snapshot.table(); }
  const std::shared_ptr<const selector::DeviceTable>& shared_table() const {
    return published_.snapshot.shared_table();
  }
  // How many of the devices have the column.
  std::size_t DevicesWith(selector::ColumnId column) const {
    return column < column_counts_.size() ? column_counts_[column] : 0;
  }
  bool has_slices() const { return !slices_.empty(); }
  // What was left out: devices of slices that a newer generation supersedes, and devices whose node
  // selector cannot be read where a node was asked for.
  std::size_t superseded() const { return superseded_; }
  std::size_t unreadable() const { return unreadable_; }

  // Null if there is none.
  const api::DeviceClass* FindClass(std::string_view name) const;
  std::vector<std::string_view> ClassNames() const;

 private:
  const inventory::Slice& SliceAt(const Entry& entry) const { return *slices_[entry.slice]; }
  void FindSlices();
  void AddEntries(std::size_t slice, const api::Node* node);
  void CountColumns();

  Published published_;
  std::vector<std::shared_ptr<const inventory::Slice>> slices_;
  std::vector<Entry> entries_;
  std::vector<std::size_t> column_counts_;  // by ColumnId
  std::size_t superseded_ = 0;
  std::size_t unreadable_ = 0;
};

// "attribute d/modle is on 0 of 12 devices; \"model\" is on 8" for a column that no device has;
// empty for one that some have.
std::string UnknownColumn(selector::ColumnId column, const DeviceList& devices);

}  // namespace quadra::inspection
