#include "cli/table.h"

#include <algorithm>
#include <string_view>

#include "base/utf8.h"
#include "cli/line.h"

namespace quadra::cli {
namespace {

constexpr std::string_view kNone = "<none>";
constexpr std::size_t kGap = 3;

std::string_view ShownCell(const std::string& cell) { return cell.empty() ? kNone : cell; }

// In characters, as kubectl counts it, however wide a terminal draws them.
std::size_t WidthOf(std::string_view text) {
  std::size_t width = 0;
  for (; !text.empty(); ++width) {
    text.remove_prefix(DecodeRune(text).size);
  }
  return width;
}

}  // namespace

void Table::Add(std::vector<std::string> cells) {
  std::ranges::transform(cells, cells.begin(), OneLine);
  rows_.push_back(std::move(cells));
}

std::vector<std::size_t> Table::Widths(bool with_headings) const {
  std::vector<std::size_t> widths;
  widths.reserve(headings_.size());
  for (const std::string& heading : headings_) {
    widths.push_back(with_headings ? WidthOf(ShownCell(heading)) : 0);
  }
  for (const std::vector<std::string>& row : rows_) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      widths[i] = std::max(widths[i], WidthOf(ShownCell(row[i])));
    }
  }
  return widths;
}

void Table::PrintRow(const std::vector<std::string>& row, const std::vector<std::size_t>& widths,
                     std::ostream& out) {
  for (std::size_t i = 0; i + 1 < row.size(); ++i) {
    const std::string_view cell = ShownCell(row[i]);
    out << cell
        << std::string(widths[i] + kGap - std::min(WidthOf(cell), widths[i] + kGap - 1), ' ');
  }
  out << ShownCell(row.back()) << '\n';
}

void Table::Print(std::ostream& out, bool with_headings) const {
  const std::vector<std::size_t> widths = Widths(with_headings);
  if (with_headings) {
    PrintRow(headings_, widths, out);
  }
  for (const std::vector<std::string>& row : rows_) {
    PrintRow(row, widths, out);
  }
}

void Table::Follow(std::vector<std::string> cells, std::ostream& out) {
  if (widths_.empty()) {
    widths_ = Widths(true);
  }
  std::ranges::transform(cells, cells.begin(), OneLine);
  PrintRow(cells, widths_, out);
}

}  // namespace quadra::cli
