// NodeView: the devices that a node can reach, in the order in which upstream's allocator walks
// them.
//
// Made from slices and the node alone, so it stays as it is while claims come and go. Immutable;
// shared by the snapshots that agree on it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

#include "base/ordered_map.h"
#include "inventory/pools.h"
#include "selector/selector.h"

namespace quadra::inventory {

struct Candidate {
  // Whether a device with nodes of its own is for this node.
  enum class Placed : std::uint8_t { kHere, kElsewhere, kUnreadable };

  const Pool* pool = nullptr;
  const Slice* slice = nullptr;
  const DeviceShape* shape = nullptr;
  selector::Row row = 0;
  std::uint32_t index = 0;  // in the slice
  Placed placed = Placed::kHere;
  bool is_supported = true;  // false: needs what the node does not have, or no feature allows
};

struct NodeView {
  std::shared_ptr<const api::Node> node;
  std::vector<Pool> pools;
  std::string unreadable;  // see NodePools
  std::vector<Candidate> candidates;

  NodeView() = default;
  NodeView(const NodeView&) = delete;  // candidates point into pools
  NodeView& operator=(const NodeView&) = delete;
};

// The views of a cluster, in the order of their nodes' names; each with a version, which is another
// one whenever what the node can see has changed: the node, its pools, who holds what of them.
struct Seat {
  std::shared_ptr<const NodeView> view;
  Epoch version;
  friend bool operator==(const Seat&, const Seat&) = default;
};
class ViewList {
 public:
  using Seats = OrderedMap<std::string, Seat>;
  class const_iterator {
   public:
    using iterator_category = std::forward_iterator_tag;
    using value_type = std::shared_ptr<const NodeView>;
    using difference_type = std::ptrdiff_t;
    using pointer = const value_type*;
    using reference = const value_type&;

    const_iterator() = default;
    explicit const_iterator(Seats::const_iterator at) : at_(at) {}
    reference operator*() const { return at_->second.view; }
    pointer operator->() const { return &**this; }
    const_iterator& operator++() {
      Fetch();
      ++at_;
      return *this;
    }
    const_iterator operator++(int) { return const_iterator(at_++); }
    friend bool operator==(const const_iterator&, const const_iterator&) = default;

   private:
    // A pass over many nodes does little at each: what it waits for is memory. So views are fetched
    // before their turn, and what they point to a little later.
    void Fetch() const {
      constexpr std::size_t kViews = 8;
      constexpr std::size_t kCandidates = 4;
      if (const Seats::value_type* seat = at_.Ahead(kViews)) {
        __builtin_prefetch(seat->second.view.get());
      }
      if (const Seats::value_type* seat = at_.Ahead(kCandidates)) {
        __builtin_prefetch(seat->second.view->candidates.data());
      }
    }

    Seats::const_iterator at_;
  };

  const_iterator begin() const { return const_iterator(seats_.begin()); }
  const_iterator end() const { return const_iterator(seats_.end()); }
  std::size_t size() const { return seats_.size(); }
  bool empty() const { return seats_.empty(); }
  const Seats& seats() const { return seats_; }
  Seats& seats() { return seats_; }

 private:
  Seats seats_;
};

// Cost: that of PoolsOf.
std::shared_ptr<const NodeView> MakeView(const SliceIndex& slices,
                                         const selector::DeviceTable& table,
                                         std::shared_ptr<const api::Node> node,
                                         const Features& features);

}  // namespace quadra::inventory
