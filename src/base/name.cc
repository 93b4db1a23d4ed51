#include "base/name.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "base/check.h"
#include "base/mutex.h"

namespace quadra {
namespace {

// Texts by id, in chunks that never move, so that readers need no lock: an id is published to them
// only after its entry was written. Chunk k holds 2^k * kFirstChunk entries.
class NameTable {
 public:
  std::uint32_t Intern(std::string_view text) {
    if (text.empty()) {
      return 0;
    }
    const MutexLock lock(mutex_);
    const auto found = ids_.find(AsKey(text));
    if (found != ids_.end()) {
      return found->second;
    }
    const std::string_view kept = Keep(text);
    const std::uint32_t id = ++last_id_;
    Slot(id) = kept;
    ids_.emplace(AsKey(kept), id);
    return id;
  }

  std::string_view TextOf(std::uint32_t id) const { return id == 0 ? std::string_view() : At(id); }

 private:
  static constexpr std::uint32_t kFirstChunk = 1024;
  static constexpr std::size_t kBlockBytes = std::size_t{64} * 1024;
  using Key = absl::string_view;

  static Key AsKey(std::string_view text) { return {text.data(), text.size()}; }

  static std::pair<std::size_t, std::size_t> Place(std::uint32_t id) {
    const auto chunk = static_cast<std::size_t>(31 - __builtin_clz(id / kFirstChunk + 1));
    return {chunk, id - kFirstChunk * ((1U << chunk) - 1)};
  }

  std::string_view At(std::uint32_t id) const {
    const auto [chunk, offset] = Place(id);
    return chunks_[chunk].load(std::memory_order_acquire)[offset];
  }

  std::string_view& Slot(std::uint32_t id) QUADRA_REQUIRES(mutex_) {
    const auto [chunk, offset] = Place(id);
    QUADRA_CHECK(chunk < chunks_.size(), "a process never holds four billion distinct names");
    if (chunks_[chunk].load(std::memory_order_relaxed) == nullptr) {
      owned_chunks_.push_back(std::make_unique<std::string_view[]>(kFirstChunk << chunk));
      chunks_[chunk].store(owned_chunks_.back().get(), std::memory_order_release);
    }
    return chunks_[chunk].load(std::memory_order_relaxed)[offset];
  }

  std::string_view Keep(std::string_view text) QUADRA_REQUIRES(mutex_) {
    if (text.size() > free_.size()) {
      const std::size_t bytes = std::max(kBlockBytes, text.size());
      blocks_.push_back(std::make_unique<char[]>(bytes));
      free_ = {blocks_.back().get(), bytes};
    }
    char* const kept = free_.data();
    std::memcpy(kept, text.data(), text.size());
    free_ = free_.subspan(text.size());
    return {kept, text.size()};
  }

  Mutex mutex_;
  absl::flat_hash_map<Key, std::uint32_t> ids_ QUADRA_GUARDED_BY(mutex_);
  std::uint32_t last_id_ QUADRA_GUARDED_BY(mutex_) = 0;
  std::vector<std::unique_ptr<char[]>> blocks_ QUADRA_GUARDED_BY(mutex_);
  std::span<char> free_ QUADRA_GUARDED_BY(mutex_);
  std::vector<std::unique_ptr<std::string_view[]>> owned_chunks_ QUADRA_GUARDED_BY(mutex_);
  std::array<std::atomic<std::string_view*>, 22> chunks_{};
};

NameTable& Table() {
  static NameTable& table = *new NameTable();  // never destroyed: names outlive every static
  return table;
}

}  // namespace

Name::Name(std::string_view text) : id_(Table().Intern(text)) {}

std::string_view Name::text() const { return Table().TextOf(id_); }

}  // namespace quadra
