#include "store/audience.h"

#include <string_view>

namespace quadra::store {

void Audience::Add(Mailbox* mailbox) {
  std::vector<Mailbox*>& alike = by_prefix_[mailbox->prefix()];
  if (alike.empty()) {
    ++lengths_[mailbox->prefix().size()];
  }
  alike.push_back(mailbox);
}

void Audience::Remove(Mailbox* mailbox) {
  const auto found = by_prefix_.find(mailbox->prefix());
  if (found == by_prefix_.end()) {
    return;
  }
  std::erase(found->second, mailbox);
  if (!found->second.empty()) {
    return;
  }
  const auto length = lengths_.find(mailbox->prefix().size());
  if (--length->second == 0) {
    lengths_.erase(length);
  }
  by_prefix_.erase(found);
}

void Audience::Offer(const EventPtr& event) const {
  const std::string_view key = event->record->key.text();
  for (const auto& [length, count] : lengths_) {
    if (length > key.size()) {
      return;
    }
    if (const auto found = by_prefix_.find(key.substr(0, length)); found != by_prefix_.end()) {
      for (Mailbox* mailbox : found->second) {
        mailbox->Offer(event);
      }
    }
  }
}

void Audience::End(WatchEnd why) {
  for (const auto& [prefix, mailboxes] : by_prefix_) {
    for (Mailbox* mailbox : mailboxes) {
      mailbox->End(why);
    }
  }
  by_prefix_.clear();
  lengths_.clear();
}

}  // namespace quadra::store
