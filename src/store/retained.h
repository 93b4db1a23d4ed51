// IfRetained<T>: what was asked of a revision, or that the revision cannot be served.
//
//   const IfRetained<Snapshot> page = store.At(token.revision);
//   if (!page) return page.error().expired() ? Gone() : TryAgainLater();
#pragma once

#include <tl/expected.hpp>

#include "store/record.h"

namespace quadra::store {

// Forgotten, or not reached yet.
struct NotRetained {
  Revision asked = 0;
  Revision oldest = 0;  // that can be served
  Revision head = 0;

  bool expired() const { return asked < oldest; }
};

template <typename T>
using IfRetained = tl::expected<T, NotRetained>;

}  // namespace quadra::store
