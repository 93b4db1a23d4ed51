// Write: one change that somebody asks for, and the Outcome it can have.
//
//   Write{.key = "pods/ns/a", .precondition = Precondition::Absent(), .draft = draft}
//   Write{.action = Write::Action::kDelete, .key = "pods/ns/a", .draft = Reopen(*record)}
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/result.h"
#include "store/content.h"
#include "store/record.h"

namespace quadra::store {

// What must stand under the key for the write to happen.
class Precondition {
 public:
  static Precondition None() { return Precondition(std::nullopt); }
  static Precondition Absent() { return Precondition(0); }
  static Precondition ModifiedAt(Revision revision) { return Precondition(revision); }

  // `standing` may be null: nothing stands there.
  bool HoldsFor(const RecordPtr& standing) const {
    return !modified_ || *modified_ == (standing == nullptr ? 0 : standing->modified);
  }

 private:
  explicit Precondition(std::optional<Revision> modified) : modified_(modified) {}

  std::optional<Revision> modified_;  // 0: nothing may stand there
};

struct Write {
  enum class Action { kPut, kDelete };

  Action action = Action::kPut;
  std::string key;
  Precondition precondition = Precondition::None();
  // Of a deletion: the last state, for watchers, stamped with the revision of the deletion.
  Draft draft;
  // Lets others pass: of a flood of such writes only a share comes into each commit.
  bool background = false;
  // Deleted by the store so long after this write, unless it is written again before.
  std::optional<std::chrono::microseconds> ttl = std::nullopt;
  // Index terms that no other record may have when it is written.
  std::vector<std::string> sole_terms = {};
};

// It is durable, and seen by snapshots and watchers.
struct Committed {
  RecordPtr record;    // of a deletion: the last state with the revision of the deletion
  RecordPtr previous;  // null: there was none
};

// The precondition did not hold, or there was nothing to delete. Nothing was written.
struct Conflict {
  RecordPtr standing;  // null: there is none
};

// Another record has one of the sole terms. Nothing was written.
struct Taken {
  std::string term;
  RecordPtr holder;
};
// The first of the terms that another record than that of `key` has; nothing: none has.
std::optional<Taken> FindTaken(const Content& state, std::span<const std::string> terms,
                               std::string_view key);

// The store could not take it: nothing was written, and it may be tried again later. (Only if the
// machine fails at the moment of kReadOnly may the write turn up after the restart, whole.)
struct Refused {
  enum class Why {
    kReadOnly,  // the disk failed or is full; Store::Writable() tells when that is over
    kBusy,      // too much is waiting already
    kClosing,   // the store is being closed
  };
  Why why = Why::kReadOnly;
  Error error;
};

using Outcome = std::variant<Committed, Conflict, Refused, Taken>;
using Done = std::function<void(Outcome)>;

}  // namespace quadra::store
