// Verdicts: which devices of a cluster the selectors of a demand accept, for all devices at once.
//
// Each expression is evaluated once per distinct tuple of what it reads. Kept between questions:
// asking again about the same devices costs a look-up, and about others only the rows that differ,
// whether they belong to a later snapshot, an earlier one or that of a fork. Not thread-safe.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "absl/container/flat_hash_map.h"
#include "api/kinds.h"
#include "inventory/inventory.h"
#include "selector/selector.h"

namespace quadra::allocator {

class Verdicts {
 public:
  // `expressions` must outlive this.
  explicit Verdicts(selector::ExpressionCache& expressions) : expressions_(expressions) {}

  // Those of the class, then those of the request, asked until one says no or fails. A selector
  // that does not compile fails on every device that gets so far.
  std::shared_ptr<const selector::Sequenced> Of(const inventory::Snapshot& cluster,
                                                const api::List<api::DeviceSelector>& of_class,
                                                const api::List<api::DeviceSelector>& of_request);
  selector::ExpressionCache& expressions() { return expressions_; }
  // How often an expression was evaluated, ever.
  std::uint64_t evaluations() const { return evaluations_; }

 private:
  using Table = std::shared_ptr<const selector::DeviceTable>;
  struct Sequence {
    Table table;  // that the verdicts are about
    std::shared_ptr<const selector::Sequenced> verdicts;
  };
  // Null where it does not compile.
  const selector::Bitmaps* BitmapsOf(const Table& table, const std::string& text);
  // Makes it the sequence of another table.
  void Follow(const Table& table, std::span<const selector::Bitmaps* const> selectors,
              Sequence& sequence);

  selector::ExpressionCache& expressions_;
  absl::flat_hash_map<std::string, std::unique_ptr<selector::Bitmaps>> bitmaps_;  // by text
  absl::flat_hash_map<std::string, Sequence> sequences_;                          // by all texts
  Epoch epoch_;  // of what is written next
  cel::Scratch scratch_;
  std::uint64_t evaluations_ = 0;
};

}  // namespace quadra::allocator
