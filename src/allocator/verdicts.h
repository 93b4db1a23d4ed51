// Verdicts: which devices of a cluster the selectors of a demand accept, for all devices at once.
//
// Each expression is evaluated once per distinct tuple of what it reads, and again only for rows
// that changed. Kept between questions: asking again about an unchanged cluster costs a look-up.
// Not thread-safe.
#pragma once

#include <cstdint>
#include <memory>
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
  struct Sequence {
    std::uint64_t version = 0;
    std::shared_ptr<const selector::Sequenced> verdicts;
  };
  void Follow(const inventory::Snapshot& cluster);
  // Null where it does not compile.
  const selector::Bitmaps* BitmapsOf(const inventory::Snapshot& cluster, const std::string& text);
  void Narrow(const inventory::Snapshot& cluster, const api::List<api::DeviceSelector>& selectors,
              selector::Sequenced& verdicts);

  selector::ExpressionCache& expressions_;
  std::weak_ptr<const selector::DeviceTable> table_;  // that all below is about
  absl::flat_hash_map<std::string, std::unique_ptr<selector::Bitmaps>> bitmaps_;  // by text
  absl::flat_hash_map<std::string, Sequence> sequences_;                          // by all texts
  cel::Scratch scratch_;
  std::uint64_t evaluations_ = 0;
};

}  // namespace quadra::allocator
