// Lineage and Epoch: how one writer and any number of readers share a structure without locks and
// without copying it.
//
// A shared structure (chunks.h, ordered_map.h, hashed_map.h) consists of parts, each marked with
// the epoch in which it was made. A writer that still is in that epoch made the part itself and has
// shown it to nobody: it writes in place. Otherwise it writes a copy of the part. Handing the
// structure to others is thus two steps: copy it (a few pointers), and go on in a new epoch.
//
//   Lineage lineage;
//   Epoch mine = lineage.Next();
//   numbers.At(mine, 7) = 1;              // writes
//   const auto shown = numbers;           // for readers
//   mine = lineage.Next();
//   numbers.At(mine, 7) = 2;              // copies first: `shown` does not change
//
// Why not ask a shared_ptr whether others hold it: a reader that drops it just then makes that
// answer a race. An epoch is known to the writer alone, whatever readers do.
#pragma once

#include <atomic>
#include <cstdint>

namespace quadra {

// Later ones of a lineage are greater. The default is nobody's.
struct Epoch {
  std::uint64_t number = 0;
  friend bool operator==(const Epoch&, const Epoch&) = default;
};

// Where epochs come from. All writers whose structures may come to share parts (an inventory and
// its forks) draw from one lineage, so no two of them are ever in the same epoch. Thread-safe.
class Lineage {
 public:
  Epoch Next() { return {last_.fetch_add(1, std::memory_order_relaxed) + 1}; }

 private:
  std::atomic<std::uint64_t> last_{0};
};

}  // namespace quadra
