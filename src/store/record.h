// Record: one version of one object, immutable and shared by all who read it.
//
// The store knows keys, bytes and revisions, nothing of what the bytes mean. Whoever opens it hands
// in an Extractor that reads from the bytes what queries need (labels, fields, index terms); it
// runs once a version, so that lists and watchers never parse.
//
// Objects tend to carry their revision inside. So that stored bytes can be shared unchanged, a
// writer hands in a Draft: the bytes with a hole, into which the store writes the revision in
// decimal once it is known.
//
//   Draft{.bytes = R"({"resourceVersion":""})", .revision_at = 20}   // becomes ..."17"}
//
// Threads: everything here is immutable once made.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "store/key.h"

namespace quadra::store {

// One global count of changes: every committed write has one of its own, later ones are greater.
// Some may be missing. None is ever given twice, not even by a store that was restored.
using Revision = std::uint64_t;

// The head of a store that was never written. Not 0, which means "any" to Kubernetes' clients.
inline constexpr Revision kFirstRevision = 1;

// What an Extractor found in the bytes. Derived types add what their owner wants to know; they own
// what they hold, the bytes may be gone.
class Facts {
 public:
  explicit Facts(std::vector<std::string> terms = {}) : terms_(std::move(terms)) {}
  virtual ~Facts() = default;
  Facts(const Facts&) = delete;
  Facts& operator=(const Facts&) = delete;

  // Under which the record is found by Snapshot::ScanTerm. Without NUL bytes, none twice.
  const std::vector<std::string>& terms() const { return terms_; }

 private:
  std::vector<std::string> terms_;
};

// Called by many threads at once. Never null, whatever the bytes are. What it finds must not depend
// on the revision: it may see a draft whose hole is still empty.
class Extractor {
 public:
  virtual ~Extractor() = default;
  virtual std::shared_ptr<const Facts> Extract(std::string_view key,
                                               std::string_view bytes) const = 0;
};

struct Record {
  Key key;
  Revision created = 0;
  Revision modified = 0;  // of a deleted record: when it was deleted
  std::string bytes;
  std::optional<std::size_t> revision_at;  // where `modified` stands in the bytes
  std::optional<Time> expires;
  std::shared_ptr<const Facts> facts;
};

// Never null unless a comment says so. Bytes alone: std::shared_ptr<const std::string>(record,
// &record->bytes).
using RecordPtr = std::shared_ptr<const Record>;

// The content of a version to be. REQUIRES: revision_at <= bytes.size().
struct Draft {
  std::string bytes;
  std::optional<std::size_t> revision_at = std::nullopt;
};

// The bytes with the revision in the hole.
std::string Stamp(Draft draft, Revision revision);

// The draft of which Stamp made the record: for whoever writes the same state once more, for
// instance as the last one of a deletion.
Draft Reopen(const Record& record);

}  // namespace quadra::store
