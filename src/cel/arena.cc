#include "cel/arena.h"

#include <algorithm>
#include <cstring>

namespace quadra::cel {
namespace {

constexpr std::size_t kFirstBlock = 4096;
constexpr std::size_t kKeep = std::size_t{1} << 20;

}  // namespace

void Arena::Enter(const Block& block) {
  if (block_ != nullptr) {
    earlier_ += static_cast<std::size_t>(end_ - block_);
  }
  block_ = next_ = block.bytes.get();
  end_ = block_ + block.size;
  ++current_;
}

void* Arena::AllocateSlow(std::size_t bytes) {
  while (current_ < blocks_.size()) {
    Enter(blocks_[current_]);
    if (blocks_[current_ - 1].size >= bytes) {
      next_ = block_ + bytes;
      return block_;
    }
  }
  const std::size_t last = blocks_.empty() ? kFirstBlock / 2 : blocks_.back().size;
  const std::size_t size = std::max(bytes, std::min(last * 2, kKeep));
  blocks_.push_back({std::make_unique_for_overwrite<char[]>(size), size});
  Enter(blocks_.back());
  next_ = block_ + bytes;
  return block_;
}

std::string_view Arena::Copy(std::string_view text) {
  if (text.empty()) {
    return {};
  }
  char* copy = static_cast<char*>(Allocate(text.size(), 1));
  std::memcpy(copy, text.data(), text.size());
  return {copy, text.size()};
}

void Arena::Reset() {
  if (cleanups_.empty() && current_ <= 1) {
    next_ = block_;
    return;
  }
  for (auto cleanup = cleanups_.rbegin(); cleanup != cleanups_.rend(); ++cleanup) {
    cleanup->destroy(cleanup->object);
  }
  cleanups_.clear();
  std::size_t total = 0;
  std::erase_if(blocks_, [&](const Block& block) { return (total += block.size) > kKeep; });
  next_ = end_ = block_ = nullptr;
  earlier_ = 0;
  current_ = 0;
  if (!blocks_.empty()) {
    Enter(blocks_.front());
  }
}

}  // namespace quadra::cel
