#include "offline/verdict_memo.h"

#include <algorithm>
#include <utility>

namespace quadra::offline {

bool VerdictMemo::Page::IsFresh(std::size_t node, std::uint64_t time) const {
  return time >= std::max<std::uint64_t>({memo_->all_changed_, memo_->changed_[node], 1});
}

const VerdictMemo::Answer* VerdictMemo::Page::Find(std::size_t node) const {
  const Entry& entry = entries_[node];
  const bool never = entry.time > 0 && !entry.answer.fits && entry.answer.certain;
  return never || IsFresh(node, entry.time) ? &entry.answer : nullptr;
}

void VerdictMemo::Page::Keep(std::size_t node, const Answer& answer) {
  entries_[node].time = memo_->time_;
  entries_[node].answer = answer;
}

const Verdict* VerdictMemo::Page::FindWhy(std::size_t node) const {
  const Entry& entry = entries_[node];
  return entry.why != nullptr && IsFresh(node, entry.why_time) ? entry.why.get() : nullptr;
}

const Verdict& VerdictMemo::Page::KeepWhy(std::size_t node, Verdict verdict) {
  entries_[node].why_time = memo_->time_;
  entries_[node].why = std::make_unique<const Verdict>(std::move(verdict));
  return *entries_[node].why;
}

std::size_t VerdictMemo::Page::FirstOpen() {
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
std::size_t VerdictMemo::MostPages() const {
  constexpr std::size_t kMostAnswers = 1'000'000;
  constexpr std::size_t kMostPages = 1'000;
  return std::clamp<std::size_t>(kMostAnswers / std::max<std::size_t>(nodes_, 1), 2, kMostPages);
}

std::shared_ptr<VerdictMemo::Page> VerdictMemo::PageOf(const std::string& question) {
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

}  // namespace quadra::offline
