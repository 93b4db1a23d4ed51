// Marks: what a search asks about every device it passes, by row of the device table: one bit for
// each question, and a pointer to what is held of it.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/chunks.h"
#include "selector/selector.h"

namespace quadra::inventory {

struct HeldDevice;

// Copies share what is equal.
class Bits {
 public:
  bool Test(selector::Row row) const { return ((words_[row / 64] >> (row % 64)) & 1) != 0; }
  void Set(Epoch writer, selector::Row row, bool on) {
    if (Test(row) != on) {
      words_.At(writer, row / 64) ^= std::uint64_t{1} << (row % 64);
    }
  }
  // New bits are off.
  void Resize(Epoch writer, std::size_t rows) { words_.Resize(writer, (rows + 63) / 64); }

 private:
  Chunks<std::uint64_t, 256> words_;
};

struct Marks {
  Bits in_use;   // held as a whole
  Bits held;     // held as a whole or in shares
  Bits tainted;  // has a taint that keeps pods away, published or by rule

  // What of Held the device of the row is; null if nobody holds it.
  const HeldDevice* HeldAt(selector::Row row) const {
    return held.Test(row) ? devices_[row] : nullptr;
  }
  // The device is of the Held that is copied together with this.
  void SetHeld(Epoch writer, selector::Row row, const HeldDevice* device) {
    held.Set(writer, row, device != nullptr);
    if (devices_[row] != device) {
      devices_.At(writer, row) = device;
    }
  }

  void Resize(Epoch writer, std::size_t rows) {
    for (Bits* bits : {&in_use, &held, &tainted}) {
      bits->Resize(writer, rows);
    }
    devices_.Resize(writer, rows);
  }

 private:
  Chunks<const HeldDevice*, 128> devices_;
};

}  // namespace quadra::inventory
