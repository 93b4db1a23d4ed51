#include "patch/trees.h"

#include <algorithm>
#include <utility>

namespace quadra::patch {

using json::Value;

Fields TakeFields(Value& object) {
  Fields fields;
  for (Value::Member& member : object.members()) {
    fields.insert_or_assign(std::move(member.key), std::move(member.value));
  }
  object.members().clear();
  return fields;
}

Value ToObject(Fields fields) {
  Value::Object members;
  members.reserve(fields.size());
  while (!fields.empty()) {
    auto field = fields.extract(fields.begin());
    members.push_back({std::move(field.key()), std::move(field.mapped())});
  }
  return Value(std::move(members));
}

void SortMembers(Value& tree) {
  ForEachValue(tree, [](Value& value) {
    if (value.kind() == json::Kind::kObject &&
        std::ranges::adjacent_find(value.members(), std::ranges::greater_equal{},
                                   &Value::Member::key) != value.members().end()) {
      value = ToObject(TakeFields(value));
    }
  });
}

void DropNullMembers(Value& tree) {
  ForEachValue(tree, [](Value& value) {
    if (value.kind() == json::Kind::kObject) {
      std::erase_if(value.members(), [](const auto& member) { return member.value.is_null(); });
    }
  });
}

}  // namespace quadra::patch
