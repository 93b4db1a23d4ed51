#include "cli/columns.h"

#include <algorithm>
#include <charconv>
#include <numeric>
#include <optional>

#include <fmt/format.h>

#include "base/check.h"
#include "cli/table.h"

namespace quadra::cli {
namespace {

// What kubectl makes of a.b, .a.b, {a.b} and {.a.b}: .a.b.
std::string Relaxed(std::string_view field) {
  if (field.starts_with('{') && field.ends_with('}')) {
    field = field.substr(1, field.size() - 2);
  }
  return fmt::format("{}{}", field.starts_with('.') ? "" : ".", field);
}

// Of every value that the field has, with a comma behind each.
Result<json::JsonPath> PathTo(std::string_view field) {
  QUADRA_RETURN_IF_ERROR(json::JsonPath::Parse(fmt::format("{{{}}}", Relaxed(field))));
  return json::JsonPath::Parse(fmt::format("{{range {}}}{{@}},{{end}}", Relaxed(field)));
}

Result<std::string> CellAt(const json::JsonPath& path, const json::Value& item) {
  QUADRA_TRY(std::string text, path.Print(item));
  if (text.ends_with(',')) {
    text.pop_back();
  }
  return text;
}

std::optional<double> NumberIn(const std::string& text) {
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size() ? std::optional(number)
                                                                  : std::nullopt;
}

bool ComesBefore(const std::string& a, const std::string& b) {
  const std::optional<double> x = NumberIn(a);
  const std::optional<double> y = NumberIn(b);
  return x && y ? *x < *y : a < b;
}

}  // namespace

Result<CustomColumns> CustomColumns::Parse(std::string_view spec) {
  CustomColumns columns;
  for (std::size_t start = 0; start <= spec.size();) {
    const std::size_t end = std::min(spec.find(',', start), spec.size());
    const std::string_view part = spec.substr(start, end - start);
    const std::size_t colon = part.find(':');
    if (colon == std::string_view::npos || colon + 1 == part.size()) {
      return Fail({.kind = ErrorKind::kUsage,
                   .message = fmt::format("custom-columns: \"{}\" is no column", part),
                   .remedy = "write HEADING:FIELD, e.g. NAME:.name,STATE:.state"});
    }
    QUADRA_TRY(json::JsonPath path, PathTo(part.substr(colon + 1)));
    columns.columns_.push_back({std::string(part.substr(0, colon)), std::move(path)});
    start = end + 1;
  }
  return columns;
}

std::vector<std::string> CustomColumns::Headings() const {
  std::vector<std::string> headings(columns_.size());
  std::ranges::transform(columns_, headings.begin(), &Column::heading);
  return headings;
}

Result<std::vector<std::string>> CustomColumns::Cells(const json::Value& item) const {
  std::vector<std::string> cells;
  for (const Column& column : columns_) {
    QUADRA_TRY(std::string cell, CellAt(column.path, item));
    cells.push_back(std::move(cell));
  }
  return cells;
}

Status PrintColumns(std::string_view spec, const std::vector<std::string>& items, bool headings,
                    std::ostream& out) {
  QUADRA_TRY(const CustomColumns columns, CustomColumns::Parse(spec));
  Table table(columns.Headings());
  for (const std::string& item : items) {
    QUADRA_TRY(const json::Value value, json::ParseValue(item));
    QUADRA_TRY(std::vector<std::string> cells, columns.Cells(value));
    table.Add(std::move(cells));
  }
  table.Print(out, headings);
  return {};
}

Result<std::vector<std::size_t>> OrderBy(std::string_view field,
                                         const std::vector<std::string>& items) {
  QUADRA_TRY(const json::JsonPath path, PathTo(field));
  std::vector<std::string> keys;
  for (const std::string& item : items) {
    const Result<json::Value> value = json::ParseValue(item);
    QUADRA_CHECK(value.has_value(), "what is written is valid JSON");
    QUADRA_TRY(std::string key, CellAt(path, *value));
    keys.push_back(std::move(key));
  }
  std::vector<std::size_t> order(items.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, [&](std::size_t a, std::size_t b) {
    return ComesBefore(keys[a], keys[b]) || (!ComesBefore(keys[b], keys[a]) && a < b);
  });
  return order;
}

}  // namespace quadra::cli
