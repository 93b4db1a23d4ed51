// Batch: writes judged one after the other against a state, each seeing those before it, none of
// them durable yet. What comes of it is handed to the log and then to readers, whole or not at all.
//
//   Batch batch(head, last, lineage.Next(), now);
//   outcomes.push_back(batch.Add(write, facts));
//   if (log.Append(batch.Entries())) timeline.Publish(batch.events(), batch.Result(), now);
//
// Pure: no clock, no I/O. Each write costs O(log n).
#pragma once

#include <memory>
#include <vector>

#include "base/lineage.h"
#include "store/event.h"
#include "store/log.h"
#include "store/snapshot.h"
#include "store/write.h"

namespace quadra::store {

class Batch {
 public:
  // Revisions are given from the one behind `last` on, which is not before that of `base`. `epoch`
  // must be new: see base/lineage.h.
  Batch(const Snapshot& base, Revision last, Epoch epoch, Time now)
      : content_(base.content()), last_(last), epoch_(epoch), now_(now) {}

  // `facts` are those of the draft. Committed (if the batch is), Conflict or Taken.
  Outcome Add(Write write, std::shared_ptr<const Facts> facts);

  bool empty() const { return events_.empty(); }
  const std::vector<EventPtr>& events() const { return events_; }
  // Views the events.
  std::vector<LogEntry> Entries() const;
  Revision last() const { return last_; }
  Snapshot Result() const { return Snapshot(last_, content_); }

 private:
  RecordPtr NextVersion(Write write, std::shared_ptr<const Facts> facts, const RecordPtr& standing);

  Content content_;
  Revision last_;
  Epoch epoch_;
  Time now_;
  std::vector<EventPtr> events_;
};

}  // namespace quadra::store
