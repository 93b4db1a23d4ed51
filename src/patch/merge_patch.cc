#include "patch/merge_patch.h"

#include <utility>
#include <vector>

#include "patch/trees.h"

namespace quadra::patch {
namespace {

using json::Value;

// An object of the target and what is to be merged into it.
struct Pair {
  Value* object;
  Value patch;
};

void Prune(Value& added) {
  SortMembers(added);
  DropNullMembers(added);
}

// Whether both are objects, so that they have to be merged themselves.
bool Settle(Value& current, Value& replacement) {
  const bool was_object = current.kind() == json::Kind::kObject;
  if (was_object && replacement.kind() == json::Kind::kObject) {
    return true;
  }
  if (!was_object) {
    Prune(replacement);
  }
  current = std::move(replacement);
  return false;
}

// Merges one level; the patches of objects that are left to merge come back by name.
Fields MergeLevel(Fields& fields, Fields patch) {
  Fields inner;
  for (auto& [name, value] : patch) {
    if (value.is_null()) {
      fields.erase(name);
    } else if (const auto [at, is_new] = fields.try_emplace(name); Settle(at->second, value)) {
      inner.emplace(name, std::move(value));
    }
  }
  return inner;
}

void MergeInto(Pair pair, std::vector<Pair>& left) {
  Fields fields = TakeFields(*pair.object);
  Fields inner = MergeLevel(fields, TakeFields(pair.patch));
  *pair.object = ToObject(std::move(fields));
  for (Value::Member& member : pair.object->members()) {
    if (const auto at = inner.find(member.key); at != inner.end()) {
      left.push_back({&member.value, std::move(at->second)});
    }
  }
}

}  // namespace

Complaint ApplyMergePatch(Value& object, Value patch) {
  if (patch.kind() == json::Kind::kArray) {
    Prune(patch);
    object = std::move(patch);
    return {};
  }
  if (patch.kind() != json::Kind::kObject) {
    return BadRequest("Invalid JSON Patch");
  }
  std::vector<Pair> left;
  left.push_back({&object, std::move(patch)});
  while (!left.empty()) {
    Pair next = std::move(left.back());
    left.pop_back();
    MergeInto(std::move(next), left);
  }
  return {};
}

}  // namespace quadra::patch
