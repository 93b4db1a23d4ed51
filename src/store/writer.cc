#include "store/writer.h"

#include <algorithm>
#include <utility>

#include "base/check.h"

namespace quadra::store {
namespace {

constexpr std::size_t kMostExpiredAtOnce = 512;
constexpr std::chrono::milliseconds kUntilNudged = std::chrono::hours(1);

Refused Refusal(Refused::Why why) {
  const bool busy = why == Refused::Why::kBusy;
  return {.why = why,
          .error = Error{.kind = busy ? ErrorKind::kTooLarge : ErrorKind::kInvalid,
                         .message = busy ? "too many writes are waiting" : "the store is closing",
                         .remedy = busy ? "try again in a second" : "try again after its restart"}};
}

}  // namespace

Writer::Writer(Ground ground, WriterOptions options, Deadlines deadlines)
    : ground_(ground),
      options_(options),
      inbox_(options.inbox),
      last_(ground.timeline.published()),
      deadlines_(std::move(deadlines)),
      thread_([this](const std::stop_token& stop) { Run(stop); }) {}

Writer::~Writer() {
  inbox_.Close();
  thread_.request_stop();
  inbox_.Nudge();
}

void Writer::Submit(Write write, Done done) {
  Pending pending{.write = std::move(write), .facts = nullptr, .done = std::move(done)};
  pending.facts = ground_.extractor.Extract(pending.write.key, pending.write.draft.bytes);
  QUADRA_CHECK(pending.facts != nullptr, "an extractor always finds something");
  if (const auto why = inbox_.Put(pending)) {
    pending.done(Refusal(*why));
  }
}

void Writer::Maintain() {
  std::promise<void> kept;
  std::future<void> finished = kept.get_future();
  {
    const MutexLock lock(mutex_);
    maintenance_.push_back(std::move(kept));
  }
  inbox_.Nudge();
  finished.wait();
}

Status Writer::Writable() const {
  const MutexLock lock(mutex_);
  return writable_;
}

Status Writer::Note(Status status) {
  const MutexLock lock(mutex_);
  writable_ = status;
  return status;
}

// Ends once nothing waits: after Close nothing more can come.
void Writer::Run(const std::stop_token& stop) {
  while (true) {
    // What nudges at the end may have been heard together with the last writes.
    const auto patience = stop.stop_requested() ? std::chrono::milliseconds(0)
                                                : options_.housekeeping.value_or(kUntilNudged);
    std::vector<Pending> writes = inbox_.Take(patience);
    if (writes.empty() && stop.stop_requested()) {
      break;
    }
    // Never right behind a write that failed: a smaller one may find room where it did not.
    if (writes.empty()) {
      TryAgain();
    } else {
      Commit(std::move(writes));
    }
    if (options_.housekeeping) {
      KeepHouse(options_.compaction_step);
    }
    ServeMaintenance();
  }
  ServeMaintenance();
}

void Writer::Commit(std::vector<Pending> writes) {
  Batch batch(ground_.timeline.Head(), last_, ground_.lineage.Next(), ground_.clock.Now());
  std::vector<Outcome> outcomes;
  outcomes.reserve(writes.size());
  for (Pending& pending : writes) {
    outcomes.push_back(batch.Add(std::move(pending.write), std::move(pending.facts)));
  }
  last_ = batch.last();
  if (const Status kept = Keep(batch); !kept) {
    const Outcome refused = Refused{.why = Refused::Why::kReadOnly, .error = kept.error()};
    std::ranges::fill(outcomes, refused);
  }
  for (std::size_t at = 0; at < writes.size(); ++at) {
    writes[at].done(std::move(outcomes[at]));
  }
}

Status Writer::Keep(const Batch& batch) {
  if (batch.empty()) {
    return {};
  }
  QUADRA_RETURN_IF_ERROR(Note(ground_.log.Append(batch.Entries())));
  ground_.timeline.Publish(batch.events(), batch.Result(), ground_.clock.Now());
  for (const EventPtr& event : batch.events()) {
    deadlines_.Follow(*event);
  }
  return {};
}

void Writer::ServeMaintenance() {
  std::vector<std::promise<void>> asked;
  {
    const MutexLock lock(mutex_);
    asked.swap(maintenance_);
  }
  while (!asked.empty() && KeepHouse(1)) {
  }
  for (std::promise<void>& one : asked) {
    one.set_value();
  }
}

bool Writer::KeepHouse(Revision least_to_compact) {
  const Time now = ground_.clock.Now();
  const bool deleted = DeleteExpired(now);
  ground_.timeline.Forget(now);
  return Compact(least_to_compact) || deleted;
}

bool Writer::DeleteExpired(Time now) {
  std::vector<Pending> writes;
  for (const RecordPtr& record : deadlines_.Due(now, kMostExpiredAtOnce)) {
    writes.push_back({.write = Write{.action = Write::Action::kDelete,
                                     .key = record->key.text(),
                                     .draft = Reopen(*record)},
                      .facts = record->facts,
                      .done = [](const Outcome&) {}});
  }
  const bool any = !writes.empty();
  if (any) {
    Commit(std::move(writes));
  }
  return any && Writable();
}

bool Writer::Compact(Revision least) {
  const Revision from = ground_.log.Compacted();
  const Revision through = std::min(ground_.timeline.Compacted(), from + options_.compaction_step);
  return through >= from + least && Note(ground_.log.Compact(through));
}

void Writer::TryAgain() {
  if (!Writable()) {
    Note(ground_.log.Append({}));
  }
}

}  // namespace quadra::store
