// OrderedMap: a map by key in blocks, of which copies share those that are equal. See lineage.h for
// who may write what.
//
// A B+ tree. Copying costs nothing; looking up is logarithmic; walking in order is as quick as over
// a list of arrays. A write of a new epoch copies the blocks between root and entry, a few dozen
// entries each. Two maps that came from each other are compared at the cost of what differs.
//
//   OrderedMap<std::string, int> ages;
//   ages.Set(mine, "eve", 7);
//   if (const auto found = ages.find("eve"); found != ages.end()) use(found->second);
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <iterator>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "base/lineage.h"

namespace quadra {

// Keys may be looked up by whatever compares with them. Values are told apart by ==, so that of a
// pointer the address counts.
template <typename Key, typename Value>
class OrderedMap {
  struct Block;

 public:
  using value_type = std::pair<Key, Value>;

  // Valid while the map is not written and any copy of that state lives.
  class const_iterator {
   public:
    using iterator_category = std::forward_iterator_tag;
    using value_type = OrderedMap::value_type;
    using difference_type = std::ptrdiff_t;
    using pointer = const value_type*;
    using reference = const value_type&;

    const_iterator() = default;
    reference operator*() const { return steps_[0].block->entries[steps_[0].at]; }
    pointer operator->() const { return &**this; }
    const_iterator& operator++() {
      Leave(0);
      return *this;
    }
    const_iterator operator++(int) {
      const_iterator before = *this;
      ++*this;
      return before;
    }
    // The entry so many places on, if it lies in the same block; for those who fetch ahead.
    pointer Ahead(std::size_t places) const {
      const Step& leaf = steps_[0];
      return leaf.at + places < leaf.block->size() ? &leaf.block->entries[leaf.at + places]
                                                   : nullptr;
    }
    friend bool operator==(const const_iterator& a, const const_iterator& b) {
      return a.steps_[0].block == b.steps_[0].block && a.steps_[0].at == b.steps_[0].at;
    }

   private:
    friend class OrderedMap;
    // Where the walk stands in one block; level 0 is the leaf.
    struct Step {
      const Block* block = nullptr;
      std::size_t at = 0;
    };

    bool at_end() const { return steps_[0].block == nullptr; }
    // To the place behind the one at which level `level` stands.
    void Leave(std::size_t level) {
      while (level < levels_ && ++steps_[level].at >= steps_[level].block->size()) {
        ++level;
      }
      if (level == levels_) {
        *this = const_iterator();
        return;
      }
      Descend(level);
    }
    // To the first entry below the place at which `level` stands.
    void Descend(std::size_t level) {
      for (; level > 0; --level) {
        const Step& step = steps_[level];
        steps_[level - 1] = {step.block->branches[step.at].below.get(), 0};
      }
    }
    // The highest level at which both stand before the same block; nothing if there is none.
    static std::optional<std::size_t> SharedLevel(const const_iterator& a,
                                                  const const_iterator& b) {
      std::optional<std::size_t> shared;
      for (std::size_t level = 0; level < std::min(a.levels_, b.levels_); ++level) {
        if (a.steps_[level].at != 0 || b.steps_[level].at != 0) {
          break;
        }
        if (a.steps_[level].block == b.steps_[level].block) {
          shared = level;
        }
      }
      return shared;
    }
    // Past the whole block at which `level` stands.
    void Skip(std::size_t level) {
      steps_[level].at = steps_[level].block->size() - 1;
      Leave(level);
    }

