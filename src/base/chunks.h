// Chunks: an array in pieces, of which copies share those that are equal. See lineage.h for who may
// write what.
//
// Copying costs nothing. A write of a new epoch copies one chunk and a pointer for every other one;
// further writes there are plain ones. Reading takes one step more than in a vector. Two arrays
// that came from each other are compared at the cost of what differs.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "base/lineage.h"

namespace quadra {

template <typename T, std::size_t kOfChunk>
class Chunks {
 public:
  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  const T& operator[](std::size_t at) const {
    return chunks_[at / kOfChunk]->values[at % kOfChunk];
  }
  // From `at` to the end of its chunk, at most to the last value.
  std::span<const T> From(std::size_t at) const {
    const std::size_t first = at % kOfChunk;
    return {chunks_[at / kOfChunk]->values.data() + first, std::min(kOfChunk - first, size_ - at)};
  }

  // To be written. Valid until the next epoch.
  T& At(Epoch writer, std::size_t at) {
    return Own(writer, OwnAll(writer)[at / kOfChunk]).values[at % kOfChunk];
  }
  // New values are T(); those cut off are forgotten.
  void Resize(Epoch writer, std::size_t size) {
    const std::size_t chunks = (size + kOfChunk - 1) / kOfChunk;
    if (spine_ == nullptr || spine_->chunks.size() != chunks) {
      std::vector<std::shared_ptr<Chunk>>& all = OwnAll(writer);
      while (all.size() < chunks) {
        all.push_back(std::make_shared<Chunk>(Chunk{.owner = writer, .values = {}}));
      }
      all.resize(chunks);
      chunks_ = all.data();
    }
    for (std::size_t at = size; at < std::min(size_, chunks * kOfChunk); ++at) {
      At(writer, at) = T();
    }
    size_ = size;
  }

  // Calls visit(begin, end) for stretches of places that hold all in which the two may differ.
  template <typename Visit>
  static void VisitDifferences(const Chunks& a, const Chunks& b, const Visit& visit) {
    if (a.spine_ == b.spine_ && a.size_ == b.size_) {
      return;
    }
    const std::size_t size = std::max(a.size_, b.size_);
    for (std::size_t begin = 0; begin < size; begin += kOfChunk) {
      if (a.ChunkAt(begin) != b.ChunkAt(begin)) {
        visit(begin, std::min(begin + kOfChunk, size));
      }
    }
  }

 private:
  struct Chunk {
    Epoch owner;
    std::array<T, kOfChunk> values;
  };
  struct Spine {
    Epoch owner;
    std::vector<std::shared_ptr<Chunk>> chunks;
  };
  template <typename Part>
  static Part& Own(Epoch writer, std::shared_ptr<Part>& part) {
    if (part == nullptr) {
      part = std::make_shared<Part>();
    } else if (part->owner != writer) {
      part = std::make_shared<Part>(*part);
    }
    part->owner = writer;
    return *part;
  }
  std::vector<std::shared_ptr<Chunk>>& OwnAll(Epoch writer) {
    std::vector<std::shared_ptr<Chunk>>& all = Own(writer, spine_).chunks;
    chunks_ = all.data();
    return all;
  }
  const Chunk* ChunkAt(std::size_t at) const {
    return at < size_ ? chunks_[at / kOfChunk].get() : nullptr;
  }

  std::size_t size_ = 0;
  std::shared_ptr<Spine> spine_;
  const std::shared_ptr<Chunk>* chunks_ = nullptr;  // of the spine, one step nearer to readers
};

}  // namespace quadra
