// Replay: a log read into memory, entry by entry.
//
// A file can be wrong in ways that its own checks do not see. What later code relies on is checked
// here: that every version follows the one it names, that its revision stands in its bytes, and that
// nothing is deleted that was not there.
#pragma once

#include <cstddef>
#include <functional>

#include "base/lineage.h"
#include "base/result.h"
#include "store/deadlines.h"
#include "store/history.h"
#include "store/log.h"

namespace quadra::store {

struct Replayed {
  Past past;
  Deadlines deadlines;  // of its head
};

// An error where entries contradict each other. Cost: O(log n) an entry. Calls on_load as StoreOptions says.
Result<Replayed> Replay(Log& log, const Extractor& extractor, Lineage& lineage,
                        const std::function<void(std::size_t entries)>& on_load);

}  // namespace quadra::store
