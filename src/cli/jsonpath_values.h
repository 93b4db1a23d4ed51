// JSON values as kubectl's jsonpath sees them: as Go's values of type any.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "json/value.h"
#include "json/writer.h"

namespace quadra::cli::jsonpath {

// Keys sorted, the last of a name winning, as in a Go map that is printed.
json::Value Sorted(const json::Value& value);

// Go's %v, and the name of the type.
std::string GoText(const json::Value& value);
std::string_view GoType(const json::Value& value);

// As Go's encoder, which spells numbers anew.
void WriteJson(const json::Value& value, json::Writer& writer);

// `operation` is one of == != < <= > >=. Fails for values of different types, for those that are no
// boolean, number or string, and for an unknown operation.
Result<bool> Compare(const json::Value& a, std::string_view operation, const json::Value& b);

}  // namespace quadra::cli::jsonpath
