// Timestamps as YAML's upstream reader knows them: 2001-2-3, 2001-2-3 4:5:6.7, 2001-02-03T04:05:06Z
// and the like.
#pragma once

#include <string_view>

namespace quadra::json {

// Whether all of `text` is a timestamp that exists (no 30 February).
bool IsTimestamp(std::string_view text);

}  // namespace quadra::json
