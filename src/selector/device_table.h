// DeviceTable: the devices of a cluster as rows, grouped so that an expression is evaluated once
// per kind of device rather than once per device. TableWriter keeps one by events.
//
//   TableWriter writer(language.columns());
//   const SliceId slice = writer.AddSlice(driver, devices);
//   const std::shared_ptr<const DeviceTable> then = writer.Take();
//   writer.RemoveSlice(slice);                                   // `then` still has it
//
// Rows that agree in all that expressions can read form a class; a class has its facts once, and
// goes with its last row. Facts that tell nearly every device apart (a uuid, a serial number) would
// make every class a class of one: such columns are found by sampling and kept with the slice
// instead. So the table is small (eight bytes a row, and its own facts) and bitmaps.h reads it at
// memory speed.
//
// The devices of a slice are consecutive rows. A table is immutable and may be read by any number
// of threads; tables taken one after the other share all that did not change. Writing costs the
// slice, whoever still looks at earlier tables: its facts in a block of its own, and a few chunks
// of the columns by row. A writer belongs to one thread.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "api/kinds.h"
#include "base/chunks.h"
#include "base/ordered_map.h"
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
  // Rows whose classes lie side by side; a multiple of the bits of a word.
  static constexpr std::size_t kRowsOfChunk = 2048;

  RowRange rows(SliceId slice) const { return slices_[slice].rows; }
  // Rows, with those of no device among them.
  std::size_t size() const { return class_of_.size(); }
  std::size_t devices() const { return devices_; }
  bool is_device(Row row) const { return class_of_[row] != kNoDevice; }
  ClassId class_of(Row row) const { return class_of_[row]; }
  // Of the rows from this one to the end of its chunk.
  std::span<const ClassId> ClassesFrom(Row row) const { return class_of_.From(row); }
  // Classes have numbers below this one. Not all are in use.
  std::size_t class_count() const { return classes_.size(); }
  std::size_t classes_in_use() const { return class_index_.size(); }
  bool is_in_use(ClassId id) const { return FactsAt(id) != nullptr; }
  // Why every expression fails on these devices; empty if none does.
  const std::string& poison(ClassId id) const;
  const std::string& PoisonOf(Row row) const { return poison(class_of_[row]); }
  // Whether some rows keep this column for themselves.
  bool is_own(ColumnId column) const { return maybe_own_->contains(column); }
  bool has_own_columns() const { return !maybe_own_->empty(); }
  // The facts that all rows of a class share, and all facts of a row. Valid as long as this.
  FactsInputs ClassInputs(ClassId id) const { return {*columns_, SharedPart(id)}; }
  FactsInputs RowInputs(Row row) const {
    return {*columns_, SharedPart(class_of_[row]), *this, row};
  }
  // Calls `visit` with each column the device has.
  template <typename Visit>
  void VisitColumns(Row row, const Visit& visit) const {
    std::ranges::for_each(SharedPart(class_of_[row]).columns, visit);
    std::ranges::for_each(OwnPart(row).columns, visit);
  }
  const Columns& columns() const { return *columns_; }

  // Rows that are not what they are in `before`, any other table: an earlier or later one, or one
  // that went another way since. Cost: the changed slices, and a look at every 256th.
  std::vector<RowRange> ChangedSince(const DeviceTable& before) const;
  // Calls `visit` with the classes whose number means other facts in `before`.
  template <typename Visit>
  void VisitChangedClasses(const DeviceTable& before, const Visit& visit) const {
    Classes::VisitDifferences(before.classes_, classes_, [&](std::size_t begin, std::size_t end) {
      for (std::size_t id = begin; id < end; ++id) {
        if (before.FactsAt(id) != FactsAt(id)) {
          visit(static_cast<ClassId>(id));
        }
      }
    });
  }

 private:
  friend class TableWriter;
  friend class FactsInputs;
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

  using ColumnSet = absl::flat_hash_set<ColumnId>;
  // Facts side by side, with all that their values point to. Stays where it was made.
  struct Kept {
    std::vector<ColumnId> columns;
    std::vector<cel::Value> values;
    std::string texts;                   // of the values that are texts
    std::unique_ptr<ValueStore> others;  // of all other values that need one; null without

    // Takes in what the values point to, which is elsewhere so far.
    void TakeIn();
  };
  // What the rows of a class share.
  struct Shared : Kept {
    std::string poison;
    std::uint64_t hash = 0;
  };
  struct Class {
    std::shared_ptr<const Shared> facts;  // null: not in use
    std::uint32_t rows = 0;
    ClassId next_free = kNone;
  };
  // What the rows of a slice have for themselves. Those of its row i end at ends[i].
  struct Block : Kept {
    std::uint32_t grouping = 0;  // by which own and shared were told apart
    std::vector<std::uint32_t> ends;
  };
  // A run of rows, and the slice that has it. Runs have lengths that are powers of two; they are
  // never cut or joined, and given to the next slice of about that size.
  struct Run {
    RowRange rows;           // of devices
    std::uint32_t room = 0;  // the run is [rows.begin, rows.begin + room)
    SliceId next_free = kNone;
    std::shared_ptr<const Block> block;  // null: no slice has it
  };
  using Classes = Chunks<Class, 256>;
  using Runs = Chunks<Run, 256>;
  using ClassIndex = OrderedMap<std::pair<std::uint64_t, ClassId>, std::monostate>;

  explicit DeviceTable(Columns& columns);

  const Shared* FactsAt(std::size_t id) const {
    return id < classes_.size() ? classes_[id].facts.get() : nullptr;
  }
  FactsPart SharedPart(ClassId id) const {
    const Shared* facts = FactsAt(id);
    return facts != nullptr ? FactsPart{facts->columns, facts->values} : FactsPart{};
  }
  FactsPart OwnPart(Row row) const;
  // All facts of a row together, values still where they are kept.
  Facts FactsOf(Row row) const;

  Columns* columns_;
  Chunks<ClassId, kRowsOfChunk> class_of_;  // by row
  Chunks<SliceId, kRowsOfChunk> run_of_;    // by row
  Runs slices_;
  std::array<SliceId, 33> free_runs_;  // the first one, by the bits of their length
  Classes classes_;
  ClassId free_class_ = kNone;
  ClassIndex class_index_;  // by hash of the facts
  std::size_t devices_ = 0;

  // Grouping: see TableWriter::LookIntoGrouping.
  std::shared_ptr<const ColumnSet> own_columns_;  // for blocks made from now on
  std::shared_ptr<const ColumnSet> maybe_own_;    // of any block there is
  std::uint32_t grouping_ = 0;
  SliceId regrouped_ = kNone;        // slices before this one are grouped by own_columns_
  std::size_t grouped_devices_ = 0;  // when grouping was last looked into
  std::size_t grouped_classes_ = 0;
};

