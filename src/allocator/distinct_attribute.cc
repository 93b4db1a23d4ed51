// distinctAttribute: no two devices have the same in an attribute.
#include <algorithm>

#include "absl/container/flat_hash_set.h"
#include "allocator/constraint.h"

namespace quadra::allocator {
namespace {

// Whether there is a value of its own for every device that is wanted.
bool EnoughValuesDiffer(const Outlook& outlook) {
  absl::flat_hash_set<ValueId> values;
  std::size_t wanted = 0;
  for (const Outlook::Open& open : outlook.requests) {
    wanted += open.count;
    for (const AttributeValues* device : open.devices) {
      values.insert(device->ids.begin(), device->ids.end());
    }
  }
  return wanted <= values.size();
}

// By sets: no value is in two of them.
class DistinctSets : public Constraint {
 public:
  bool Admits(const AttributeValues& values) const override {
    return !values.ids.empty() && std::ranges::none_of(members(), [&](const auto* member) {
      return HaveCommon(member->ids, values.ids);
    });
  }
  bool CouldMeet(Outlook& outlook) const override { return EnoughValuesDiffer(outlook); }
};

// By scalars: none is as another.
class DistinctScalars : public Constraint {
 public:
  bool Admits(const AttributeValues& values) const override {
    return members().empty() ||
           (!values.is_list &&
            std::ranges::none_of(members(), [&](const auto* member) { return *member == values; }));
  }
  bool CouldMeet(Outlook& outlook) const override {
    return outlook.HasList() || EnoughValuesDiffer(outlook);
  }
};

class DistinctKind : public ConstraintKind {
 public:
  std::string_view Word() const override { return "distinctAttribute"; }
  const std::optional<std::string>& AttributeIn(const api::DeviceConstraint& from) const override {
    return from.distinct_attribute;
  }
  std::unique_ptr<Constraint> Make(bool lists) const override {
    if (lists) {
      return std::make_unique<DistinctSets>();
    }
    return std::make_unique<DistinctScalars>();
  }
  std::optional<std::size_t> LargestGroup(
      std::span<const AttributeValues* const> /*devices*/) const override {
    return std::nullopt;
  }
};

}  // namespace

const ConstraintKind& DistinctAttribute() {
  static const DistinctKind kind;
  return kind;
}

}  // namespace quadra::allocator
