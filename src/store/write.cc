#include "store/write.h"

namespace quadra::store {

std::optional<Taken> FindTaken(const Content& state, std::span<const std::string> terms,
                               std::string_view key) {
  for (const std::string& term : terms) {
    if (RecordPtr holder = state.FindOther(term, key)) {
      return Taken{.term = term, .holder = std::move(holder)};
    }
  }
  return std::nullopt;
}

}  // namespace quadra::store
