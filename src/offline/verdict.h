// Verdict: why claims do not fit a node, or all nodes: of many reasons the one that counts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "allocator/allocator.h"
#include "allocator/explain.h"

namespace quadra::offline {

inline constexpr std::size_t kNoClaim = std::numeric_limits<std::size_t>::max();

// Why they do not fit one node. Of several reasons the one that keeps the claims farthest from
// fitting, since the others could be met and it would still be no; of alternatives the one that
// came nearest.
struct Verdict {
  std::optional<reasons::Code> code;  // nothing where the question was wrong
  std::string message;                // one sentence, without the names of claim and request
  std::size_t claim = kNoClaim;       // which of the claims is to blame
  std::string request;
  bool is_general = true;  // would be said to the same claims under other names too
};

// Of the reasons of one node the one that counts. REQUIRES: not empty.
const allocator::NoFit& KeyReason(const std::vector<allocator::NoFit>& reasons);

// `titles` are namespace/name of the claims asked for, in order. REQUIRES: they were not allocated.
Verdict VerdictOf(const allocator::Allocation& allocation, const std::vector<std::string>& titles);

// Refusals by nodes, as they come; remembers the nearest.
class Refusals {
 public:
  void Add(const Verdict& verdict);

  std::size_t total() const { return total_; }
  // Of the first node among those that came nearest to fitting.
  const Verdict& nearest() const { return nearest_; }
  // How many nodes gave which code as theirs, most first; the question being wrong is not counted.
  std::vector<std::pair<reasons::Code, std::size_t>> CodesByNodes() const;

 private:
  Verdict nearest_;
  std::size_t total_ = 0;
  std::vector<std::pair<reasons::Code, std::size_t>> counts_;
};

}  // namespace quadra::offline
