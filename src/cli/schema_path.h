// SchemaPath: where a field path leads in the tables of a kind, for hints about fields.
#pragma once

#include <string>
#include <string_view>

#include "api/object.h"

namespace quadra::cli {

struct SchemaPlace {
  const api::Field* field = nullptr;    // null: the last part of the path is no field
  const api::Struct* parent = nullptr;  // what that part belongs to; null: unknown, or a map
  std::string last;                     // the last part
};

// Follows paths as decoding and validation write them: list items in brackets, map keys in brackets
// or as plain segments (which may contain dots).
SchemaPlace FollowPath(const api::KindSchema& kind, std::string_view path);

// What to tell about an unknown field beside upstream's words: the new form of a field that was
// renamed, or the nearest spelling. Empty: nothing.
std::string UnknownFieldHint(const api::KindSchema& kind, std::string_view path);

// The gate that opens the field at `path` or one of those around it; empty when there is none.
std::string GateOf(const api::KindSchema& kind, std::string_view path);

}  // namespace quadra::cli
