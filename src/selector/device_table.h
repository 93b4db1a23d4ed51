// DeviceTable: the devices of a cluster as rows, grouped so that an expression is evaluated once
// per kind of device rather than once per device.
//
// Rows that agree in all that expressions can read form a class; a class has its facts once. Facts
// that tell nearly every device apart (a uuid, a serial number) would make every class a class of
// one: such columns are found by sampling and kept beside the row instead. So the table is small (a
// row is four bytes plus its own facts) and bitmaps.h reads it at memory speed. As the table grows
// or changes it is built anew now and then, which keeps the cost of a write constant on average and
// drops what is no longer used.
//
// The devices of a slice are consecutive rows; replacing a slice touches its rows only. One writer;
// any number of readers while nobody writes. Every change raises version().
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "api/kinds.h"
#include "selector/facts.h"

namespace quadra::selector {

using Row = std::uint32_t;
using ClassId = std::uint32_t;
using SliceId = std::uint32_t;

// Rows [begin, end).
struct RowRange {
  Row begin = 0;
  Row end = 0;
  std::size_t size() const { return end - begin; }
  friend bool operator==(const RowRange&, const RowRange&) = default;
};

class DeviceTable {
 public:
  // Rows of no device, left by slices that went away, belong to this class.
  static constexpr ClassId kNoDevice = 0;

  // `columns` must be those of the Language that compiles the expressions, and outlive this.
  explicit DeviceTable(Columns& columns);
  // A table of its own with the same rows, at the cost of copying all of it.
  DeviceTable(const DeviceTable& other);
  DeviceTable& operator=(const DeviceTable&) = delete;

  // --- Writing.
  SliceId AddSlice(std::string_view driver, std::span<const api::Device> devices);
  // Keeps the rows where the number of devices stays the same.
  void ReplaceSlice(SliceId slice, std::string_view driver, std::span<const api::Device> devices);
  void RemoveSlice(SliceId slice);

  // --- Reading.
  RowRange rows(SliceId slice) const { return slices_[slice].rows; }
  // Rows, with those of no device among them.
  std::size_t size() const { return class_of_.size(); }
  std::size_t devices() const { return devices_; }
  std::span<const ClassId> classes() const { return class_of_; }
  std::size_t class_count() const { return classes_.size(); }
  bool is_device(Row row) const { return class_of_[row] != kNoDevice; }
  // Why every expression fails on this device; empty if none does.
  const std::string& poison(ClassId id) const { return classes_[id].poison; }
  // Whether rows keep this column for themselves.
  bool is_own(ColumnId column) const { return own_columns_.contains(column); }
  bool has_own_columns() const { return !own_columns_.empty(); }
  // The facts that all rows of a class share, and all facts of a row. Valid until the next write.
  FactsInputs ClassInputs(ClassId id) const;
  FactsInputs RowInputs(Row row) const;
  // Calls `visit` with each column the device has.
  template <typename Visit>
  void VisitColumns(Row row, const Visit& visit) const {
    std::ranges::for_each(classes_[class_of_[row]].columns, visit);
    std::ranges::for_each(own_[row].columns, visit);
  }
  const Columns& columns() const { return columns_; }

  // --- Following changes.
  std::uint64_t version() const { return version_; }
  // Rises when rows or classes were numbered anew: what was learned before is void.
  std::uint64_t numbering() const { return numbering_; }
  // Rows changed after `version`, in order of change; a range may occur twice, and after very many
  // changes one range stands for all. REQUIRES: numbering() is what it was then.
  std::vector<RowRange> ChangedSince(std::uint64_t version) const;

 private:
  struct Class {
    std::vector<ColumnId> columns;
    std::vector<cel::Value> values;
    std::string poison;
  };
  struct ClassHash {
    const DeviceTable* table;
    std::size_t operator()(ClassId id) const;
  };
  struct ClassEqual {
    const DeviceTable* table;
    bool operator()(ClassId a, ClassId b) const;
  };
  struct OwnFacts {
    std::vector<ColumnId> columns;
    std::vector<cel::Value> values;
  };
  struct Slice {
    RowRange rows;
    bool live = false;
  };
  struct Change {
    std::uint64_t version;
    RowRange rows;
  };

  ClassId Intern(Class wanted);
  void SetRow(Row row, Facts facts);
  void ClearRows(RowRange rows);
  RowRange TakeRows(std::size_t count);
  void Fill(RowRange rows, std::string_view driver, std::span<const api::Device> devices);
  void Note(RowRange rows);
  // All facts of a row together, values still of this store.
  Facts FactsOf(Row row) const;
  // Builds everything anew when the table has grown, and other columns tell devices apart by now,
  // or changed so much that it pays.
  void RegroupIfDue();
  void Regroup();
  absl::flat_hash_set<ColumnId> FindOwnColumns() const;

  Columns& columns_;
  std::unique_ptr<ValueStore> store_;
  std::vector<Class> classes_;
  absl::flat_hash_set<ClassId, ClassHash, ClassEqual> class_index_;
  std::vector<ClassId> class_of_;  // by row
  std::vector<OwnFacts> own_;      // by row
  absl::flat_hash_set<ColumnId> own_columns_;
  std::vector<Slice> slices_;
  std::vector<SliceId> free_slices_;
  absl::flat_hash_map<std::size_t, std::vector<Row>> gaps_;  // starts, by length
  std::size_t devices_ = 0;
  std::size_t grouped_devices_ = 0;  // when grouping was last looked into
  std::size_t rows_written_ = 0;     // since then
  std::uint64_t version_ = 0;
  std::uint64_t numbering_ = 0;
  std::vector<Change> changes_;
};

}  // namespace quadra::selector
