// Bitmaps: one expression over a whole table; per row whether the device matches, does not, or
// makes the expression fail.
//
// Evaluates once per class of devices that differ in what the expression reads, then spreads the
// verdicts over the rows, about half a nanosecond a row. Agrees with Decide() (match.h) row by row.
// Refresh() re-evaluates only rows that differ from those of the table it saw last, be that an
// earlier table, a later one, or that of a fork. One thread at a time; many Bitmaps may read one
// table at once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "cel/program.h"
#include "selector/device_table.h"
#include "selector/expression.h"
#include "selector/match.h"

namespace quadra::selector {

// The verdicts on 64 rows.
struct BitmapWord {
  std::uint64_t matches = 0;
  std::uint64_t errors = 0;
};

// What a row's bits in two bitmaps say.
template <typename Words>
Verdict VerdictAt(Row row, const Words& matches, const Words& errors) {
  const std::uint64_t bit = std::uint64_t{1} << (row % 64);
  if ((matches[row / 64] & bit) != 0) {
    return Verdict::kMatch;
  }
  return (errors[row / 64] & bit) != 0 ? Verdict::kError : Verdict::kNo;
}

class Bitmaps {
 public:
  // REQUIRES: compiled without error, as a selector.
  explicit Bitmaps(std::shared_ptr<const Expression> expression);

  // Makes them the bitmaps of this table, which is kept until the next one comes.
  void Refresh(std::shared_ptr<const DeviceTable> table, cel::Scratch& scratch);

  // One bit a row, in words of 64; rows of no device are in neither. A row in neither does not
  // match.
  std::span<const std::uint64_t> matches() const { return matches_; }
  std::span<const std::uint64_t> errors() const { return errors_; }
  Verdict At(Row row) const { return VerdictAt(row, matches_, errors_); }
  const Expression& expression() const { return *expression_; }

  // Work done so far, as numbers that do not depend on the machine.
  struct Work {
    std::uint64_t evaluations = 0;  // runs of the virtual machine
    std::uint64_t rows = 0;         // rows whose verdict was written
  };
  const Work& work() const { return work_; }

 private:
  // Verdicts of classes that were not asked yet.
  static constexpr std::uint8_t kUnknown = 3;

  class TupleMemo;

  bool ReadsOwnColumns(const DeviceTable& table) const;
  void Write(const DeviceTable& table, RowRange rows, cel::Scratch& scratch);
  void LearnClasses(const DeviceTable& table, RowRange rows, cel::Scratch& scratch);
  Verdict AskClass(const DeviceTable& table, ClassId id, TupleMemo& memo, cel::Scratch& scratch);
  template <typename MakeInputs>
  Verdict Ask(const std::string& poison, const MakeInputs& make, cel::Scratch& scratch);
  // One word of the bitmaps, as far as it belongs to `rows`: from the verdicts of classes, or
  // evaluating row by row.
  void WriteClasses(const DeviceTable& table, std::size_t word, RowRange rows);
  void WriteRows(const DeviceTable& table, std::size_t word, RowRange rows, cel::Scratch& scratch);
  void Store(std::size_t word, RowRange rows, BitmapWord bits);

  std::shared_ptr<const Expression> expression_;
  std::vector<std::uint64_t> matches_;
  std::vector<std::uint64_t> errors_;
  std::vector<std::uint8_t> class_verdicts_;
  std::shared_ptr<const DeviceTable> table_;  // that all of this is about
  Work work_;
};

// Several selectors, asked one after the other until one says no or fails: matches where all match,
// fails where one fails and all before it match. Copies share what is equal.
struct Sequenced {
  using Words = Chunks<std::uint64_t, 256>;
  Words matches;
  Words errors;

  Verdict At(Row row) const { return VerdictAt(row, matches, errors); }
};
// REQUIRES: all refreshed to the same table, at least one.
Sequenced InSequence(std::span<const Bitmaps* const> selectors);

// One word of it. A null selector fails on every device; without any all match.
BitmapWord WordInSequence(std::span<const Bitmaps* const> selectors, std::size_t word);

}  // namespace quadra::selector
