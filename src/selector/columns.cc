#include "selector/columns.h"

#include "base/check.h"

namespace quadra::selector {
namespace {

// '\n' occurs in no valid name; where a caller asks for one all the same, the lengths tell.
std::string ColumnKey(ColumnKind kind, std::string_view domain, std::string_view id) {
  std::string key;
  key.reserve(domain.size() + id.size() + 8);
  key += static_cast<char>('0' + static_cast<int>(kind));
  key += std::to_string(domain.size());
  key += '\n';
  key += domain;
  key += id;
  return key;
}

}  // namespace

Columns::Columns() {
  const ColumnId driver = Intern(ColumnKind::kDriver, "", "");
  const ColumnId multiple = Intern(ColumnKind::kAllowMultipleAllocations, "", "");
  QUADRA_CHECK(driver == kDriver && multiple == kAllowMultipleAllocations,
               "the fixed columns are interned first");
}

ColumnId Columns::Intern(ColumnKind kind, std::string_view domain, std::string_view id) {
  const MutexLock lock(mutex_);
  const auto [at, is_new] =
      ids_.try_emplace(ColumnKey(kind, domain, id), static_cast<ColumnId>(names_.size()));
  if (is_new) {
    names_.push_back({.kind = kind, .domain = std::string(domain), .id = std::string(id)});
  }
  return at->second;
}

std::optional<ColumnId> Columns::Find(ColumnKind kind, std::string_view domain,
                                      std::string_view id) const {
  const MutexLock lock(mutex_);
  const auto found = ids_.find(ColumnKey(kind, domain, id));
  return found != ids_.end() ? std::optional(found->second) : std::nullopt;
}

const ColumnName& Columns::NameOf(ColumnId column) const {
  const MutexLock lock(mutex_);
  return names_[column];
}

std::size_t Columns::size() const {
  const MutexLock lock(mutex_);
  return names_.size();
}

QualifiedName SplitName(std::string_view name, std::string_view driver) {
  const std::size_t slash = name.find('/');
  return slash == std::string_view::npos
             ? QualifiedName{.domain = driver, .id = name}
             : QualifiedName{.domain = name.substr(0, slash), .id = name.substr(slash + 1)};
}

std::optional<cel::Linker::Link> ColumnLinker::Resolve(std::string_view variable,
                                                       std::span<const std::string_view> steps) {
  if (variable != "device" || steps.empty()) {
    return std::nullopt;
  }
  if (steps[0] == "driver") {
    return Link{.slot = Columns::kDriver, .steps = 1};
  }
  if (steps[0] == "allowMultipleAllocations") {
    return Link{.slot = Columns::kAllowMultipleAllocations, .steps = 1};
  }
  const bool is_attribute = steps[0] == "attributes";
  if (steps.size() < 3 || columns_.size() >= Columns::kMostLinked ||
      (!is_attribute && steps[0] != "capacity")) {
    return std::nullopt;
  }
  const ColumnKind kind = is_attribute ? ColumnKind::kAttribute : ColumnKind::kCapacity;
  return Link{.slot = columns_.Intern(kind, steps[1], steps[2]), .steps = 3};
}

}  // namespace quadra::selector
