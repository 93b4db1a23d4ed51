// ScheduleAnswerer: one JSON question about a pod and a small cluster, one JSON answer: what every plugin
// of the scheduler says of the pod on every node. A door of this folder.
//
// The protocol of `quadra schedule --stream` and of the comparison with upstream (docs/cli.md).
// Threads: one. Cost: all filters on all nodes, and a cycle.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "base/time_zones.h"
#include "selector/selector.h"

namespace quadra::scheduler {

// Not thread-safe; keeps compiled expressions between questions.
class ScheduleAnswerer {
 public:
  // `zones` may be null and must outlive this.
  explicit ScheduleAnswerer(const TimeZones* zones) : language_(zones) {}

  // `number` is that of the line, for answers to lines that are no question. No line break.
  std::string Answer(std::string_view line, std::size_t number);
  // The answer to a line that cannot be read.
  static std::string RefuseLine(std::size_t number, std::string_view message);

 private:
  selector::Language language_;
};

}  // namespace quadra::scheduler
