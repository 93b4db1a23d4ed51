#include "scheduler/framework/revision.h"

#include <charconv>
#include <string>

namespace quadra::scheduler {

std::uint64_t RevisionOf(const api::ObjectMeta& metadata) {
  const std::string& text = metadata.resource_version;
  std::uint64_t revision = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), revision);
  return read.ec == std::errc() && read.ptr == text.data() + text.size() ? revision : 0;
}

}  // namespace quadra::scheduler
