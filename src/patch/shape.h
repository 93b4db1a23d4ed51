// Shape: what the schema tables say about a place in an object that a strategic merge patch changes:
// which fields there are, and how their lists and objects are merged. Sentences are those of
// upstream's look-up in its Go types. Private to patch/.
#pragma once

#include <string_view>

#include <tl/expected.hpp>

#include "api/object.h"
#include "patch/refused.h"

namespace quadra::patch {

struct Shape {
  const api::Type* type = nullptr;
  bool pointer = false;
};

// How a field is merged.
struct Rule {
  Shape shape;  // of the field, or of the elements of a list
  bool merge = false;
  bool replace = false;
  std::string_view merge_key = {};
};

// Of a field that holds an object, and of one that holds a list. Names match in any case where none
// matches exactly.
tl::expected<Rule, Refused> RuleOfObject(const Shape& parent, std::string_view name);
tl::expected<Rule, Refused> RuleOfList(const Shape& parent, std::string_view name);

// The kind of the Go type: struct, map, string, ptr and so on.
std::string_view GoKind(const Shape& shape);

}  // namespace quadra::patch
