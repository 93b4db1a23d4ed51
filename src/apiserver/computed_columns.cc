#include "apiserver/computed_columns.h"

#include <algorithm>

namespace quadra::apiserver {

const ComputedColumn* FindComputedColumn(std::string_view word) {
  for (const auto columns :
       {CoreColumns(), PodColumns(), NodeColumns(), ResourceColumns(), ServiceColumns(),
        EventColumns(), WorkloadColumns(), VolumeColumns(), AccessColumns()}) {
    if (const auto at = std::ranges::find(columns, word, &ComputedColumn::word);
        at != columns.end()) {
      return &*at;
    }
  }
  return nullptr;
}

}  // namespace quadra::apiserver
