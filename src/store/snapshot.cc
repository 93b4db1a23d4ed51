#include "store/snapshot.h"

#include <algorithm>
#include <iterator>

namespace quadra::store {

Snapshot::Stretch Snapshot::StretchOf(const Content::Records& records, std::string_view prefix,
                                      std::string_view from) {
  const std::string behind = BehindPrefix(prefix);
  const auto end = behind.empty() ? records.end() : records.lower_bound(std::string_view(behind));
  const bool beyond = !behind.empty() && from >= behind;
  return {beyond ? end : records.lower_bound(std::max(prefix, from)), end};
}

std::size_t Snapshot::Count(std::string_view prefix, std::string_view from) const {
  const Stretch stretch = StretchOf(content_.records(), prefix, from);
  return static_cast<std::size_t>(std::distance(stretch.begin, stretch.end));
}

}  // namespace quadra::store
