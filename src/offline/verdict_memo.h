// VerdictMemo: what nodes said to a question, so that the same question is not searched again while
// nothing changed that the node can see.
#pragma once

#include <cstddef>
#include <cstdint>
#include <list>
#include <memory>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "offline/verdict.h"

namespace quadra::offline {

// Bounded: the questions asked least recently go first. Not thread-safe.
class VerdictMemo {
 public:
  explicit VerdictMemo(std::size_t nodes) : nodes_(nodes), changed_(nodes, 0) {}

  // The answers to one question, by node.
  class Page {
   public:
    // Null where the node was not asked, or something changed for it since.
    const Verdict* Find(std::size_t node) const;
    const Verdict& Keep(std::size_t node, Verdict verdict);

   private:
    friend class VerdictMemo;
    struct Entry {
      std::uint64_t time = 0;
      std::shared_ptr<const Verdict> verdict;
    };
    const VerdictMemo* memo_ = nullptr;
    std::string question_;
    std::vector<Entry> entries_;
  };
  // Valid until the next call.
  Page& PageOf(const std::string& question);

  // Something changed for this node, or for all.
  void Touch(std::size_t node) { changed_[node] = ++time_; }
  void TouchAll() { all_changed_ = ++time_; }

 private:
  std::size_t MostPages() const;

  std::size_t nodes_;
  std::uint64_t time_ = 0;
  std::uint64_t all_changed_ = 0;
  std::vector<std::uint64_t> changed_;  // by node: when
  std::list<Page> pages_;               // most recently used first
  absl::flat_hash_map<std::string, std::list<Page>::iterator> index_;
};

}  // namespace quadra::offline
