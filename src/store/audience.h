// Audience: the mailboxes of those who watch live, found by the prefix of an event's key.
//
// Thousands watch a few prefixes: of an event's key only the beginnings that have the length of
// some prefix are looked up.
//
// Not thread-safe: Timeline guards it. Offering an event costs O(distinct lengths of prefixes, and
// mailboxes that get it), however many others there are.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "store/mailbox.h"

namespace quadra::store {

class Audience {
 public:
  // REQUIRES: it stays where it is until it is removed.
  void Add(Mailbox* mailbox);
  // Whether it was there or not.
  void Remove(Mailbox* mailbox);

  void Offer(const EventPtr& event) const;
  // To all, who are then forgotten.
  void End(WatchEnd why);

 private:
  std::map<std::string, std::vector<Mailbox*>, std::less<>> by_prefix_;
  std::map<std::size_t, std::size_t> lengths_;  // of prefixes, and how many have each
};

}  // namespace quadra::store
