#include "cel/containers.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <optional>

#include "cel/ip.h"
#include "cel/numbers.h"
#include "cel/timestamp.h"

namespace quadra::cel {
namespace {

template <typename T>
int Order(const T& a, const T& b) {
  return static_cast<int>(b < a) - static_cast<int>(a < b);
}

// NaN is no key's equal; it sorts before the others so that the order stays total.
int OrderDoubles(double a, double b) {
  if (std::isnan(a) || std::isnan(b)) {
    return Order(!std::isnan(a), !std::isnan(b));
  }
  return Order(a, b);
}

int OrderAddresses(const void* a, const void* b) {
  return Order(reinterpret_cast<std::uintptr_t>(a), reinterpret_cast<std::uintptr_t>(b));
}

// Go has one zone for Z, one for each offset of whole hours, and makes a new one whenever it parses
// another offset.
bool HasSharedZone(const Timestamp& time) {
  constexpr std::int32_t kHour = 3600;
  return time.offset_seconds % kHour == 0 && time.offset_seconds >= -12 * kHour &&
         time.offset_seconds <= 14 * kHour;
}

// Upstream's keys include the zone.
int OrderTimestamps(const Timestamp& a, const Timestamp& b) {
  if (const int order = CompareTimestamps(a, b); order != 0) {
    return order;
  }
  if (a.has_offset != b.has_offset) {
    return Order(a.has_offset, b.has_offset);
  }
  if (a.offset_seconds != b.offset_seconds || HasSharedZone(a)) {
    return Order(a.offset_seconds, b.offset_seconds);
  }
  return OrderAddresses(&a, &b);
}

const Value* Lookup(std::span<const MapEntry> entries, const Value& key) {
  if (key.kind() == Kind::kDouble && std::isnan(key.as_double())) {
    return nullptr;
  }
  const auto found = std::ranges::partition_point(
      entries, [&](const MapEntry& entry) { return CompareKeys(entry.key, key) < 0; });
  if (found == entries.end() || CompareKeys(found->key, key) != 0) {
    return nullptr;
  }
  return &found->value;
}

const Value* LookupInt(std::span<const MapEntry> entries, std::optional<std::int64_t> key) {
  return key ? Lookup(entries, Value::Int(*key)) : nullptr;
}

const Value* LookupUint(std::span<const MapEntry> entries, std::optional<std::uint64_t> key) {
  return key ? Lookup(entries, Value::Uint(*key)) : nullptr;
}

// The key in the other numeric kinds. Upstream does not look for doubles.
const Value* LookupConverted(std::span<const MapEntry> entries, const Value& key) {
  switch (key.kind()) {
    case Kind::kDouble:
      if (const Value* found = LookupInt(entries, LosslessInt(key.as_double()))) {
        return found;
      }
      return LookupUint(entries, LosslessUint(key.as_double()));
    case Kind::kInt:
      return LookupUint(entries, LosslessUint(key.as_int()));
    case Kind::kUint:
      return LookupInt(entries, LosslessInt(key.as_uint()));
    default:
      return nullptr;
  }
}

}  // namespace

Value ConcatList::At(std::size_t n) const {
  const ConcatList* list = this;
  while (true) {
    const std::size_t left = list->left_.as_list().size();
    const Value& side = n < left ? list->left_ : list->right_;
    n -= n < left ? 0 : left;
    if (side.form() != ListForm::kConcatenated) {
      return side.as_list().At(n);
    }
    list = static_cast<const ConcatList*>(&side.as_list());
  }
}

void GrowingList::Append(const Value& value) {
  if (size_ == capacity_) {
    capacity_ = std::max<std::size_t>(8, capacity_ * 2);
    Value* larger = arena_->MakeArray<Value>(capacity_);
    std::copy_n(values_, size_, larger);
    values_ = larger;
  }
  values_[size_++] = value;
}

int CompareKeys(const Value& a, const Value& b) {
  if (a.kind() != b.kind()) {
    return Order(a.kind(), b.kind());
  }
  switch (a.kind()) {
    case Kind::kNull:
    case Kind::kAbsent:
      return 0;
    case Kind::kBool:
      return Order(a.as_bool(), b.as_bool());
    case Kind::kInt:
    case Kind::kDuration:
      return Order(a.as_int(), b.as_int());
    case Kind::kUint:
      return Order(a.as_uint(), b.as_uint());
    case Kind::kDouble:
      return OrderDoubles(a.as_double(), b.as_double());
    case Kind::kString:
    case Kind::kBytes:
      return a.as_text().compare(b.as_text());
    case Kind::kTimestamp:
      return OrderTimestamps(a.as_timestamp(), b.as_timestamp());
    case Kind::kType:
      return a.as_type()->name.compare(b.as_type()->name);
    case Kind::kIp:
      return CompareAddresses(a.as_ip(), b.as_ip());
    case Kind::kCidr:
      return CompareBlocks(a.as_cidr(), b.as_cidr());
    case Kind::kOptional:
      return OrderAddresses(a.as_optional(), b.as_optional());
    case Kind::kError:
    case Kind::kList:
    case Kind::kMap:
    case Kind::kQuantity:
    case Kind::kSemver:
    case Kind::kUrl:
    case Kind::kFormat:
      return OrderAddresses(&a.as_list(), &b.as_list());
  }
  return 0;
}

const char* UnhashableType(const Value& key) {
  switch (key.kind()) {
    case Kind::kBytes:
      return "types.Bytes";
    case Kind::kSemver:
      return "cel.Semver";
    case Kind::kFormat:
      return "cel.Format";
    default:
      return nullptr;
  }
}

Value ArrayMap::Find(const Value& key) const {
  const Value* found = Lookup(entries_, key);
  if (found == nullptr) {
    found = LookupConverted(entries_, key);
  }
  return found == nullptr ? Value() : *found;
}

MapEntry* GrowingMap::LowerBound(const Value& key) {
  return std::partition_point(entries_, entries_ + size_, [&](const MapEntry& entry) {
    return CompareKeys(entry.key, key) < 0;
  });
}

void GrowingMap::Reserve() {
  if (size_ < capacity_) {
    return;
  }
  capacity_ = std::max<std::size_t>(8, capacity_ * 2);
  MapEntry* larger = arena_->MakeArray<MapEntry>(capacity_);
  std::copy_n(entries_, size_, larger);
  entries_ = larger;
}

void GrowingMap::Put(const Value& key, const Value& value) {
  Reserve();
  MapEntry* place = LowerBound(key);
  const bool is_nan = key.kind() == Kind::kDouble && std::isnan(key.as_double());
  if (!is_nan && place != entries_ + size_ && CompareKeys(place->key, key) == 0) {
    place->value = value;
    return;
  }
  std::copy_backward(place, entries_ + size_, entries_ + size_ + 1);
  *place = {key, value};
  ++size_;
}

void GrowingMap::Remove(const Value& key) {
  MapEntry* place = LowerBound(key);
  if (place != entries_ + size_ && CompareKeys(place->key, key) == 0) {
    std::copy(place + 1, entries_ + size_, place);
    --size_;
  }
}

Value MakeList(Arena& arena, std::span<const Value> values) {
  return Value::Of(static_cast<const ListObject*>(arena.Make<ArrayList>(values)));
}

Value Settle(Arena& arena, const Value& value) {
  if (value.kind() == Kind::kList && value.form() == ListForm::kGrowing) {
    return MakeList(arena, static_cast<const GrowingList&>(value.as_list()).values());
  }
  if (value.kind() == Kind::kMap && value.form() == ListForm::kGrowing) {
    const auto& map = static_cast<const GrowingMap&>(value.as_map());
    return Value::Of(static_cast<const MapObject*>(arena.Make<ArrayMap>(map.entries())));
  }
  return value;
}

}  // namespace quadra::cel
