// Event: one committed change as watchers see it and as the past is made of.
//
// Immutable; one allocation is shared by the history and all watchers. Events of a key form a chain:
// `previous` of each is `record` of the one before it, unless that was a deletion.
#pragma once

#include <memory>

#include "store/record.h"

namespace quadra::store {

struct Event {
  enum class Type { kCreated, kUpdated, kDeleted };

  Type type = Type::kCreated;
  RecordPtr record;    // kDeleted: the last state with the revision of the deletion
  RecordPtr previous;  // null if and only if kCreated

  Revision revision() const { return record->modified; }
};

using EventPtr = std::shared_ptr<const Event>;  // never null

}  // namespace quadra::store