    // Blocks are at least a quarter full but for the last ones, so a dozen levels never fill.
    static constexpr std::size_t kMostLevels = 12;
    std::array<Step, kMostLevels> steps_{};
    std::size_t levels_ = 0;
  };

  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  const_iterator begin() const {
    const_iterator it;
    if (size_ > 0) {
      it.levels_ = levels_;
      it.steps_[levels_ - 1] = {root_.get(), 0};
      it.Descend(levels_ - 1);
    }
    return it;
  }
  const_iterator end() const { return {}; }
  template <typename Wanted>
  const_iterator find(const Wanted& key) const {
    const_iterator it = SeekTo(key);
    const typename const_iterator::Step& leaf = it.steps_[0];
    const bool found = leaf.block != nullptr && leaf.at < leaf.block->size() &&
                       !(key < leaf.block->entries[leaf.at].first);
    return found ? it : end();
  }
  // Null if there is none. Cheaper than find(): it remembers no way to the next entry.
  template <typename Wanted>
  const Value* Find(const Wanted& key) const {
    const Block* block = root_.get();
    for (std::size_t level = levels_; level > 1; --level) {
      block = block->branches[block->BranchOf(key)].below.get();
    }
    const std::size_t at = block == nullptr ? 0 : block->PlaceOf(key);
    const bool found =
        block != nullptr && at < block->entries.size() && !(key < block->entries[at].first);
    return found ? &block->entries[at].second : nullptr;
  }
  template <typename Wanted>
  bool contains(const Wanted& key) const {
    return Find(key) != nullptr;
  }
  // The first entry that is not before `key`.
  template <typename Wanted>
  const_iterator lower_bound(const Wanted& key) const {
    const_iterator it = SeekTo(key);
    if (!it.at_end() && it.steps_[0].at == it.steps_[0].block->size()) {
      --it.steps_[0].at;
      it.Leave(0);
    }
    return it;
  }

  void Set(Epoch writer, Key key, Value value) {
    if (root_ == nullptr) {
      root_ = std::make_shared<Block>();
      root_->owner = writer;
      levels_ = 1;
    }
    if (std::shared_ptr<Block> right = Insert(writer, root_, std::move(key), std::move(value))) {
      auto root = std::make_shared<Block>();
      root->owner = writer;
      root->branches.push_back({root_->first(), root_});
      root->branches.push_back({right->first(), std::move(right)});
      root_ = std::move(root);
      ++levels_;
    }
  }
  // Whether there was one.
  template <typename Wanted>
  bool Erase(Epoch writer, const Wanted& key) {
    if (!contains(key)) {
      return false;
    }
    Remove(writer, root_, key);
    while (levels_ > 1 && root_->size() == 1) {
      root_ = std::shared_ptr<Block>(root_->branches[0].below);
      --levels_;
    }
    if (--size_ == 0) {
      root_ = nullptr;
      levels_ = 0;
    }
    return true;
  }

  // Calls visit(before, after) for every key whose entry differs, in order; null: has none there.
  template <typename Visit>
  static void VisitDifferences(const OrderedMap& before, const OrderedMap& after,
                               const Visit& visit) {
    const value_type* const none = nullptr;
    const_iterator a = before.begin();
    const_iterator b = after.begin();
    while (!a.at_end() || !b.at_end()) {
      if (const auto shared = const_iterator::SharedLevel(a, b)) {
        a.Skip(*shared);
        b.Skip(*shared);
      } else if (b.at_end() || (!a.at_end() && a->first < b->first)) {
        visit(&*a, none);
        ++a;
      } else if (a.at_end() || b->first < a->first) {
        visit(none, &*b);
        ++b;
      } else {
        if (!(a->second == b->second)) {
          visit(&*a, &*b);
        }
        ++a;
        ++b;
      }
    }
  }

 private:
  static constexpr std::size_t kMostOfBlock = 64;

  struct Branch {
    Key first;  // no key below is before it
    std::shared_ptr<Block> below;
  };
  // A leaf has entries, others have branches.
  struct Block {
    Epoch owner;
    std::vector<value_type> entries;
    std::vector<Branch> branches;

    bool is_leaf() const { return branches.empty(); }
    std::size_t size() const { return is_leaf() ? entries.size() : branches.size(); }
    const Key& first() const { return is_leaf() ? entries[0].first : branches[0].first; }
    // Where the key is or would be, in a leaf.
    template <typename Wanted>
    std::size_t PlaceOf(const Wanted& key) const {
      const auto at = std::lower_bound(
          entries.begin(), entries.end(), key,
          [](const value_type& entry, const Wanted& wanted) { return entry.first < wanted; });
      return static_cast<std::size_t>(at - entries.begin());
    }
    // The branch below which the key is or would be.
    template <typename Wanted>
    std::size_t BranchOf(const Wanted& key) const {
      const auto behind = std::upper_bound(
          branches.begin() + 1, branches.end(), key,
          [](const Wanted& wanted, const Branch& branch) { return wanted < branch.first; });
      return static_cast<std::size_t>(behind - branches.begin()) - 1;
    }
  };

  static Block& Own(Epoch writer, std::shared_ptr<Block>& block) {
    if (block->owner != writer) {
      block = std::make_shared<Block>(*block);
      block->owner = writer;
    }
    return *block;
  }

