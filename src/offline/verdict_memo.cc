#include "offline/verdict_memo.h"

#include <algorithm>
#include <utility>

namespace quadra::offline {

const Verdict* VerdictMemo::Page::Find(std::size_t node) const {
  const Entry& entry = entries_[node];
  const std::uint64_t changed = std::max(memo_->all_changed_, memo_->changed_[node]);
  return entry.verdict != nullptr && entry.time >= changed ? entry.verdict.get() : nullptr;
}

const Verdict& VerdictMemo::Page::Keep(std::size_t node, Verdict verdict) {
  entries_[node] = {.time = memo_->time_,
                    .verdict = std::make_shared<const Verdict>(std::move(verdict))};
  return *entries_[node].verdict;
}

// So many that a million answers are kept.
std::size_t VerdictMemo::MostPages() const {
  constexpr std::size_t kMostAnswers = 1'000'000;
  constexpr std::size_t kMostPages = 1'000;
  return std::clamp<std::size_t>(kMostAnswers / std::max<std::size_t>(nodes_, 1), 2, kMostPages);
}

VerdictMemo::Page& VerdictMemo::PageOf(const std::string& question) {
  if (const auto known = index_.find(question); known != index_.end()) {
    pages_.splice(pages_.begin(), pages_, known->second);
    return pages_.front();
  }
  if (pages_.size() >= MostPages()) {
    index_.erase(pages_.back().question_);
    pages_.pop_back();
  }
  Page& page = pages_.emplace_front();
  page.memo_ = this;
  page.question_ = question;
  page.entries_.resize(nodes_);
  index_.emplace(question, pages_.begin());
  return page;
}

}  // namespace quadra::offline
