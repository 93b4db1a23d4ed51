#include "selector/facts.h"

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <optional>

#include "absl/hash/hash.h"
#include "base/result.h"
#include "selector/device_table.h"

namespace quadra::selector {
namespace {

using cel::Kind;
using cel::Value;

// The payload as a number: of texts and objects their address.
std::uint64_t Payload(const Value& value) {
  switch (value.kind()) {
    case Kind::kBool:
      return value.as_bool() ? 1 : 0;
    case Kind::kInt:
      return static_cast<std::uint64_t>(value.as_int());
    case Kind::kString:
      return reinterpret_cast<std::uintptr_t>(value.as_text().data());
    case Kind::kSemver:
      return reinterpret_cast<std::uintptr_t>(&value.as_semver());
    case Kind::kQuantity:
      return reinterpret_cast<std::uintptr_t>(&value.as_quantity());
    case Kind::kList:
      return reinterpret_cast<std::uintptr_t>(&value.as_list());
    default:
      return 0;
  }
}

// Equal amounts in another form or spelling are other values: isInteger() sees the form.
std::string SpellingOf(const quantity::Quantity& amount) {
  const char form = amount.IsDecimal() ? 'd' : amount.AsInt64() ? 'i' : 'f';
  return form + amount.ToString() + "/" + amount.AllPlaces();
}

bool SameItems(const cel::ListObject& a, const cel::ListObject& b) {
  std::size_t i = 0;
  while (i < a.size() && i < b.size() && SameValue(a.At(i), b.At(i))) {
    ++i;
  }
  return i == a.size() && i == b.size();
}

std::size_t HashItems(const cel::ListObject& list) {
  std::size_t hash = list.size();
  for (std::size_t i = 0; i < list.size(); ++i) {
    hash = absl::HashOf(hash, HashValue(list.At(i)));
  }
  return hash;
}

// --- Reading a device of the API.

class FactsReader {
 public:
  FactsReader(std::string_view driver, const api::Device& device, Columns& columns,
              ValueStore& store)
      : driver_(driver), device_(device), columns_(columns), store_(store) {}

  Facts Read() {
    Put(Columns::kDriver, store_.Text(driver_));
    Put(Columns::kAllowMultipleAllocations,
        Value::Bool(device_.allow_multiple_allocations.value_or(false)));
    for (const auto& [name, attribute] : device_.attributes) {
      ReadAttribute(name, attribute);
    }
    for (const auto& [name, capacity] : device_.capacity) {
      Put(ColumnOf(ColumnKind::kCapacity, name), store_.Amount(capacity.value));
    }
    return Finish();
  }

 private:
  ColumnId ColumnOf(ColumnKind kind, std::string_view name) {
    const QualifiedName split = SplitName(name, driver_);
    return columns_.Intern(kind, split.domain, split.id);
  }

  void Put(ColumnId column, Value value) { entries_.push_back({column, false, value}); }

  // A value that poisons the device is kept as well as it can be: constraints may still compare it.
  void ReadAttribute(const std::string& name, const api::DeviceAttribute& attribute) {
    Result<Value> value = ReadValue(attribute);
    if (!value) {
      if (poison_.empty()) {
        poison_ = "attribute " + name + ": " + value.error().message;
      }
      value = attribute.version_value ? store_.Text(*attribute.version_value) : Value::Null();
    }
    const bool bare = name.find('/') == std::string::npos;
    entries_.push_back({ColumnOf(ColumnKind::kAttribute, name), bare, *value});
  }

  template <typename T, typename Make>
  Result<Value> ReadList(const api::List<T>& items, const Make& make) {
    std::vector<Value> values;
    values.reserve(items.size());
    for (const auto& item : items) {
      Result<Value> value = make(item);
      if (!value) {
        return value;
      }
      values.push_back(*value);
    }
    return store_.List(std::move(values));
  }

  Result<Value> ReadVersion(const std::string& text) {
    const Result<semver::Version> version = semver::Version::Parse(text);
    if (!version) {
      return Fail(ErrorKind::kInvalid,
                  "parse semantic version: " + cel::VersionErrorText(version.error()));
    }
    return store_.Version(*version);
  }

