#include "store/record.h"

#include <utility>

#include <fmt/format.h>

#include "base/check.h"

namespace quadra::store {

// Into a string of exactly that size: insert() would double the memory of every record.
std::string Stamp(Draft draft, Revision revision) {
  if (!draft.revision_at) {
    return std::move(draft.bytes);
  }
  QUADRA_CHECK(*draft.revision_at <= draft.bytes.size(), "a draft's hole lies in its bytes");
  const fmt::format_int digits(revision);
  std::string bytes;
  bytes.reserve(draft.bytes.size() + digits.size());
  bytes.append(draft.bytes, 0, *draft.revision_at);
  bytes.append(digits.data(), digits.size());
  return bytes.append(draft.bytes, *draft.revision_at);
}

Draft Reopen(const Record& record) {
  Draft draft{.bytes = record.bytes, .revision_at = record.revision_at};
  if (draft.revision_at) {
    draft.bytes.erase(*draft.revision_at, fmt::format_int(record.modified).size());
  }
  return draft;
}

}  // namespace quadra::store
