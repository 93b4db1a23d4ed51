// AllocationAnswerer: one JSON question about a small cluster and a node, one JSON answer.
//
// The protocol of `quadra allocate --stream` and of the comparison with upstream (docs/cli.md).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "allocator/allocator.h"
#include "base/time_zones.h"
#include "selector/selector.h"

namespace quadra::streams {

// Not thread-safe; keeps compiled expressions between questions.
class AllocationAnswerer {
 public:
  struct Options {
    const TimeZones* zones = nullptr;  // may be null; must outlive the answerer
    std::uint64_t seed = 1;            // share ids follow from it
    bool strict = false;               // as upstream, also where we deviate on purpose
    allocator::Placement placement = allocator::Placement::kUpstream;
  };
  explicit AllocationAnswerer(const Options& options)
      : language_(options.zones), options_(options) {}

  // `number` is that of the line, for answers to lines that are no question. No line break.
  std::string Answer(std::string_view line, std::size_t number);
  // The answer to a line that cannot be read.
  static std::string RefuseLine(std::size_t number, std::string_view message);

 private:
  selector::Language language_;
  selector::ExpressionCache cache_{language_};
  Options options_;
};

}  // namespace quadra::streams