  Result<Value> ReadValue(const api::DeviceAttribute& attribute) {
    if (!attribute.int_values.is_nil()) {
      return ReadList(attribute.int_values,
                      [](std::int64_t item) -> Result<Value> { return Value::Int(item); });
    }
    if (!attribute.bool_values.is_nil()) {
      return ReadList(attribute.bool_values,
                      [](bool item) -> Result<Value> { return Value::Bool(item); });
    }
    if (!attribute.string_values.is_nil()) {
      return ReadList(attribute.string_values,
                      [&](const std::string& item) -> Result<Value> { return store_.Text(item); });
    }
    if (!attribute.version_values.is_nil()) {
      return ReadList(attribute.version_values,
                      [&](const std::string& item) { return ReadVersion(item); });
    }
    return ReadScalar(attribute);
  }

  Result<Value> ReadScalar(const api::DeviceAttribute& attribute) {
    if (attribute.int_value) {
      return Value::Int(*attribute.int_value);
    }
    if (attribute.bool_value) {
      return Value::Bool(*attribute.bool_value);
    }
    if (attribute.string_value) {
      return store_.Text(*attribute.string_value);
    }
    if (attribute.version_value) {
      return ReadVersion(*attribute.version_value);
    }
    return Fail(ErrorKind::kInvalid, "unsupported attribute value");
  }

  Facts Finish() {
    std::ranges::sort(entries_, {},
                      [](const Entry& entry) { return std::pair(entry.column, entry.bare); });
    const auto repeated = std::ranges::unique(entries_, {}, &Entry::column);
    entries_.erase(repeated.begin(), repeated.end());
    Facts facts{.columns = {}, .values = {}, .poison = std::move(poison_)};
    facts.columns.reserve(entries_.size());
    facts.values.reserve(entries_.size());
    for (const Entry& entry : entries_) {
      facts.columns.push_back(entry.column);
      facts.values.push_back(entry.value);
    }
    return facts;
  }

  struct Entry {
    ColumnId column;
    bool bare;  // named without a domain; it yields to the one with
    Value value;
  };

  std::string_view driver_;
  const api::Device& device_;
  Columns& columns_;
  ValueStore& store_;
  std::vector<Entry> entries_;
  std::string poison_;
};

}  // namespace

// Objects of one store are compared by address, which is all it takes within a slice.
bool SameValue(const Value& a, const Value& b) {
  if (a.kind() == Kind::kString && b.kind() == Kind::kString) {
    return a.as_text() == b.as_text();
  }
  if (a.kind() != b.kind() || Payload(a) == Payload(b)) {
    return a.kind() == b.kind();
  }
  switch (a.kind()) {
    case Kind::kSemver:
      return a.as_semver() == b.as_semver() && a.as_semver().build() == b.as_semver().build();
    case Kind::kQuantity:
      return a.as_quantity().LooksLike(b.as_quantity()) &&
             (a.as_quantity().AsInt64() ||
              SpellingOf(a.as_quantity()) == SpellingOf(b.as_quantity()));
    case Kind::kList:
      return SameItems(a.as_list(), b.as_list());
    default:
      return false;
  }
}

std::size_t HashValue(const Value& value) {
  switch (value.kind()) {
    case Kind::kString:
      return absl::HashOf(value.as_text());
    case Kind::kSemver:
      return absl::HashOf(value.as_semver().major_number(), value.as_semver().minor_number(),
                          value.as_semver().patch_number());
    case Kind::kQuantity:
      return absl::HashOf(value.as_quantity().AsInt64().value_or(0));
    case Kind::kList:
      return HashItems(value.as_list());
    default:
      return absl::HashOf(static_cast<int>(value.kind()), Payload(value));
  }
}

template <typename Make>
Value ValueStore::Keep(const std::string& key, const Make& make) {
  const auto [at, is_new] = values_.try_emplace(key);
  if (is_new) {
    at->second = make();
  }
  return at->second;
}

Value ValueStore::Text(std::string_view text) {
  return Keep("s" + std::string(text), [&] { return Value::String(texts_.emplace_back(text)); });
}

// Build metadata is no part of equality, but of the value.
Value ValueStore::Version(const semver::Version& version) {
  return Keep("v" + version.ToString(),
              [&] { return Value::Of(&versions_.emplace_back(version)); });
}

Value ValueStore::Amount(const quantity::Quantity& amount) {
  return Keep("q" + SpellingOf(amount), [&] { return Value::Of(&amounts_.emplace_back(amount)); });
}

// Items are stored values already, so their bits tell them apart.
Value ValueStore::List(std::vector<Value> items) {
  std::string key = "l";
  for (const Value& item : items) {
    const std::uint64_t payload = Payload(item);
    key += static_cast<char>(item.kind());
    key.append(reinterpret_cast<const char*>(&payload), sizeof payload);
  }
  return Keep(key, [&] {
    return Value::Of(static_cast<const cel::ListObject*>(&lists_.emplace_back(std::move(items))));
  });
}

Facts ReadFacts(std::string_view driver, const api::Device& device, Columns& columns,
                ValueStore& store) {
  return FactsReader(driver, device, columns, store).Read();
}

// --- The device as a map, for expressions that read it whole.

namespace {

// Values by text, sorted. With `fallback`, looking up a missing text finds that value; `in`,
// iteration and size do not see it.
class TextMap : public cel::MapObject {
 public:
  void Put(std::string_view key, Value value) { entries_.emplace(key, value); }
  void FallBackTo(Value fallback) { fallback_ = fallback; }

