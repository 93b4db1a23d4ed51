#include "inventory/compatible_groups.h"

#include <algorithm>

namespace quadra::inventory {

bool CompatibleGroups::Admits(const api::List<std::string>& groups) const {
  if (!any_) {
    return true;
  }
  if (groups.empty() || !common_) {
    return groups.empty() && !common_;
  }
  return std::ranges::any_of(groups,
                             [&](const std::string& group) { return common_->contains(group); });
}

void CompatibleGroups::Add(const api::List<std::string>& groups) {
  if (!any_) {
    any_ = true;
    if (!groups.empty()) {
      common_.emplace(groups.begin(), groups.end());
    }
    return;
  }
  if (common_ && !groups.empty()) {
    const std::set<std::string> wanted(groups.begin(), groups.end());
    std::erase_if(*common_, [&](const std::string& group) { return !wanted.contains(group); });
  }
}

}  // namespace quadra::inventory
