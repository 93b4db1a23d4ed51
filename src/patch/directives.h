// Directives: the members of a strategic merge patch that say how to merge. Private to patch/.
#pragma once

#include <string_view>

namespace quadra::patch {

inline constexpr std::string_view kDirective = "$patch";
inline constexpr std::string_view kDeleteWord = "delete";
inline constexpr std::string_view kReplaceWord = "replace";
inline constexpr std::string_view kMergeWord = "merge";
inline constexpr std::string_view kRetainKeys = "$retainKeys";
// Followed by a slash and the name of a list.
inline constexpr std::string_view kDeleteFromPrimitiveList = "$deleteFromPrimitiveList";
inline constexpr std::string_view kSetElementOrder = "$setElementOrder";

}  // namespace quadra::patch
