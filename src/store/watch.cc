#include "store/watch.h"

#include <utility>

#include "store/mailbox.h"
#include "store/timeline.h"

namespace quadra::store {

Watch::Watch(std::shared_ptr<Timeline> timeline, WatchOptions options)
    : timeline_(std::move(timeline)), mailbox_(std::make_unique<Mailbox>(std::move(options))) {}

Watch::~Watch() { timeline_->Leave(*mailbox_); }

Delivery Watch::Take(std::size_t most) {
  if (!live_) {
    return timeline_->CatchUp(*mailbox_, most, live_);
  }
  const Revision published = timeline_->published();  // before looking: see Mailbox::Take
  return mailbox_->Take(most, published);
}

}  // namespace quadra::store
