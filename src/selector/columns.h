// Columns: which facts about devices expressions can name, as small dense numbers.
//
// A column is the driver, the multi-allocation flag, one attribute or one capacity; it is the slot
// that a compiled path such as device.attributes["gpu.example.com"].model reads, and the key under
// which a device table keeps the values. Numbers are handed out on first use and never change, so
// programs and tables that share a Columns fit together in any order of creation.
//
// Thread-safe. Nothing is ever released: the columns of a cluster are few. So that expressions made
// up in bulk cannot fill the memory, paths beyond kMostLinked columns are no longer linked; they
// are then looked up by name, with the same answer.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "base/mutex.h"
#include "cel/program.h"

namespace quadra::selector {

using ColumnId = cel::SlotIndex;

enum class ColumnKind : std::uint8_t { kDriver, kAllowMultipleAllocations, kAttribute, kCapacity };

struct ColumnName {
  ColumnKind kind = ColumnKind::kDriver;
  std::string domain;  // of attributes and capacities; without one: the driver's name
  std::string id;
};

class Columns {
 public:
  static constexpr ColumnId kDriver = 0;
  static constexpr ColumnId kAllowMultipleAllocations = 1;
  static constexpr std::size_t kMostLinked = 100'000;

  Columns();

  ColumnId Intern(ColumnKind kind, std::string_view domain, std::string_view id)
      QUADRA_EXCLUDES(mutex_);
  // Nothing where nobody asked for that column yet.
  std::optional<ColumnId> Find(ColumnKind kind, std::string_view domain, std::string_view id) const
      QUADRA_EXCLUDES(mutex_);
  // Valid as long as this.
  const ColumnName& NameOf(ColumnId column) const QUADRA_EXCLUDES(mutex_);
  std::size_t size() const QUADRA_EXCLUDES(mutex_);

 private:
  mutable Mutex mutex_;
  std::deque<ColumnName> names_ QUADRA_GUARDED_BY(mutex_);
  absl::flat_hash_map<std::string, ColumnId> ids_ QUADRA_GUARDED_BY(mutex_);
};

// A name of the API split at its first slash; without one it belongs to the driver.
struct QualifiedName {
  std::string_view domain;
  std::string_view id;
};
QualifiedName SplitName(std::string_view name, std::string_view driver);

// Resolves paths below `device` to columns.
class ColumnLinker : public cel::Linker {
 public:
  explicit ColumnLinker(Columns& columns) : columns_(columns) {}
  std::optional<Link> Resolve(std::string_view variable,
                              std::span<const std::string_view> steps) override;

 private:
  Columns& columns_;
};

}  // namespace quadra::selector
