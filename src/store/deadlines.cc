#include "store/deadlines.h"

namespace quadra::store {

void Deadlines::Add(const RecordPtr& record) {
  if (record->expires) {
    expiring_.insert(record);
  }
}

void Deadlines::Follow(const Event& event) {
  if (event.previous != nullptr) {
    expiring_.erase(event.previous);
  }
  if (event.type != Event::Type::kDeleted) {
    Add(event.record);
  }
}

std::vector<RecordPtr> Deadlines::Due(Time now, std::size_t most) const {
  std::vector<RecordPtr> due;
  for (const RecordPtr& record : expiring_) {
    if (due.size() == most || record->expires > now) {
      break;
    }
    due.push_back(record);
  }
  return due;
}

}  // namespace quadra::store
