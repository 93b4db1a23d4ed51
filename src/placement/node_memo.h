// NodeMemo: what nodes said to a question, so that the same question is not searched again.
//
// Made for a world in which devices are only ever taken: a node that did not have them will not
// have them later. Why not, and how well it would fit, may change with what is taken there.
//
// The question is what is wanted, without the names of claims, since a thousand pods of one
// template want the same.
//
//   const std::shared_ptr<NodeMemo::Page> page = memo.PageOf(question);
//   if (const NodeMemo::Answer* known = page->Find(node)) return *known;
//   page->Keep(node, answer);      …      memo.Touch(node);   // something was taken there
#pragma once

#include <cstddef>
#include <cstdint>
#include <list>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "placement/refusals.h"
#include "reasons/refusal.h"

namespace quadra::placement {

// Bounded: the questions asked least recently go first. Not thread-safe.
class NodeMemo {
 public:
  explicit NodeMemo(std::size_t nodes) : nodes_(nodes), changed_(nodes, 0) {}

  struct Answer {
    bool fits = false;
    std::int64_t score = 0;
    bool certain = true;     // does not fit: and never will
    bool undecided = false;  // does not fit: as far as the steps went
    bool fails_pod = false;  // does not fit: and upstream then tries no other node
  };

  // The answers to one question, by node.
  class Page {
   public:
    // Null where the node was not asked, or it may say something else by now.
    const Answer* Find(std::size_t node) const;
    void Keep(std::size_t node, const Answer& answer);
    // Why it does not fit, for claims of these names (namespace/name); nothing where that is not
    // known, or may have changed.
    std::optional<reasons::Refusal> FindWhy(std::size_t node,
                                            std::span<const std::string> claims) const;
    void KeepWhy(std::size_t node, const reasons::Refusal& refusal,
                 std::span<const std::string> claims);
    // The nodes before this one will never do.
    std::size_t FirstOpen();
    // Whether some node may ever fail the pod; absent: nobody looked yet.
    std::optional<bool> may_fail_pod;

   private:
    friend class NodeMemo;
    struct Entry {
      std::uint64_t time = 0;  // of the answer; 0: not asked
      std::uint64_t why_time = 0;
      Answer answer;
      std::unique_ptr<const SharedRefusal> why;
    };
    bool IsFresh(std::size_t node, std::uint64_t time) const;

    const NodeMemo* memo_ = nullptr;
    std::string question_;
    std::vector<Entry> entries_;
    std::size_t first_open_ = 0;
  };
  // Must not outlive the memo.
  std::shared_ptr<Page> PageOf(const std::string& question);

  // Something was taken that this node sees, or that all may see.
  void Touch(std::size_t node) { changed_[node] = ++time_; }
  void TouchAll() { all_changed_ = ++time_; }

 private:
  std::size_t MostPages() const;

  std::size_t nodes_;
  std::uint64_t time_ = 1;
  std::uint64_t all_changed_ = 0;
  std::vector<std::uint64_t> changed_;      // by node: when
  std::list<std::shared_ptr<Page>> pages_;  // most recently used first
  absl::flat_hash_map<std::string, std::list<std::shared_ptr<Page>>::iterator> index_;
};

}  // namespace quadra::placement
