// Facts: what expressions may read about one device, by column.
//
// A device of the API is turned into facts once; after that evaluation neither parses nor copies.
// Values point into a ValueStore, which keeps each distinct value once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "api/kinds.h"
#include "cel/value.h"
#include "selector/columns.h"

namespace quadra::selector {

class DeviceTable;

// Whether no expression can tell two values apart, whatever stores keep them; and their hash.
bool SameValue(const cel::Value& a, const cel::Value& b);
std::size_t HashValue(const cel::Value& value);

// Keeps values for as long as it lives. Not thread-safe; reading stored values is.
class ValueStore {
 public:
  ValueStore() = default;
  ValueStore(const ValueStore&) = delete;
  ValueStore& operator=(const ValueStore&) = delete;

  cel::Value Text(std::string_view text);
  cel::Value Version(const semver::Version& version);
  cel::Value Amount(const quantity::Quantity& amount);
  cel::Value List(std::vector<cel::Value> items);

 private:
  struct StoredList : cel::ListObject {
    explicit StoredList(std::vector<cel::Value> values) : items(std::move(values)) {}
    std::size_t size() const override { return items.size(); }
    cel::Value At(std::size_t n) const override { return items[n]; }
    std::vector<cel::Value> items;
  };
  // The value kept under `key`, made by `make` if there is none.
  template <typename Make>
  cel::Value Keep(const std::string& key, const Make& make);

  absl::flat_hash_map<std::string, cel::Value> values_;
  std::deque<std::string> texts_;
  std::deque<semver::Version> versions_;
  std::deque<quantity::Quantity> amounts_;
  std::deque<StoredList> lists_;
};

// Columns ascend; values[i] belongs to columns[i].
struct Facts {
  std::vector<ColumnId> columns;
  std::vector<cel::Value> values;
  // Why every expression fails on this device, whatever it reads: an attribute without a value, or
  // a version that cannot be parsed. Empty: none does.
  std::string poison;
};

// Where a name is given both bare and with the driver's domain, the latter counts (upstream picks
// at random).
Facts ReadFacts(std::string_view driver, const api::Device& device, Columns& columns,
                ValueStore& store);

// A part of the facts of a device, kept elsewhere.
struct FactsPart {
  std::span<const ColumnId> columns;
  std::span<const cel::Value> values;

  // Absent where the column is not among them.
  cel::Value Find(ColumnId column) const;
};

// Reads facts for an evaluation. Small; lives on the stack for one evaluation. What a row of a table
// keeps for itself comes on top of `shared` facts, and is looked for only when those do not have
// what an expression reads; no column is in both.
class FactsInputs : public cel::Inputs {
 public:
  FactsInputs(const Columns& columns, FactsPart shared);
  FactsInputs(const Columns& columns, FactsPart shared, const DeviceTable& table,
              std::uint32_t row);
  ~FactsInputs() override;

  cel::Value Variable(std::uint32_t variable) const override;
  cel::Value Slot(cel::SlotIndex slot) const override;

 private:
  class DeviceMap;
  FactsPart Own() const;

  const Columns& columns_;
  FactsPart shared_;
  const DeviceTable* table_ = nullptr;
  std::uint32_t row_ = 0;
  mutable std::unique_ptr<const DeviceMap> device_;  // made when an expression reads it whole
};

}  // namespace quadra::selector
