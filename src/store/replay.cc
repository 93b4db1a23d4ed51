#include "store/replay.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace quadra::store {
namespace {

constexpr std::size_t kBetweenReports = 50'000;

constexpr Revision kMostRevision = std::numeric_limits<std::int64_t>::max();  // of SQLite

// Whether the revision stands in the bytes where it should.
bool IsStamped(const LogEntry& entry) {
  const std::string digits = std::to_string(entry.revision);
  return !entry.revision_at || (*entry.revision_at <= entry.bytes.size() &&
                                entry.bytes.substr(*entry.revision_at).starts_with(digits));
}

RecordPtr RecordOf(const LogEntry& entry, const RecordPtr& previous, const Extractor& extractor) {
  return std::make_shared<const Record>(
      Record{.key = previous == nullptr ? Key(std::string(entry.key)) : previous->key,
             .created = entry.created,
             .modified = entry.revision,
             .bytes = std::string(entry.bytes),
             .revision_at = entry.revision_at,
             .expires = entry.expires,
             .facts = extractor.Extract(entry.key, entry.bytes)});
}

Event::Type TypeOf(const LogEntry& entry) {
  if (entry.deletion) {
    return Event::Type::kDeleted;
  }
  return entry.previous == 0 ? Event::Type::kCreated : Event::Type::kUpdated;
}

class Reader {
 public:
  Reader(Revision compacted, const Extractor& extractor, Lineage& lineage)
      : compacted_(compacted), extractor_(extractor), epoch_(lineage.Next()) {}

  Status Read(const LogEntry& entry) {
    const RecordPtr previous = content_.Find(entry.key);
    if (!Plausible(entry, previous)) {
      return Contradiction(entry);
    }
    const RecordPtr record = RecordOf(entry, previous, extractor_);
    head_ = entry.revision;
    if (entry.revision <= compacted_) {
      content_.Put(epoch_, record);
      return {};
    }
    events_.push_back(std::make_shared<const Event>(
        Event{.type = TypeOf(entry), .record = record, .previous = previous}));
    content_.Apply(epoch_, *events_.back());
    return {};
  }

  Replayed Finish() && {
    Snapshot head(std::max(head_, compacted_), content_);
    Deadlines deadlines;
    head.Scan("", "", [&](const RecordPtr& record) {
      deadlines.Add(record);
      return true;
    });
    return {
        .past = {.compacted = compacted_, .events = std::move(events_), .head = std::move(head)},
        .deadlines = std::move(deadlines)};
  }

 private:
  // Up to where the log is compacted only what stands is left, and what that replaced is gone.
  bool Plausible(const LogEntry& entry, const RecordPtr& previous) const {
    const bool past_is_gone = entry.revision <= compacted_;
    const Revision replaced = previous == nullptr ? 0 : previous->modified;
    const bool follows = past_is_gone
                             ? replaced == 0 && !entry.deletion
                             : replaced == entry.previous && (replaced > 0 || !entry.deletion);
    return follows && entry.revision > head_ && entry.revision <= kMostRevision && IsStamped(entry);
  }
  static Status Contradiction(const LogEntry& entry) {
    return Fail(Error{
        .kind = ErrorKind::kUnreadable,
        .message = fmt::format("the store is damaged: revision {} contradicts what is before it",
                               entry.revision),
        .remedy = "restore a backup with `quadra restore`"});
  }

  const Revision compacted_;
  const Extractor& extractor_;
  Epoch epoch_;
  Content content_;
  Revision head_ = 0;
  std::vector<EventPtr> events_;
};

}  // namespace

Result<Replayed> Replay(Log& log, const Extractor& extractor, Lineage& lineage,
                        const std::function<void(std::size_t entries)>& on_load) {
  Reader reader(log.Compacted(), extractor, lineage);
  std::size_t entries = 0;
  QUADRA_RETURN_IF_ERROR(log.Replay([&](const LogEntry& entry) {
    if (++entries % kBetweenReports == 0) {
      on_load(entries);
    }
    return reader.Read(entry);
  }));
  on_load(entries);
  return std::move(reader).Finish();
}

}  // namespace quadra::store
