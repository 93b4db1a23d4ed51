// Attributes: what the devices of a node have in the attributes that constraints compare.
//
// Looked up when first asked for, once a node; the column of an attribute is found once for all
// nodes. Values are numbered anew on every node, so that the numbers stay few. Not thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "allocator/attribute_values.h"
#include "allocator/plan.h"
#include "allocator/verdicts.h"
#include "base/result.h"
#include "inventory/inventory.h"
#include "selector/selector.h"

namespace quadra::allocator {

class Attributes {
 public:
  // Both must outlive this.
  Attributes(const inventory::Snapshot& cluster, Verdicts& verdicts)
      : cluster_(cluster), verdicts_(verdicts) {}

  // The number of an attribute that is published under the name, or derived by the expression.
  // Equal ones have equal numbers.
  std::size_t NumberOf(const std::string& name, const std::optional<std::string>& expression);

  // Forgets the node before. `candidates` must stay until the next.
  void Enter(const std::vector<inventory::Candidate>& candidates);
  // Null where the device lacks it. Fails where a derived attribute cannot be computed; the message
  // is upstream's. Valid until the next Enter().
  Result<const AttributeValues*> Of(std::size_t attribute, Place place);
  // A value that a device of the node has, for explanations.
  std::string TextOf(ValueId value) const { return numbers_.TextOf(value); }

 private:
  struct Cell {
    enum class State : std::uint8_t { kUnknown, kAbsent, kPresent };
    State state = State::kUnknown;
    AttributeValues values;
  };
  struct Attribute {
    std::string name;
    std::optional<std::string> expression;
    const inventory::Slice* slice = nullptr;   // of the device asked about last
    std::string driver;                        // of that slice; has
    std::optional<selector::ColumnId> column;  // this one
    std::vector<Cell> cells;                   // by place
  };

  bool Publish(Attribute& attribute, const inventory::Candidate& candidate,
               AttributeValues& values);
  std::optional<selector::ColumnId> ColumnOf(Attribute& attribute,
                                             const inventory::Slice& slice) const;
  Status Derive(const Attribute& attribute, const inventory::Candidate& candidate,
                AttributeValues& values);

  const inventory::Snapshot& cluster_;
  Verdicts& verdicts_;
  cel::Scratch scratch_;
  std::vector<Attribute> attributes_;
  const std::vector<inventory::Candidate>* candidates_ = nullptr;
  ValueNumbers numbers_;
};

}  // namespace quadra::allocator
