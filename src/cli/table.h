// Table: rows of words in kubectl's layout: upper-case headings, columns three blanks apart,
// nothing after the last.
#pragma once

#include <ostream>
#include <string>
#include <utility>
#include <vector>

namespace quadra::cli {

class Table {
 public:
  explicit Table(std::vector<std::string> headings) : headings_(std::move(headings)) {}
  // REQUIRES: one cell a heading. An empty cell prints <none>, and none more than one line (line.h).
  void Add(std::vector<std::string> cells);
  void Print(std::ostream& out, bool with_headings) const;
  // Prints one more row below those that were printed, in their columns.
  void Follow(std::vector<std::string> cells, std::ostream& out);

 private:
  std::vector<std::size_t> Widths(bool with_headings) const;
  static void PrintRow(const std::vector<std::string>& row, const std::vector<std::size_t>& widths,
                       std::ostream& out);

  std::vector<std::string> headings_;
  std::vector<std::vector<std::string>> rows_;
  std::vector<std::size_t> widths_;  // of rows that followed; empty before the first
};

}  // namespace quadra::cli
