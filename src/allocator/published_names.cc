#include "allocator/published_names.h"

#include <cctype>
#include <cstddef>
#include <string_view>

#include <fmt/format.h>

#include "base/nearest.h"

namespace quadra::allocator {
namespace {

using selector::ColumnId;
using selector::ColumnKind;
using selector::ColumnName;
using selector::DeviceTable;

bool IsPublished(const DeviceTable& table, ColumnId column) {
  bool found = table.is_own(column);
  for (selector::ClassId id = 1; id < table.class_count() && !found; ++id) {
    found = table.is_in_use(id) && !table.ClassInputs(id).Slot(column).is_absent();
  }
  return found;
}

UnknownName WithNearest(const ColumnName& wanted, const DeviceTable& table) {
  std::vector<std::string_view> names;    // in its domain
  std::vector<std::string_view> domains;  // that have its name
  for (ColumnId column = 0; column < table.columns().size(); ++column) {
    const ColumnName& name = table.columns().NameOf(column);
    if (name.kind != wanted.kind || !IsPublished(table, column)) {
      continue;
    }
    if (name.domain == wanted.domain) {
      names.push_back(name.id);
    } else if (name.id == wanted.id) {
      domains.push_back(name.domain);
    }
  }
  if (const std::string_view name = Nearest(wanted.id, names); !name.empty()) {
    return {.column = wanted, .wrong = wanted.id, .nearest = std::string(name)};
  }
  const std::string_view domain = Nearest(wanted.domain, domains);
  return {.column = wanted,
          .wrong = domain.empty() ? "" : wanted.domain,
          .nearest = std::string(domain)};
}

bool IsOfName(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

bool StandsAlone(const std::string& text, std::size_t begin, std::size_t end) {
  return (begin == 0 || !IsOfName(text[begin - 1])) && (end == text.size() || !IsOfName(text[end]));
}

}  // namespace

std::string UnknownName::ToString() const {
  return fmt::format("{} {}/{}", column.kind == ColumnKind::kAttribute ? "attribute" : "capacity",
                     column.domain, column.id);
}

std::vector<UnknownName> UnknownNames(const selector::Expression& expression,
                                      const DeviceTable& table) {
  std::vector<UnknownName> unknown;
  for (const cel::SlotIndex slot : expression.program().slots()) {
    const ColumnName& name = table.columns().NameOf(slot);
    const bool is_published_by_name =
        name.kind == ColumnKind::kAttribute || name.kind == ColumnKind::kCapacity;
    if (is_published_by_name && !IsPublished(table, slot)) {
      unknown.push_back(WithNearest(name, table));
    }
  }
  return unknown;
}

std::string WithName(const std::string& text, const std::string& name, const std::string& instead) {
  std::string replaced;
  std::size_t done = 0;
  for (std::size_t at = text.find(name); at != std::string::npos; at = text.find(name, at + 1)) {
    if (at >= done && StandsAlone(text, at, at + name.size())) {
      replaced += text.substr(done, at - done) + instead;
      done = at + name.size();
    }
  }
  return replaced + text.substr(done);
}

}  // namespace quadra::allocator
