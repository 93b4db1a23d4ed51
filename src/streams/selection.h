// SelectionAnswerer: one JSON question about an expression and a device, one JSON answer.
//
// The protocol of `quadra select --stream` and of the comparison with upstream (docs/cli.md).
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "base/time_zones.h"
#include "cel/program.h"
#include "selector/selector.h"

namespace quadra::streams {

// Not thread-safe; keeps compiled expressions between questions.
class SelectionAnswerer {
 public:
  // `zones` may be null and must outlive this.
  explicit SelectionAnswerer(const TimeZones* zones) : language_(zones) {}

  // `number` is that of the line, for answers to lines that are no question. The answer has no line
  // break.
  std::string Answer(std::string_view line, std::size_t number);
  // The answer to a line that cannot be read.
  static std::string RefuseLine(std::size_t number, std::string_view message);

 private:
  selector::Language language_;
  selector::ExpressionCache cache_{language_};
  cel::Scratch scratch_;
};

}  // namespace quadra::streams
