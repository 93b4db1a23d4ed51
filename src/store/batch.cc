#include "store/batch.h"

#include <utility>

namespace quadra::store {
namespace {

Event::Type TypeOf(Write::Action action, const RecordPtr& standing) {
  if (action == Write::Action::kDelete) {
    return Event::Type::kDeleted;
  }
  return standing == nullptr ? Event::Type::kCreated : Event::Type::kUpdated;
}

LogEntry EntryOf(const Event& event) {
  const Record& record = *event.record;
  return {.revision = record.modified,
          .created = record.created,
          .previous = event.previous == nullptr ? 0 : event.previous->modified,
          .deletion = event.type == Event::Type::kDeleted,
          .key = record.key.text(),
          .bytes = record.bytes,
          .revision_at = record.revision_at,
          .expires = record.expires};
}

}  // namespace

RecordPtr Batch::NextVersion(Write write, std::shared_ptr<const Facts> facts,
                             const RecordPtr& standing) {
  const std::optional<std::size_t> revision_at = write.draft.revision_at;
  const Revision revision = ++last_;
  return std::make_shared<const Record>(Record{
      .key = standing == nullptr ? Key(std::move(write.key)) : standing->key,
      .created = standing == nullptr ? revision : standing->created,
      .modified = revision,
      .bytes = Stamp(std::move(write.draft), revision),
      .revision_at = revision_at,
      .expires = write.ttl ? std::optional(now_ + *write.ttl) : std::nullopt,
      .facts = std::move(facts),
  });
}

Outcome Batch::Add(Write write, std::shared_ptr<const Facts> facts) {
  const RecordPtr standing = content_.Find(write.key);
  const Event::Type type = TypeOf(write.action, standing);
  const bool nothing_to_delete = type == Event::Type::kDeleted && standing == nullptr;
  if (nothing_to_delete || !write.precondition.HoldsFor(standing)) {
    return Conflict{standing};
  }
  if (std::optional<Taken> taken = FindTaken(content_, write.sole_terms, write.key)) {
    return *std::move(taken);
  }
  const RecordPtr record = NextVersion(std::move(write), std::move(facts), standing);
  events_.push_back(
      std::make_shared<const Event>(Event{.type = type, .record = record, .previous = standing}));
  content_.Apply(epoch_, *events_.back());
  return Committed{.record = record, .previous = standing};
}

std::vector<LogEntry> Batch::Entries() const {
  std::vector<LogEntry> entries;
  entries.reserve(events_.size());
  for (const EventPtr& event : events_) {
    entries.push_back(EntryOf(*event));
  }
  return entries;
}

}  // namespace quadra::store
