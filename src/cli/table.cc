#include "cli/table.h"

#include <algorithm>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ostream.h>

#include "cli/line.h"

namespace quadra::cli {
namespace {

constexpr std::string_view kNone = "<none>";
constexpr std::size_t kGap = 3;

std::string_view Shown(const std::string& cell) { return cell.empty() ? kNone : cell; }

}  // namespace

void Table::Add(std::vector<std::string> cells) {
  std::ranges::transform(cells, cells.begin(), OneLine);
  rows_.push_back(std::move(cells));
}

void Table::Print(std::ostream& out, bool with_headings) const {
  std::vector<std::size_t> widths;
  widths.reserve(headings_.size());
  for (const std::string& heading : headings_) {
    widths.push_back(with_headings ? heading.size() : 0);
  }
  for (const std::vector<std::string>& row : rows_) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      widths[i] = std::max(widths[i], Shown(row[i]).size());
    }
  }
  const auto print = [&](const std::vector<std::string>& row) {
    for (std::size_t i = 0; i + 1 < row.size(); ++i) {
      fmt::print(out, "{:<{}}", Shown(row[i]), widths[i] + kGap);
    }
    fmt::print(out, "{}\n", Shown(row.back()));
  };
  if (with_headings) {
    print(headings_);
  }
  for (const std::vector<std::string>& row : rows_) {
    print(row);
  }
}

}  // namespace quadra::cli
