// Marks: what a search asks about every device it passes, one bit a row of the device table.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "selector/selector.h"

namespace quadra::inventory {

class Bits {
 public:
  bool Test(selector::Row row) const { return ((words_[row / 64] >> (row % 64)) & 1) != 0; }
  void Set(selector::Row row, bool on) {
    const std::uint64_t bit = std::uint64_t{1} << (row % 64);
    words_[row / 64] = on ? words_[row / 64] | bit : words_[row / 64] & ~bit;
  }
  // New bits are off.
  void Resize(std::size_t rows) { words_.resize((rows + 63) / 64); }
  void Clear() { words_.clear(); }

 private:
  std::vector<std::uint64_t> words_;
};

struct Marks {
  Bits in_use;   // held as a whole
  Bits held;     // held as a whole or in shares
  Bits tainted;  // has a taint that keeps pods away, published or by rule

  void Resize(std::size_t rows) {
    for (Bits* bits : {&in_use, &held, &tainted}) {
      bits->Resize(rows);
    }
  }
  void Clear() {
    for (Bits* bits : {&in_use, &held, &tainted}) {
      bits->Clear();
    }
  }
};

}  // namespace quadra::inventory
