#include "scheduler/queue/in_flight.h"

#include <iterator>
#include <utility>

namespace quadra::scheduler {

bool InFlight::Begin(const PodInfoPtr& pod) {
  if (Has(pod->uid())) {
    return false;
  }
  entries_.emplace_back();
  pods_[pod->uid()] = {.begun = std::prev(entries_.end()), .newest = pod};
  return true;
}

void InFlight::End(const std::string& uid) {
  const auto found = pods_.find(uid);
  if (found == pods_.end()) {
    return;
  }
  entries_.erase(found->second.begun);
  pods_.erase(found);
  while (!entries_.empty() && entries_.front()) {
    entries_.pop_front();  // all others began later
  }
}

void InFlight::Tell(const Happening& happening) {
  if (!pods_.empty()) {
    entries_.emplace_back(happening);
  }
}

void InFlight::Renew(const std::string& uid, PodInfoPtr now) {
  Flight& flight = pods_.find(uid)->second;
  flight.newest = std::move(now);
  flight.forgotten = false;
}

const PodInfoPtr& InFlight::Newest(const std::string& uid) const {
  return pods_.find(uid)->second.newest;
}

void InFlight::Forget(const std::string& uid) {
  if (const auto found = pods_.find(uid); found != pods_.end()) {
    found->second.forgotten = true;
  }
}

bool InFlight::IsForgotten(const std::string& uid) const {
  const auto found = pods_.find(uid);
  return found != pods_.end() && found->second.forgotten;
}

std::vector<const Happening*> InFlight::Since(const std::string& uid) const {
  std::vector<const Happening*> events;
  for (auto each = Entries::const_iterator(pods_.find(uid)->second.begun); each != entries_.end();
       ++each) {
    if (*each) {
      events.push_back(&**each);
    }
  }
  return events;
}

}  // namespace quadra::scheduler
