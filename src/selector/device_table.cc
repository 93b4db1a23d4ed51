#include "selector/device_table.h"

#include <algorithm>
#include <utility>

#include "absl/hash/hash.h"

namespace quadra::selector {
namespace {

// A table with fewer devices is not worth grouping.
constexpr std::size_t kFewDevices = 64;
// Devices looked at to tell which columns differ from device to device.
constexpr std::size_t kSample = 1024;
constexpr std::size_t kMostChanges = 4096;

// The value, kept by another store.
cel::Value MoveTo(ValueStore& store, const cel::Value& value) {
  switch (value.kind()) {
    case cel::Kind::kString:
      return store.Text(value.as_text());
    case cel::Kind::kSemver:
      return store.Version(value.as_semver());
    case cel::Kind::kQuantity:
      return store.Amount(value.as_quantity());
    case cel::Kind::kList: {
      std::vector<cel::Value> items;
      items.reserve(value.as_list().size());
      for (std::size_t i = 0; i < value.as_list().size(); ++i) {
        items.push_back(MoveTo(store, value.as_list().At(i)));
      }
      return store.List(std::move(items));
    }
    default:
      return value;
  }
}

void MoveAllTo(ValueStore& store, std::vector<cel::Value>& values) {
  for (cel::Value& value : values) {
    value = MoveTo(store, value);
  }
}

bool SameValues(const std::vector<cel::Value>& a, const std::vector<cel::Value>& b) {
  return std::ranges::equal(a, b, SameValue);
}

}  // namespace

std::size_t DeviceTable::ClassHash::operator()(ClassId id) const {
  const Class& wanted = table->classes_[id];
  std::size_t hash = absl::HashOf(wanted.columns, wanted.poison);
  for (const cel::Value& value : wanted.values) {
    hash = absl::HashOf(hash, HashValue(value));
  }
  return hash;
}

bool DeviceTable::ClassEqual::operator()(ClassId a, ClassId b) const {
  const Class& first = table->classes_[a];
  const Class& second = table->classes_[b];
  return first.columns == second.columns && first.poison == second.poison &&
         SameValues(first.values, second.values);
}

DeviceTable::DeviceTable(Columns& columns)
    : columns_(columns),
      store_(std::make_unique<ValueStore>()),
      classes_(1),
      class_index_(0, ClassHash{this}, ClassEqual{this}) {}

DeviceTable::DeviceTable(const DeviceTable& other)
    : columns_(other.columns_),
      store_(std::make_unique<ValueStore>()),
      classes_(other.classes_),
      class_index_(0, ClassHash{this}, ClassEqual{this}),
      class_of_(other.class_of_),
      own_(other.own_),
      own_columns_(other.own_columns_),
      slices_(other.slices_),
      free_slices_(other.free_slices_),
      gaps_(other.gaps_),
      devices_(other.devices_),
      grouped_devices_(other.grouped_devices_),
      rows_written_(other.rows_written_),
      version_(other.version_),
      numbering_(other.numbering_),
      changes_(other.changes_) {
  for (Class& each : classes_) {
    MoveAllTo(*store_, each.values);
  }
  for (OwnFacts& own : own_) {
    MoveAllTo(*store_, own.values);
  }
  for (ClassId id = 1; id < classes_.size(); ++id) {
    class_index_.insert(id);
  }
}

// --- Writing.

SliceId DeviceTable::AddSlice(std::string_view driver, std::span<const api::Device> devices) {
  SliceId slice = static_cast<SliceId>(slices_.size());
  if (free_slices_.empty()) {
    slices_.emplace_back();
  } else {
    slice = free_slices_.back();
    free_slices_.pop_back();
  }
  slices_[slice] = {.rows = TakeRows(devices.size()), .live = true};
  Fill(slices_[slice].rows, driver, devices);
  return slice;
}

void DeviceTable::ReplaceSlice(SliceId slice, std::string_view driver,
                               std::span<const api::Device> devices) {
  RowRange& rows = slices_[slice].rows;
  if (rows.size() != devices.size()) {
    ClearRows(rows);
    rows = TakeRows(devices.size());
  }
  Fill(rows, driver, devices);
}

void DeviceTable::RemoveSlice(SliceId slice) {
  ClearRows(slices_[slice].rows);
  slices_[slice] = {};
  free_slices_.push_back(slice);
  RegroupIfDue();
}

// A gap of just that length, or new rows at the end.
RowRange DeviceTable::TakeRows(std::size_t count) {
  const auto gap = gaps_.find(count);
  if (gap != gaps_.end() && !gap->second.empty()) {
    const Row begin = gap->second.back();
    gap->second.pop_back();
    return {begin, begin + static_cast<Row>(count)};
  }
  const Row begin = static_cast<Row>(class_of_.size());
  class_of_.resize(begin + count, kNoDevice);
  own_.resize(begin + count);
  return {begin, static_cast<Row>(begin + count)};
}

void DeviceTable::ClearRows(RowRange rows) {
  for (Row row = rows.begin; row < rows.end; ++row) {
    devices_ -= is_device(row) ? 1 : 0;
    class_of_[row] = kNoDevice;
    own_[row] = {};
  }
  if (rows.size() > 0) {
    gaps_[rows.size()].push_back(rows.begin);
    Note(rows);
  }
}

void DeviceTable::Fill(RowRange rows, std::string_view driver,
                       std::span<const api::Device> devices) {
  for (std::size_t i = 0; i < devices.size(); ++i) {
    SetRow(rows.begin + static_cast<Row>(i), ReadFacts(driver, devices[i], columns_, *store_));
  }
  Note(rows);
  RegroupIfDue();
}

void DeviceTable::SetRow(Row row, Facts facts) {
  Class shared{.columns = {}, .values = {}, .poison = std::move(facts.poison)};
  OwnFacts own;
  for (std::size_t i = 0; i < facts.columns.size(); ++i) {
    const bool keep = own_columns_.contains(facts.columns[i]);
    (keep ? own.columns : shared.columns).push_back(facts.columns[i]);
    (keep ? own.values : shared.values).push_back(facts.values[i]);
  }
  devices_ += is_device(row) ? 0 : 1;
  class_of_[row] = Intern(std::move(shared));
  own_[row] = std::move(own);
  ++rows_written_;
}

ClassId DeviceTable::Intern(Class wanted) {
  const ClassId candidate = static_cast<ClassId>(classes_.size());
  classes_.push_back(std::move(wanted));
  const auto [at, is_new] = class_index_.insert(candidate);
  if (!is_new) {
    classes_.pop_back();
  }
  return *at;
}

void DeviceTable::Note(RowRange rows) {
  ++version_;
  if (changes_.size() >= kMostChanges) {
    changes_.assign(1, {version_, {0, static_cast<Row>(class_of_.size())}});
  } else {
    changes_.push_back({version_, rows});
  }
}

// --- Building anew.

void DeviceTable::RegroupIfDue() {
  const std::size_t most = std::max(devices_, grouped_devices_);
  const bool grown = devices_ >= kFewDevices && devices_ >= 2 * grouped_devices_;
  const bool worn = rows_written_ > 4 * most + kMostChanges;
  if (worn || (grown && FindOwnColumns() != own_columns_)) {
    Regroup();
  } else if (grown) {
    grouped_devices_ = devices_;
  }
}

void DeviceTable::Regroup() {
  DeviceTable fresh(columns_);
  fresh.own_columns_ = FindOwnColumns();
  fresh.slices_.resize(slices_.size());
  for (SliceId slice = 0; slice < slices_.size(); ++slice) {
    if (!slices_[slice].live) {
      continue;
    }
    const RowRange from = slices_[slice].rows;
    const RowRange to = fresh.TakeRows(from.size());
    for (Row i = 0; i < from.size(); ++i) {
      Facts facts = FactsOf(from.begin + i);
      MoveAllTo(*fresh.store_, facts.values);
      fresh.SetRow(to.begin + i, std::move(facts));
    }
    fresh.slices_[slice] = {.rows = to, .live = true};
  }
  store_ = std::move(fresh.store_);
  classes_ = std::move(fresh.classes_);
  class_of_ = std::move(fresh.class_of_);
  own_ = std::move(fresh.own_);
  own_columns_ = std::move(fresh.own_columns_);
  slices_ = std::move(fresh.slices_);
  class_index_.clear();
  for (ClassId id = 1; id < classes_.size(); ++id) {
    class_index_.insert(id);
  }
  gaps_.clear();
  grouped_devices_ = devices_;
  rows_written_ = 0;
  changes_.clear();
  ++version_;
  ++numbering_;
}

Facts DeviceTable::FactsOf(Row row) const {
  const Class& shared = classes_[class_of_[row]];
  const OwnFacts& own = own_[row];
  std::vector<std::pair<ColumnId, cel::Value>> all;
  all.reserve(shared.columns.size() + own.columns.size());
  for (std::size_t i = 0; i < shared.columns.size(); ++i) {
    all.emplace_back(shared.columns[i], shared.values[i]);
  }
  for (std::size_t i = 0; i < own.columns.size(); ++i) {
    all.emplace_back(own.columns[i], own.values[i]);
  }
  std::ranges::sort(all, {}, &std::pair<ColumnId, cel::Value>::first);
  Facts facts{.columns = {}, .values = {}, .poison = shared.poison};
  for (const auto& [column, value] : all) {
    facts.columns.push_back(column);
    facts.values.push_back(value);
  }
  return facts;
}

// Columns that differ between most of the devices that have them.
absl::flat_hash_set<ColumnId> DeviceTable::FindOwnColumns() const {
  struct Seen {
    std::size_t devices = 0;
    absl::flat_hash_set<std::size_t> values;  // hashes
  };
  absl::flat_hash_map<ColumnId, Seen> seen;
  const std::size_t step = std::max<std::size_t>(1, class_of_.size() / kSample);
  for (std::size_t row = 0; row < class_of_.size(); row += step) {
    const Facts facts = FactsOf(static_cast<Row>(row));
    for (std::size_t i = 0; i < facts.columns.size(); ++i) {
      Seen& column = seen[facts.columns[i]];
      ++column.devices;
      column.values.insert(HashValue(facts.values[i]));
    }
  }
  absl::flat_hash_set<ColumnId> own;
  for (const auto& [column, facts] : seen) {
    if (facts.devices >= kFewDevices / 2 && 2 * facts.values.size() > facts.devices) {
      own.insert(column);
    }
  }
  return own;
}

// --- Reading.

FactsInputs DeviceTable::ClassInputs(ClassId id) const {
  return {columns_, {classes_[id].columns, classes_[id].values}};
}

FactsInputs DeviceTable::RowInputs(Row row) const {
  const Class& shared = classes_[class_of_[row]];
  return {columns_, {shared.columns, shared.values}, {own_[row].columns, own_[row].values}};
}

std::vector<RowRange> DeviceTable::ChangedSince(std::uint64_t version) const {
  std::vector<RowRange> changed;
  for (const Change& change : changes_) {
    if (change.version > version) {
      changed.push_back(change.rows);
    }
  }
  return changed;
}

}  // namespace quadra::selector
