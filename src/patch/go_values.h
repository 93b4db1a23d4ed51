// Go values: JSON trees as upstream's strategic merge holds them in Go (map[string]interface{} and
// so on), as far as its verdicts and sentences depend on it. Private to patch/.
#pragma once

#include <string>
#include <string_view>

#include "json/value.h"

namespace quadra::patch {

// Spells every number in `tree` so that two are spelled alike where Go holds them as the same value:
// an int64 as 80, a float64 as 80.0 or 1e+30. Numbers are then equal as trees where Go's are.
void SpellNumbersAsGo(json::Value& tree);

// Whether Go holds both as the same type. REQUIRES: numbers are spelled as Go's.
bool SameGoType(const json::Value& a, const json::Value& b);
// E.g. map[string]interface {}; of null what Go prints for no type at all.
std::string_view GoTypeName(const json::Value& value);

// fmt's %v, e.g. map[a:1 b:[x <nil>]], and %s, which complains of what is no text. What lies deeper
// than a thousand levels is left out.
std::string GoPlain(const json::Value& value);
std::string GoAsText(const json::Value& value);

}  // namespace quadra::patch
