// JSON values as kubectl's jsonpath sees them: as Go's values of type any.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "json/value.h"
#include "json/writer.h"

namespace quadra::json::jsonpath {

// Keys sorted, the last of a name winning, as in a Go map that is printed.
Value Sorted(const Value& value);

// Go's %v, and the name of the type.
std::string GoText(const Value& value);
std::string_view GoType(const Value& value);

// As Go's encoder, which spells numbers anew.
void WriteJson(const Value& value, Writer& writer);

// `operation` is one of == != < <= > >=. Fails for values of different types, for those that are no
// boolean, number or string, and for an unknown operation.
Result<bool> Compare(const Value& a, std::string_view operation, const Value& b);

}  // namespace quadra::json::jsonpath
