// Texts as Go's fmt and strconv print them; error messages and conversions need them to the letter.
//
// Pure. Cost linear in the text.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/go_text.h"  // IWYU pragma: export
#include "cel/value.h"

namespace quadra::cel {

// strconv.FormatFloat: `style` is 'e', 'f' or 'g'; a negative precision means the shortest text
// that reads back the same.
std::string GoFloat(double value, char style, int precision);

// What %v prints for a value.
std::string GoText(const Value& value);

// The name of upstream's run-time type, as %T prints it: "types.Int", "*types.baseList".
std::string GoTypeName(const Value& value);

// time.Duration's String(): "1h15m30.918s".
std::string GoDuration(std::int64_t nanoseconds);

}  // namespace quadra::cel
