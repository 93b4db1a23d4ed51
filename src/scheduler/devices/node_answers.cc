#include "scheduler/devices/node_answers.h"

#include <utility>

namespace quadra::scheduler {

NodeAnswers::Answer* NodeAnswers::Page::Find(const std::string& node) {
  const auto found = entries_.find(node);
  if (found == entries_.end()) {
    return nullptr;
  }
  const auto changed = all_.changed_.find(node);
  const bool fresh = changed == all_.changed_.end() || found->second.time > changed->second;
  return fresh ? &found->second.answer : nullptr;
}

NodeAnswers::Answer& NodeAnswers::Page::Keep(const std::string& node, Answer answer) {
  Entry& entry = entries_[node];
  entry = {.time = all_.time_, .answer = std::move(answer)};
  return entry.answer;
}

std::shared_ptr<NodeAnswers::Page> NodeAnswers::PageOf(const std::string& question) {
  if (const auto known = index_.find(question); known != index_.end()) {
    pages_.splice(pages_.begin(), pages_, known->second);
    return pages_.front().second;
  }
  pages_.emplace_front(question, std::make_shared<Page>(*this));
  index_.emplace(question, pages_.begin());
  if (pages_.size() > kMostPages) {
    index_.erase(pages_.back().first);
    pages_.pop_back();
  }
  return pages_.front().second;
}

void NodeAnswers::Follow(const inventory::Snapshot& devices) {
  if (!seen_) {
    Clear();
  } else {
    const std::uint64_t now = time_++;
    devices.VisitChanges(*seen_, [&](const std::string& node, const inventory::NodeView* /*view*/) {
      changed_[node] = now;
    });
  }
  seen_ = devices;
}

void NodeAnswers::Clear() {
  index_.clear();
  pages_.clear();
  changed_.clear();
}

}  // namespace quadra::scheduler
