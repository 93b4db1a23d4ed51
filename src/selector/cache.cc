#include "selector/cache.h"

#include <utility>

namespace quadra::selector {
namespace {

// Of an entry, beyond what the expression itself holds.
constexpr std::size_t kEntryBytes = 160;

std::string ExpressionKey(std::string_view text, const Profile& profile, Use use) {
  char flags = static_cast<char>('@' + (use == Use::kDerivedAttribute ? 1 : 0));
  if (!profile.stored) {
    flags = static_cast<char>(flags + 2 + (profile.consumable_capacity ? 4 : 0) +
                              (profile.list_attributes ? 8 : 0));
  }
  std::string key(1, flags);
  return key += text;
}

}  // namespace

std::shared_ptr<const Expression> ExpressionCache::Get(std::string_view text,
                                                       const Profile& profile, Use use) {
  std::string key = ExpressionKey(text, profile, use);
  {
    const MutexLock lock(mutex_);
    if (std::shared_ptr<const Expression> found = Find(key)) {
      return found;
    }
  }
  std::shared_ptr<const Expression> compiled = language_.Compile(text, profile, use);
  const MutexLock lock(mutex_);
  ++compiled_;
  if (std::shared_ptr<const Expression> found = Find(key)) {
    return found;
  }
  Insert(std::move(key), compiled);
  return compiled;
}

ExpressionCache::Statistics ExpressionCache::statistics() const {
  const MutexLock lock(mutex_);
  return {.entries = entries_.size(), .bytes = bytes_, .compiled = compiled_};
}

std::shared_ptr<const Expression> ExpressionCache::Find(std::string_view key) {
  const auto at = index_.find(key);
  if (at == index_.end()) {
    return nullptr;
  }
  entries_.splice(entries_.begin(), entries_, at->second);
  return at->second->expression;
}

void ExpressionCache::Insert(std::string key, std::shared_ptr<const Expression> expression) {
  const std::size_t bytes = kEntryBytes + key.size() + expression->bytes();
  entries_.push_front({std::move(key), std::move(expression), bytes});
  index_.emplace(entries_.front().key, entries_.begin());
  bytes_ += bytes;
  EvictToFit();
}

// The newest entry stays, however large it is.
void ExpressionCache::EvictToFit() {
  while (bytes_ > max_bytes_ && entries_.size() > 1) {
    index_.erase(entries_.back().key);
    bytes_ -= entries_.back().bytes;
    entries_.pop_back();
  }
}

}  // namespace quadra::selector
