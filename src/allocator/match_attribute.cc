// matchAttribute: the devices agree in an attribute.
#include <algorithm>
#include <cstdint>
#include <iterator>
#include <map>

#include "allocator/constraint.h"

namespace quadra::allocator {
namespace {

// How many devices of each request have which value: by value, then by request.
std::vector<std::uint32_t> CountsOf(const Outlook& outlook) {
  const std::size_t width = outlook.requests.size();
  std::vector<std::uint32_t> counts;
  for (std::size_t k = 0; k < width; ++k) {
    for (const AttributeValues* device : outlook.requests[k].devices) {
      for (const ValueId value : device->ids) {
        counts.resize(std::max(counts.size(), (value + std::size_t{1}) * width));
        ++counts[value * width + k];
      }
    }
  }
  return counts;
}

// The values that leave every request enough devices, ascending.
std::vector<ValueId> ValuesThatServe(const Outlook& outlook) {
  const std::size_t width = outlook.requests.size();
  const std::vector<std::uint32_t> counts = CountsOf(outlook);
  std::vector<ValueId> values;
  for (ValueId value = 0; value < counts.size() / width; ++value) {
    bool serves = true;
    for (std::size_t k = 0; k < width; ++k) {
      serves = serves && counts[value * width + k] >= outlook.requests[k].count;
    }
    if (serves) {
      values.push_back(value);
    }
  }
  return values;
}

// Whether the devices of all requests could share one value. A device with none that leaves every
// request enough is struck out: taking it first is what upstream's walk loses most time with.
bool SomeValueServesAll(Outlook& outlook) {
  const std::vector<ValueId> values = ValuesThatServe(outlook);
  const bool some = std::ranges::any_of(values, [&](ValueId value) {
    return outlook.could_match([&](const AttributeValues& device) {
      return std::ranges::binary_search(device.ids, value);
    });
  });
  for (const AttributeValues*& device : outlook.requests.front().devices) {
    device = HaveCommon(values, device->ids) ? device : nullptr;
  }
  return some;
}

// By sets: one value is in all of them.
class MatchedSets : public Constraint {
 public:
  bool Admits(const AttributeValues& values) const override {
    return !values.ids.empty() && (common_.empty() || HaveCommon(common_.back(), values.ids));
  }
  bool CouldMeet(Outlook& outlook) const override {
    return !members().empty() || SomeValueServesAll(outlook);
  }

 private:
  void Joined(const AttributeValues& values) override {
    if (common_.empty()) {
      common_.push_back(values.ids);
      return;
    }
    std::vector<ValueId> common;
    std::ranges::set_intersection(common_.back(), values.ids, std::back_inserter(common));
    common_.push_back(std::move(common));
  }
  void Left() override { common_.pop_back(); }

  std::vector<std::vector<ValueId>> common_;  // by member: what all up to it share
};

// By scalars: all are as the first.
class MatchedScalars : public Constraint {
 public:
  bool Admits(const AttributeValues& values) const override {
    return members().empty() || (!values.is_list && *members().front() == values);
  }
  bool CouldMeet(Outlook& outlook) const override {
    return !members().empty() || outlook.HasList() || SomeValueServesAll(outlook);
  }
};

class MatchKind : public ConstraintKind {
 public:
  std::string_view Word() const override { return "matchAttribute"; }
  const std::optional<std::string>& AttributeIn(const api::DeviceConstraint& from) const override {
    return from.match_attribute;
  }
  std::unique_ptr<Constraint> Make(bool lists) const override {
    if (lists) {
      return std::make_unique<MatchedSets>();
    }
    return std::make_unique<MatchedScalars>();
  }
  std::optional<std::size_t> LargestGroup(
      std::span<const AttributeValues* const> devices) const override {
    std::map<ValueId, std::size_t> groups;
    std::size_t largest = 0;
    for (const AttributeValues* device : devices) {
      for (const ValueId value : device->ids) {
        largest = std::max(largest, ++groups[value]);
      }
    }
    return largest;
  }
};

}  // namespace

const ConstraintKind& MatchAttribute() {
  static const MatchKind kind;
  return kind;
}

}  // namespace quadra::allocator
