// ExpressionCache: compiled expressions by text, profile and use, the failed ones too.
//
// Thread-safe. Bounded by bytes: the expressions used least recently go first. A hit costs a hash
// and a lock; two threads that miss on the same text at once both compile it, and one result stays.
#pragma once

#include <cstddef>
#include <list>
#include <memory>
#include <string>
#include <string_view>

#include "absl/container/flat_hash_map.h"
#include "base/mutex.h"
#include "selector/expression.h"

namespace quadra::selector {

class ExpressionCache {
 public:
  static constexpr std::size_t kDefaultBytes = 64 << 20;

  // `language` must outlive this.
  explicit ExpressionCache(const Language& language, std::size_t max_bytes = kDefaultBytes)
      : language_(language), max_bytes_(max_bytes) {}

  std::shared_ptr<const Expression> Get(std::string_view text, const Profile& profile, Use use)
      QUADRA_EXCLUDES(mutex_);

  struct Statistics {
    std::size_t entries = 0;
    std::size_t bytes = 0;
    std::size_t compiled = 0;  // how often Get() had to compile
  };
  Statistics statistics() const QUADRA_EXCLUDES(mutex_);

 private:
  struct Entry {
    std::string key;
    std::shared_ptr<const Expression> expression;
    std::size_t bytes;
  };
  std::shared_ptr<const Expression> Find(std::string_view key) QUADRA_REQUIRES(mutex_);
  void Insert(std::string key, std::shared_ptr<const Expression> expression)
      QUADRA_REQUIRES(mutex_);
  void EvictToFit() QUADRA_REQUIRES(mutex_);

  const Language& language_;
  const std::size_t max_bytes_;
  mutable Mutex mutex_;
  std::list<Entry> entries_ QUADRA_GUARDED_BY(mutex_);  // most recently used first
  absl::flat_hash_map<std::string_view, std::list<Entry>::iterator> index_
      QUADRA_GUARDED_BY(mutex_);  // keys point into entries_
  std::size_t bytes_ QUADRA_GUARDED_BY(mutex_) = 0;
  std::size_t compiled_ QUADRA_GUARDED_BY(mutex_) = 0;
};

}  // namespace quadra::selector