class TableWriter {
 public:
  // `columns` must be those of the Language that compiles the expressions, and outlive all tables.
  explicit TableWriter(Columns& columns);
  // Goes on from a table. `lineage` is that of the writer that made it.
  TableWriter(std::shared_ptr<const DeviceTable> table, std::shared_ptr<Lineage> lineage);

  SliceId AddSlice(std::string_view driver, std::span<const api::Device> devices);
  // Keeps number and rows where there is room; otherwise the slice has another number from now on.
  SliceId ReplaceSlice(SliceId slice, std::string_view driver,
                       std::span<const api::Device> devices);
  void RemoveSlice(SliceId slice);

  // What was written so far. The same one again if nothing was written since.
  std::shared_ptr<const DeviceTable> Take();
  // To look at meanwhile. Never to be kept beyond the next write.
  const DeviceTable& now() const { return now_; }
  const std::shared_ptr<Lineage>& lineage() const { return lineage_; }

 private:
  using Block = DeviceTable::Block;
  using Run = DeviceTable::Run;

  SliceId TakeRun(std::size_t devices);
  // Facts of all rows of a slice, in place of those there were.
  void Write(SliceId slice, std::vector<Facts> facts);
  void Write(SliceId slice, std::string_view driver, std::span<const api::Device> devices);
  void SetClass(Row row, ClassId id);
  ClassId Intern(const Facts& facts);
  ClassId AddClass(const Facts& facts, std::uint64_t hash);
  void ReleaseClass(ClassId id);
  // Takes the facts that rows keep for themselves out of `facts`.
  std::shared_ptr<const Block> SplitOff(std::vector<Facts>& facts) const;
  void LookIntoGrouping();
  DeviceTable::ColumnSet FindOwnColumns() const;
  void RegroupSome();

  DeviceTable now_;
  std::shared_ptr<Lineage> lineage_;
  Epoch epoch_;
  std::shared_ptr<const DeviceTable> taken_;  // null: written since
};

}  // namespace quadra::selector
