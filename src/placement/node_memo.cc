#include "placement/node_memo.h"

#include <algorithm>
#include <utility>

namespace quadra::placement {

bool NodeMemo::Page::IsFresh(std::size_t node, std::uint64_t time) const {
  return time >= std::max<std::uint64_t>({memo_->all_changed_, memo_->changed_[node], 1});
}

const NodeMemo::Answer* NodeMemo::Page::Find(std::size_t node) const {
  const Entry& entry = entries_[node];
  const bool never = entry.time > 0 && !entry.answer.fits && entry.answer.certain;
  return never || IsFresh(node, entry.time) ? &entry.answer : nullptr;
}

void NodeMemo::Page::Keep(std::size_t node, const Answer& answer) {
  entries_[node].time = memo_->time_;
  entries_[node].answer = answer;
}

std::optional<reasons::Refusal> NodeMemo::Page::FindWhy(std::size_t node,
                                                        std::span<const std::string> claims) const {
  const Entry& entry = entries_[node];
  const bool known = entry.why != nullptr && IsFresh(node, entry.why_time);
  return known ? std::optional(entry.why->For(claims)) : std::nullopt;
}

void NodeMemo::Page::KeepWhy(std::size_t node, const reasons::Refusal& refusal,
                             std::span<const std::string> claims) {
  entries_[node].why_time = memo_->time_;
  entries_[node].why = std::make_unique<const SharedRefusal>(refusal, claims);
}

std::size_t NodeMemo::Page::FirstOpen() {
  while (first_open_ < entries_.size()) {
    const Answer* answer = Find(first_open_);
    if (answer == nullptr || answer->fits || !answer->certain) {
      break;
    }
    ++first_open_;
  }
  return first_open_;
}

// So many that a million answers are kept.
std::size_t NodeMemo::MostPages() const {
  constexpr std::size_t kMostAnswers = 1'000'000;
  constexpr std::size_t kMostPages = 1'000;
  return std::clamp<std::size_t>(kMostAnswers / std::max<std::size_t>(nodes_, 1), 2, kMostPages);
}

std::shared_ptr<NodeMemo::Page> NodeMemo::PageOf(const std::string& question) {
  if (const auto known = index_.find(question); known != index_.end()) {
    pages_.splice(pages_.begin(), pages_, known->second);
    return pages_.front();
  }
  if (pages_.size() >= MostPages()) {
    index_.erase(pages_.back()->question_);
    pages_.pop_back();
  }
  auto page = std::make_shared<Page>();
  page->memo_ = this;
  page->question_ = question;
  page->entries_.resize(nodes_);
  pages_.push_front(page);
  index_.emplace(question, pages_.begin());
  return page;
}

}  // namespace quadra::placement
