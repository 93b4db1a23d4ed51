// What decides how an object in a file is treated: its kind, and whether it is a List of others.
#pragma once

#include <string>
#include <string_view>

#include "json/reader.h"

namespace quadra::json {

inline constexpr int kMaxListNesting = 16;  // Lists in Lists

struct ObjectFacts {
  bool is_object = false;
  std::string kind;
  std::string api_version;
  bool has_items = false;  // a member called items that is an array

  bool IsList() const { return has_items && kind.ends_with("List"); }
};

// Consumes the value at hand; an error stays with the reader.
ObjectFacts ReadFacts(Reader& reader);

// The members apiVersion and kind, each followed by a comma, that an item lacks because its PodList
// or the like lets it go without them.
std::string MissingTypeMembers(const ObjectFacts& item, const ObjectFacts& list);
// `json`, an object, with such members in front.
std::string WithMembers(std::string_view json, std::string members);

}  // namespace quadra::json
