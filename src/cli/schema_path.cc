#include "cli/schema_path.h"

#include <algorithm>
#include <vector>

#include "base/nearest.h"

namespace quadra::cli {
namespace {

// The parts of a path: names between dots. What stands in brackets selects an item or entry and
// leads no deeper in the tables, so it is left out, except that a bracket also ends a map.
struct PathPart {
  std::string name;
  bool selects = false;  // brackets follow
};

std::vector<PathPart> SplitPath(std::string_view path) {
  std::vector<PathPart> parts(1);
  int depth = 0;
  for (const char c : path) {
    if (c == '[') {
      ++depth;
      parts.back().selects = true;
    } else if (c == ']') {
      --depth;
    } else if (depth > 0) {
      continue;
    } else if (c == '.') {
      parts.emplace_back();
    } else {
      parts.back().name += c;
    }
  }
  return parts;
}

const api::Field* FindIn(const api::Struct& parent, std::string_view name) {
  std::size_t hint = 0;
  return api::FindField(parent, name, hint);
}

// The struct that values of `type` are or contain, looking through lists and maps.
const api::Struct* InnerStruct(const api::Type* type) {
  while (type != nullptr && type->kind != api::TypeKind::kStruct) {
    type = type->element;
  }
  return type == nullptr ? nullptr : type->fields;
}

bool IsMap(const api::Field& field) { return field.type->kind == api::TypeKind::kMap; }

// A plain map key takes as many parts as it has dots: skip to the first that is a field of the
// entries.
std::size_t SkipKey(const std::vector<PathPart>& parts, std::size_t next,
                    const api::Struct& entries) {
  std::size_t i = next + 1;
  while (i < parts.size() && FindIn(entries, parts[i].name) == nullptr) {
    ++i;
  }
  return i < parts.size() ? i : parts.size() - 1;
}

// The member of `parent` inside which a field of that name stands; empty when there is none.
std::string_view HolderOf(const api::Struct& parent, std::string_view name) {
  const auto holds = [&](const api::Field& field) {
    return field.type->kind == api::TypeKind::kStruct &&
           FindIn(*field.type->fields, name) != nullptr;
  };
  const auto found = std::ranges::find_if(parent.fields, holds);
  return found == parent.fields.end() ? "" : found->json;
}

std::vector<std::string_view> FieldNames(const api::Struct& parent) {
  std::vector<std::string_view> names(parent.fields.size());
  std::ranges::transform(parent.fields, names.begin(), &api::Field::json);
  return names;
}

}  // namespace

SchemaPlace FollowPath(const api::KindSchema& kind, std::string_view path) {
  const std::vector<PathPart> parts = SplitPath(path);
  SchemaPlace place{.parent = kind.fields, .last = parts.back().name};
  for (std::size_t i = 0; i < parts.size(); ++i) {
    place.field = FindIn(*place.parent, parts[i].name);
    if (i + 1 == parts.size()) {
      return place;
    }
    const api::Struct* inner = place.field == nullptr ? nullptr : InnerStruct(place.field->type);
    if (inner == nullptr) {
      return {.last = parts.back().name};
    }
    if (IsMap(*place.field) && !parts[i].selects) {
      i = SkipKey(parts, i + 1, *inner) - 1;
    }
    place.parent = inner;
  }
  return place;
}

std::string UnknownFieldHint(const api::KindSchema& kind, std::string_view path) {
  const SchemaPlace place = FollowPath(kind, path);
  if (place.last == "nodeAllocatableResourceMappings" || place.last == "nativeResourceMappings") {
    return "; Kubernetes 1.37 replaced it: write nodeAllocatableResources: {cpu: {mapping: "
           "{capacityKey: …, "
           "capacityMultiplier: …}}}";
  }
  if (place.parent == nullptr) {
    return "";
  }
  if (const std::string_view holder = HolderOf(*place.parent, place.last); !holder.empty()) {
    return "; it belongs under " + std::string(holder);
  }
  return DidYouMean(place.last, FieldNames(*place.parent));
}

std::string GateOf(const api::KindSchema& kind, std::string_view path) {
  while (!path.empty()) {
    const SchemaPlace place = FollowPath(kind, path);
    if (place.field != nullptr && !place.field->gate.empty()) {
      return std::string(place.field->gate);
    }
    const std::size_t dot = path.rfind('.');
    path = dot == std::string_view::npos ? "" : path.substr(0, dot);
  }
  return "";
}

}  // namespace quadra::cli
