#include "patch/strategic_merge.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "patch/directives.h"
#include "patch/go_values.h"

namespace quadra::patch {
namespace {

using json::Kind;
using json::Value;

bool HasDirective(const Value& value) { return value.Find(kDirective) != nullptr; }

// Takes a value of the patch that nothing is merged with.
void Adopt(Fields& original, std::string_view name, Value& value) {
  DropNullMembers(value);
  if (RemoveDirectives(value)) {
    original.insert_or_assign(std::string(name), std::move(value));
  } else {
    original.erase(std::string(name));
  }
}

// What $patch asks for: the patch itself, or nothing.
Complaint FollowDirective(Value& original, Value& patch, const Value& directive) {
  if (directive == Value(std::string(kReplaceWord))) {
    patch.Erase(kDirective);
    original = std::move(patch);
    return {};
  }
  if (directive == Value(std::string(kDeleteWord))) {
    original = Value(Value::Object());
    return {};
  }
  return UnknownDirective(directive, patch);
}

Refused BadRetainKeys() { return BadRequest("invalid patch format of retainKeys"); }

bool IsParallelList(std::string_view key) {
  return key.starts_with(kDeleteFromPrimitiveList) || key.starts_with(kSetElementOrder);
}

// Fields of the original stay only if $retainKeys names them; those of the patch have to be named.
Complaint RetainKeys(Fields& original, Fields& patch) {
  auto taken = patch.extract(std::string(kRetainKeys));
  if (taken.empty()) {
    return {};
  }
  if (taken.mapped().kind() != Kind::kArray) {
    return BadRetainKeys();
  }
  const Places kept(IdentitiesOf(taken.mapped().items(), {}));
  const auto is_kept = [&](const std::string& key) {
    return kept.Find(IdentityOf(Value(key), {})).has_value();
  };
  for (const auto& [key, value] : patch) {
    if (!value.is_null() && !IsParallelList(key) && !is_kept(key)) {
      return BadRetainKeys();
    }
  }
  std::erase_if(original, [&](const auto& field) { return !is_kept(field.first); });
  return {};
}

}  // namespace

Refused UnknownDirective(const Value& directive, const Value& object) {
  return InternalError(
      fmt::format("unknown patch type: {} in map: {}", GoAsText(directive), GoPlain(object)));
}

bool RemoveDirectives(Value& tree) {
  ForEachValue(tree, [](Value& value) {
    if (value.kind() == Kind::kArray) {
      std::erase_if(value.items(), HasDirective);
    } else if (value.kind() == Kind::kObject) {
      std::erase_if(value.members(), [](const auto& member) { return HasDirective(member.value); });
    }
  });
  return !HasDirective(tree);
}

Complaint StrategicMerge::MergeObjects(Value& original, Value& patch, const Shape& shape) {
  if (const Value* directive = patch.Find(kDirective)) {
    return FollowDirective(original, patch, Value(*directive));
  }
  if (depth_ == kMaxMergeDepth) {
    return InternalError(fmt::format("the patch nests deeper than {} levels", kMaxMergeDepth));
  }
  Fields fields = TakeFields(original);
  Fields changes = TakeFields(patch);
  ++depth_;
  Complaint refused = MergeFields(fields, changes, shape);
  --depth_;
  original = ToObject(std::move(fields));
  return refused;
}

Complaint StrategicMerge::MergeFields(Fields& original, Fields& patch, const Shape& shape) {
  if (Complaint refused = RetainKeys(original, patch)) {
    return refused;
  }
  for (auto at = patch.lower_bound(kSetElementOrder);
       at != patch.end() && at->first.starts_with(kSetElementOrder);
       at = patch.lower_bound(kSetElementOrder)) {
    const std::string directive = at->first;
    if (Complaint refused = MergeOrderedList(original, patch, directive, shape)) {
      return refused;
    }
  }
  for (auto& [key, value] : patch) {
    if (Complaint refused = MergeField(original, key, value, shape)) {
      return refused;
    }
  }
  return {};
}

Complaint StrategicMerge::MergeField(Fields& original, std::string_view key, Value& value,
                                     const Shape& shape) {
  const bool deletion = key.starts_with(kDeleteFromPrimitiveList);
  std::string_view name = key;
  if (deletion) {
    const std::string_view rest = key.substr(kDeleteFromPrimitiveList.size());
    if (!rest.starts_with('/')) {
      return BadRequest("invalid patch format of primitive list");
    }
    name = rest.size() > 1 ? rest.substr(1) : key;
  }
  const auto at = original.find(name);
  if (value.is_null()) {
    original.erase(std::string(name));
  } else if (at != original.end() && SameGoType(at->second, value)) {
    return MergeSameType(at->second, name, value, shape, deletion);
  } else if (!deletion) {
    Adopt(original, name, value);
  }
  return {};
}

Complaint StrategicMerge::MergeSameType(Value& original, std::string_view name, Value& value,
                                        const Shape& shape, bool deletion) {
  if (value.kind() == Kind::kObject) {
    const auto rule = RuleOfObject(shape, name);
    if (!rule) {
      return rule.error();
    }
    if (!rule->replace) {
      return MergeObjects(original, value, rule->shape);
    }
  } else if (value.kind() == Kind::kArray) {
    return MergeListField(original, name, value, shape, deletion);
  }
  original = std::move(value);
  return {};
}

Complaint StrategicMerge::MergeListField(Value& original, std::string_view name, Value& value,
                                         const Shape& shape, bool deletion) {
  const auto rule = RuleOfList(shape, name);
  if (!rule) {
    return rule.error();
  }
  if (!rule->merge && !deletion) {
    original = std::move(value);
    return {};
  }
  Identities server;
  return MergeLists(original.items(), value.items(), *rule, deletion, server);
}

Complaint ApplyStrategicMerge(Value& object, Value patch, const api::Struct& type) {
  if (patch.is_null()) {
    return {};
  }
  SortMembers(patch);
  SpellNumbersAsGo(patch);
  SpellNumbersAsGo(object);
  const api::Type root{api::TypeKind::kStruct, nullptr, &type};
  return StrategicMerge().MergeObjects(object, patch, {&root});
}

}  // namespace quadra::patch
