#include "selector/device_table.h"

#include <bit>
#include <tuple>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "absl/hash/hash.h"

namespace quadra::selector {
namespace {

// A table with fewer devices is not worth grouping.
constexpr std::size_t kFewDevices = 64;
// Devices looked at to tell which columns differ from device to device.
constexpr std::size_t kSample = 1024;
// Slices grouped anew with every one that is written. More than one, so that it comes to an end
// before the table has doubled again.
constexpr std::size_t kRegroupedAtOnce = 4;

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

bool NeedsStore(const cel::Value& value) {
  return value.kind() == cel::Kind::kSemver || value.kind() == cel::Kind::kQuantity ||
         value.kind() == cel::Kind::kList;
}

std::uint64_t HashFacts(const Facts& facts) {
  std::uint64_t hash = absl::HashOf(facts.columns, facts.poison);
  for (const cel::Value& value : facts.values) {
    hash = absl::HashOf(hash, HashValue(value));
  }
  return hash;
}

// Runs with room for as many devices are on one list of free ones.
std::size_t RoomFor(std::size_t devices) { return devices == 0 ? 0 : std::bit_ceil(devices); }

RowRange Spanning(RowRange a, RowRange b) {
  return {std::min(a.begin, b.begin), std::max(a.end, b.end)};
}

}  // namespace

// --- Reading.

DeviceTable::DeviceTable(Columns& columns)
    : columns_(&columns),
      own_columns_(std::make_shared<const ColumnSet>()),
      maybe_own_(own_columns_) {
  free_runs_.fill(kNone);
}

const std::string& DeviceTable::poison(ClassId id) const {
  static const std::string none;
  const Shared* facts = FactsAt(id);
  return facts != nullptr ? facts->poison : none;
}

FactsPart DeviceTable::OwnPart(Row row) const {
  const Run& run = slices_[run_of_[row]];
  if (run.block == nullptr || run.block->columns.empty() || row >= run.rows.end) {
    return {};
  }
  const std::size_t at = row - run.rows.begin;
  const std::size_t begin = at == 0 ? 0 : run.block->ends[at - 1];
  const std::size_t count = run.block->ends[at] - begin;
  return {std::span(run.block->columns).subspan(begin, count),
          std::span(run.block->values).subspan(begin, count)};
}

Facts DeviceTable::FactsOf(Row row) const {
  std::vector<std::pair<ColumnId, cel::Value>> all;
  for (const FactsPart& part : {SharedPart(class_of_[row]), OwnPart(row)}) {
    for (std::size_t i = 0; i < part.columns.size(); ++i) {
      all.emplace_back(part.columns[i], part.values[i]);
    }
  }
  std::ranges::sort(all, {}, &std::pair<ColumnId, cel::Value>::first);
  Facts facts{.columns = {}, .values = {}, .poison = PoisonOf(row)};
  for (const auto& [column, value] : all) {
    facts.columns.push_back(column);
    facts.values.push_back(value);
  }
  return facts;
}

std::vector<RowRange> DeviceTable::ChangedSince(const DeviceTable& before) const {
  std::vector<RowRange> changed;
  const auto compare = [&](SliceId slice) {
    const Run none;
    const Run& old = slice < before.slices_.size() ? before.slices_[slice] : none;
    const Run& now = slice < slices_.size() ? slices_[slice] : none;
    if (old.block == now.block) {
      return;
    }
    // Tables that went different ways may have given the number to different runs.
    if (old.rows.begin == now.rows.begin) {
      changed.push_back(Spanning(old.rows, now.rows));
    } else {
      changed.insert(changed.end(), {old.rows, now.rows});
    }
  };
  Runs::VisitDifferences(before.slices_, slices_, [&](std::size_t begin, std::size_t end) {
    for (std::size_t slice = begin; slice < end; ++slice) {
      compare(static_cast<SliceId>(slice));
    }
  });
  std::erase_if(changed, [](RowRange rows) { return rows.size() == 0; });
  return changed;
}

// --- Writing.

TableWriter::TableWriter(Columns& columns)
    : now_(columns), lineage_(std::make_shared<Lineage>()), epoch_(lineage_->Next()) {
  now_.classes_.Resize(epoch_, 1);  // kNoDevice
}

TableWriter::TableWriter(std::shared_ptr<const DeviceTable> table, std::shared_ptr<Lineage> lineage)
    : now_(*table),
      lineage_(std::move(lineage)),
      epoch_(lineage_->Next()),
      taken_(std::move(table)) {}

std::shared_ptr<const DeviceTable> TableWriter::Take() {
  if (taken_ == nullptr) {
    taken_ = std::make_shared<const DeviceTable>(now_);
    epoch_ = lineage_->Next();
  }
  return taken_;
}

SliceId TableWriter::AddSlice(std::string_view driver, std::span<const api::Device> devices) {
  const SliceId slice = TakeRun(devices.size());
  Write(slice, driver, devices);
  return slice;
}

SliceId TableWriter::ReplaceSlice(SliceId slice, std::string_view driver,
                                  std::span<const api::Device> devices) {
  if (devices.size() > now_.slices_[slice].room) {
    RemoveSlice(slice);
    return AddSlice(driver, devices);
  }
  Write(slice, driver, devices);
  return slice;
}

void TableWriter::RemoveSlice(SliceId slice) {
  Write(slice, {});
  Run& run = now_.slices_.At(epoch_, slice);
  run.block = nullptr;
  run.next_free = std::exchange(now_.free_runs_[std::bit_width(run.room)], slice);
}

// A run that is free, or a new one at the end.
SliceId TableWriter::TakeRun(std::size_t devices) {
  const std::size_t room = RoomFor(devices);
  SliceId& free = now_.free_runs_[std::bit_width(room)];
  if (free != DeviceTable::kNone) {
    return std::exchange(free, now_.slices_[free].next_free);
  }
  const SliceId slice = static_cast<SliceId>(now_.slices_.size());
  const Row begin = static_cast<Row>(now_.size());
  now_.slices_.Resize(epoch_, slice + 1);
  now_.slices_.At(epoch_, slice) = {
      .rows = {begin, begin}, .room = static_cast<std::uint32_t>(room), .block = nullptr};
  now_.class_of_.Resize(epoch_, begin + room);
  now_.run_of_.Resize(epoch_, begin + room);
  for (std::size_t i = 0; i < room; ++i) {
    now_.run_of_.At(epoch_, begin + i) = slice;
  }
  return slice;
}

void TableWriter::Write(SliceId slice, std::string_view driver,
                        std::span<const api::Device> devices) {
  ValueStore store;  // until the facts are in classes and blocks
  std::vector<Facts> facts;
  facts.reserve(devices.size());
  for (const api::Device& device : devices) {
    facts.push_back(ReadFacts(driver, device, *now_.columns_, store));
  }
  Write(slice, std::move(facts));
  LookIntoGrouping();
  RegroupSome();
}

void TableWriter::Write(SliceId slice, std::vector<Facts> facts) {
  taken_ = nullptr;
  std::shared_ptr<const Block> block = SplitOff(facts);
  Run& run = now_.slices_.At(epoch_, slice);
  const RowRange before = run.rows;
  run.rows.end = run.rows.begin + static_cast<Row>(facts.size());
  run.block = std::move(block);
  const RowRange after = run.rows;
  for (std::size_t i = 0; i < facts.size(); ++i) {
    SetClass(after.begin + static_cast<Row>(i), Intern(facts[i]));
  }
  for (Row row = after.end; row < before.end; ++row) {
    SetClass(row, DeviceTable::kNoDevice);
  }
}

void TableWriter::SetClass(Row row, ClassId id) {
  ClassId& of_row = now_.class_of_.At(epoch_, row);
  const ClassId before = std::exchange(of_row, id);
  if (id != DeviceTable::kNoDevice) {
    ++now_.classes_.At(epoch_, id).rows;
    ++now_.devices_;
  }
  if (before != DeviceTable::kNoDevice) {
    ReleaseClass(before);
    --now_.devices_;
  }
}

ClassId TableWriter::Intern(const Facts& facts) {
  const std::uint64_t hash = HashFacts(facts);
  for (auto at = now_.class_index_.lower_bound(std::pair(hash, ClassId{0}));
       at != now_.class_index_.end() && at->first.first == hash; ++at) {
    const DeviceTable::Shared& known = *now_.classes_[at->first.second].facts;
    if (known.columns == facts.columns && known.poison == facts.poison &&
        std::ranges::equal(known.values, facts.values, SameValue)) {
      return at->first.second;
    }
  }
  return AddClass(facts, hash);
}

ClassId TableWriter::AddClass(const Facts& facts, std::uint64_t hash) {
  auto shared = std::make_shared<DeviceTable::Shared>();
  shared->columns = facts.columns;
  shared->values = facts.values;
  shared->TakeIn();
  shared->poison = facts.poison;
  shared->hash = hash;
  ClassId id = now_.free_class_;
  if (id == DeviceTable::kNone) {
    id = static_cast<ClassId>(now_.classes_.size());
    now_.classes_.Resize(epoch_, id + 1);
  } else {
    now_.free_class_ = now_.classes_[id].next_free;
  }
  now_.classes_.At(epoch_, id) = {.facts = std::move(shared)};
  now_.class_index_.Set(epoch_, {hash, id}, {});
  return id;
}

void TableWriter::ReleaseClass(ClassId id) {
  DeviceTable::Class& released = now_.classes_.At(epoch_, id);
  if (--released.rows == 0) {
    now_.class_index_.Erase(epoch_, std::pair(released.facts->hash, id));
    released = {.facts = nullptr, .next_free = std::exchange(now_.free_class_, id)};
  }
}

std::shared_ptr<const TableWriter::Block> TableWriter::SplitOff(std::vector<Facts>& facts) const {
  auto block = std::make_shared<Block>();
  block->grouping = now_.grouping_;
  const DeviceTable::ColumnSet& own = *now_.own_columns_;
  if (own.empty()) {
    return block;
  }
  for (Facts& each : facts) {
    Facts shared{.columns = {}, .values = {}, .poison = std::move(each.poison)};
    for (std::size_t i = 0; i < each.columns.size(); ++i) {
      const bool keep = own.contains(each.columns[i]);
      (keep ? block->columns : shared.columns).push_back(each.columns[i]);
      (keep ? block->values : shared.values).push_back(each.values[i]);
    }
    block->ends.push_back(static_cast<std::uint32_t>(block->columns.size()));
    each = std::move(shared);
  }
  block->TakeIn();
  return block;
}

void DeviceTable::Kept::TakeIn() {
  columns.shrink_to_fit();
  values.shrink_to_fit();
  std::size_t bytes = 0;
  for (const cel::Value& value : values) {
    bytes += value.kind() == cel::Kind::kString ? value.as_text().size() : 0;
  }
  texts.reserve(bytes);  // so that texts stay where they are
  for (cel::Value& value : values) {
    if (value.kind() == cel::Kind::kString) {
      const std::size_t begin = texts.size();
      texts += value.as_text();
      value = cel::Value::String(std::string_view(texts).substr(begin));
    } else if (NeedsStore(value)) {
      if (others == nullptr) {
        others = std::make_unique<ValueStore>();
      }
      value = MoveTo(*others, value);
    }
  }
}

// --- Grouping.

// Which columns tell devices apart is looked into whenever devices or classes have doubled. Where
// that gives another answer, new blocks follow it at once and the others by and by (RegroupSome),
// so that no event costs more than a few slices.
void TableWriter::LookIntoGrouping() {
  const std::size_t devices = now_.devices_;
  const std::size_t classes = now_.class_index_.size();
  const bool due =
      devices >= 2 * now_.grouped_devices_ || classes >= 2 * now_.grouped_classes_ + kFewDevices;
  if (devices < kFewDevices || !due) {
    return;
  }
  now_.grouped_devices_ = devices;
  now_.grouped_classes_ = classes;
  DeviceTable::ColumnSet own = FindOwnColumns();
  if (own == *now_.own_columns_) {
    return;
  }
  auto maybe = std::make_shared<DeviceTable::ColumnSet>(*now_.maybe_own_);
  maybe->insert(own.begin(), own.end());
  now_.maybe_own_ = std::move(maybe);
  now_.own_columns_ = std::make_shared<const DeviceTable::ColumnSet>(std::move(own));
  ++now_.grouping_;
  now_.regrouped_ = 0;
}

void TableWriter::RegroupSome() {
  for (std::size_t done = 0; now_.regrouped_ < now_.slices_.size() && done < kRegroupedAtOnce;
       ++now_.regrouped_) {
    const Run& run = now_.slices_[now_.regrouped_];
    if (run.block == nullptr || run.block->grouping == now_.grouping_) {
      continue;
    }
    std::vector<Facts> facts;
    for (Row row = run.rows.begin; row < run.rows.end; ++row) {
      facts.push_back(now_.FactsOf(row));
    }
    // What the facts point to is released by being written anew.
    const std::shared_ptr<const Block> kept = run.block;
    Write(now_.regrouped_, std::move(facts));
    ++done;
  }
  if (now_.regrouped_ == now_.slices_.size()) {
    now_.regrouped_ = DeviceTable::kNone;
    now_.maybe_own_ = now_.own_columns_;
  }
}

// Columns that differ between most of the devices that have them.
DeviceTable::ColumnSet TableWriter::FindOwnColumns() const {
  struct Seen {
    std::size_t devices = 0;
    absl::flat_hash_set<std::size_t> values;  // hashes
  };
  absl::flat_hash_map<ColumnId, Seen> seen;
  const std::size_t step = (now_.size() / kSample) | 1;  // odd, to meet every place in a slice
  for (std::size_t row = 0; row < now_.size(); row += step) {
    const Facts facts = now_.FactsOf(static_cast<Row>(row));
    for (std::size_t i = 0; i < facts.columns.size(); ++i) {
      Seen& column = seen[facts.columns[i]];
      ++column.devices;
      column.values.insert(HashValue(facts.values[i]));
    }
  }
  DeviceTable::ColumnSet own;
  for (const auto& [column, facts] : seen) {
    if (facts.devices >= kFewDevices / 2 && 2 * facts.values.size() > facts.devices) {
      own.insert(column);
    }
  }
  return own;
}

}  // namespace quadra::selector