  // Stands where the key is or would be: perhaps behind the last entry of a leaf.
  template <typename Wanted>
  const_iterator SeekTo(const Wanted& key) const {
    const_iterator it;
    it.levels_ = levels_;
    const Block* block = root_.get();
    for (std::size_t level = levels_; level > 0; --level) {
      const std::size_t at = level > 1 ? block->BranchOf(key) : block->PlaceOf(key);
      it.steps_[level - 1] = {block, at};
      block = level > 1 ? block->branches[at].below.get() : nullptr;
    }
    return it;
  }

  // The new right half where the block had to be split.
  std::shared_ptr<Block> Insert(Epoch writer, std::shared_ptr<Block>& at, Key key, Value value) {
    Block& block = Own(writer, at);
    if (block.is_leaf()) {
      return InsertHere(writer, block, std::move(key), std::move(value));
    }
    const std::size_t branch = block.BranchOf(key);
    if (key < block.branches[branch].first) {
      block.branches[branch].first = key;
    }
    std::shared_ptr<Block> right =
        Insert(writer, block.branches[branch].below, std::move(key), std::move(value));
    if (right == nullptr) {
      return nullptr;
    }
    const std::size_t place = branch + 1;
    block.branches.insert(block.branches.begin() + static_cast<std::ptrdiff_t>(place),
                          {right->first(), right});
    return SplitIfFull(writer, block, &Block::branches, place);
  }

  std::shared_ptr<Block> InsertHere(Epoch writer, Block& leaf, Key key, Value value) {
    const std::size_t place = leaf.PlaceOf(key);
    if (place < leaf.entries.size() && !(key < leaf.entries[place].first)) {
      leaf.entries[place].second = std::move(value);
      return nullptr;
    }
    leaf.entries.insert(leaf.entries.begin() + static_cast<std::ptrdiff_t>(place),
                        {std::move(key), std::move(value)});
    ++size_;
    return SplitIfFull(writer, leaf, &Block::entries, place);
  }

  // Half and half; but where the last came at the end, it alone, so that what arrives in order
  // fills the blocks.
  template <typename Item>
  static std::shared_ptr<Block> SplitIfFull(Epoch writer, Block& block,
                                            std::vector<Item> Block::* member, std::size_t added) {
    std::vector<Item>& items = block.*member;
    if (items.size() <= kMostOfBlock) {
      return nullptr;
    }
    const std::size_t keep = added + 1 == items.size() ? added : items.size() / 2;
    const auto from = items.begin() + static_cast<std::ptrdiff_t>(keep);
    auto right = std::make_shared<Block>();
    right->owner = writer;
    ((*right).*member).assign(std::make_move_iterator(from), std::make_move_iterator(items.end()));
    items.erase(from, items.end());
    return right;
  }

  template <typename Wanted>
  static void Remove(Epoch writer, std::shared_ptr<Block>& at, const Wanted& key) {
    Block& block = Own(writer, at);
    if (block.is_leaf()) {
      block.entries.erase(block.entries.begin() + static_cast<std::ptrdiff_t>(block.PlaceOf(key)));
      return;
    }
    const std::size_t branch = block.BranchOf(key);
    Remove(writer, block.branches[branch].below, key);
    Merge(writer, block, branch);
  }

  // Keeps blocks from becoming many and nearly empty.
  static void Merge(Epoch writer, Block& block, std::size_t branch) {
    const std::size_t size = block.branches[branch].below->size();
    if (size == 0 && block.branches.size() == 1) {
      block.branches.clear();  // and is merged itself, one level up
      return;
    }
    if (size > kMostOfBlock / 4 || block.branches.size() == 1) {
      return;
    }
    const std::size_t left = branch > 0 ? branch - 1 : 0;
    if (size > 0 && block.branches[left].below->size() + block.branches[left + 1].below->size() >
                        kMostOfBlock) {
      return;
    }
    Block& into = Own(writer, block.branches[left].below);
    const Block& from = *block.branches[left + 1].below;
    into.entries.insert(into.entries.end(), from.entries.begin(), from.entries.end());
    into.branches.insert(into.branches.end(), from.branches.begin(), from.branches.end());
    block.branches.erase(block.branches.begin() + static_cast<std::ptrdiff_t>(left + 1));
  }

  std::shared_ptr<Block> root_;
  std::size_t levels_ = 0;
  std::size_t size_ = 0;
};

}  // namespace quadra
