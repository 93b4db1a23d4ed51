#include "client/informers.h"

#include <algorithm>
#include <utility>

namespace quadra::client {

void Informers::Start(std::function<void()> synced) {
  if (entries_.empty()) {
    api_.loop().Post(std::move(synced));
    return;
  }
  const auto missing = std::make_shared<std::size_t>(entries_.size());
  for (const auto& [key, entry] : entries_) {
    entry->Start([missing, synced] {
      if (--*missing == 0) {
        synced();
      }
    });
  }
}

bool Informers::synced() const {
  return std::ranges::all_of(entries_, [](const auto& entry) { return entry.second->synced(); });
}

}  // namespace quadra::client