  std::size_t size() const override { return entries_.size(); }
  Value Find(const Value& key) const override {
    const auto at = Locate(key);
    return at == entries_.end() ? fallback_ : at->second;
  }
  bool Contains(const Value& key) const override { return Locate(key) != entries_.end(); }
  bool IsZero() const override { return entries_.empty() && fallback_.kind() == Kind::kAbsent; }
  Value KeyAt(std::size_t n) const override {
    return Value::String(std::next(entries_.begin(), static_cast<std::ptrdiff_t>(n))->first);
  }
  Value ValueAt(std::size_t n) const override {
    return std::next(entries_.begin(), static_cast<std::ptrdiff_t>(n))->second;
  }

 private:
  using Entries = std::map<std::string_view, Value, std::less<>>;
  Entries::const_iterator Locate(const Value& key) const {
    return key.kind() == Kind::kString ? entries_.find(key.as_text()) : entries_.end();
  }

  Entries entries_;
  Value fallback_;
};

Value AsValue(const TextMap& map) { return Value::Of(static_cast<const cel::MapObject*>(&map)); }

}  // namespace

class FactsInputs::DeviceMap {
 public:
  DeviceMap(const Columns& columns, FactsPart shared, FactsPart own) {
    Read(columns, shared);
    Read(columns, own);
    for (Domains* domains : {&attributes_, &capacity_}) {
      for (const auto& [domain, values] : domains->values) {
        domains->map.Put(domain, AsValue(values));
      }
      domains->map.FallBackTo(AsValue(nothing_));
    }
    device_.Put("attributes", AsValue(attributes_.map));
    device_.Put("capacity", AsValue(capacity_.map));
  }
  Value value() const { return AsValue(device_); }

 private:
  struct Domains {
    std::map<std::string_view, TextMap> values;
    TextMap map;
  };

  void Read(const Columns& columns, FactsPart part) {
    for (std::size_t i = 0; i < part.columns.size(); ++i) {
      const ColumnName& name = columns.NameOf(part.columns[i]);
      switch (name.kind) {
        case ColumnKind::kDriver:
          device_.Put("driver", part.values[i]);
          break;
        case ColumnKind::kAllowMultipleAllocations:
          device_.Put("allowMultipleAllocations", part.values[i]);
          break;
        case ColumnKind::kAttribute:
          attributes_.values[name.domain].Put(name.id, part.values[i]);
          break;
        case ColumnKind::kCapacity:
          capacity_.values[name.domain].Put(name.id, part.values[i]);
          break;
      }
    }
  }

  TextMap nothing_;
  Domains attributes_;
  Domains capacity_;
  TextMap device_;
};

FactsInputs::FactsInputs(const Columns& columns, FactsPart shared)
    : columns_(columns), shared_(shared) {}
FactsInputs::FactsInputs(const Columns& columns, FactsPart shared, const DeviceTable& table,
                         std::uint32_t row)
    : columns_(columns), shared_(shared), table_(&table), row_(row) {}
FactsInputs::~FactsInputs() = default;

FactsPart FactsInputs::Own() const {
  return table_ != nullptr ? table_->OwnPart(row_) : FactsPart{};
}

// `device` is the only variable.
Value FactsInputs::Variable(std::uint32_t) const {
  if (device_ == nullptr) {
    device_ = std::make_unique<const DeviceMap>(columns_, shared_, Own());
  }
  return device_->value();
}

Value FactsInputs::Slot(cel::SlotIndex slot) const {
  const Value shared = shared_.Find(slot);
  return shared.kind() == Kind::kAbsent && table_ != nullptr && table_->is_own(slot)
             ? Own().Find(slot)
             : shared;
}

Value FactsPart::Find(ColumnId column) const {
  const auto at = std::ranges::lower_bound(columns, column);
  return at != columns.end() && *at == column
             ? values[static_cast<std::size_t>(at - columns.begin())]
             : Value();
}

}  // namespace quadra::selector
