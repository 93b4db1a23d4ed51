#include "allocator/constraint.h"

#include <algorithm>

namespace quadra::allocator {

bool Outlook::HasList() const {
  return std::ranges::any_of(requests, [](const Open& open) {
    return std::ranges::any_of(open.devices,
                               [](const AttributeValues* values) { return values->is_list; });
  });
}

bool Constraint::Add(const AttributeValues* values) {
  if (values == nullptr || !Admits(*values)) {
    return false;
  }
  Joined(*values);
  members_.push_back(values);
  return true;
}

void Constraint::Remove() {
  members_.pop_back();
  Left();
}

void Constraint::Clear() {
  while (!members_.empty()) {
    Remove();
  }
}

const ConstraintKind* KindOf(const api::DeviceConstraint& constraint) {
  for (const auto& kind : kConstraintKinds) {
    if (kind().AttributeIn(constraint)) {
      return &kind();
    }
  }
  return nullptr;
}

}  // namespace quadra::allocator
