#include "cli/capped_notes.h"

#include <fmt/format.h>

#include "cli/line.h"

namespace quadra::cli {
namespace {

constexpr std::size_t kMost = 20;

}  // namespace

void CappedNotes::Add(std::string_view note) {
  if (++count_ <= kMost) {
    PrintLine(console_.err, fmt::format("note: {}", note));
  }
}

void CappedNotes::Finish() {
  if (count_ > kMost) {
    PrintLine(console_.err, fmt::format("note: and {} more {}", count_ - kMost, what_));
  }
}

}  // namespace quadra::cli
