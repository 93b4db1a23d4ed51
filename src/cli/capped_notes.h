// CappedNotes: notes of one sort on standard error, the first twenty of them; the rest are counted.
//
//   CappedNotes notes(console, "objects are left out");
//   notes.Add("dump.yaml:3: node/a is left out: …");   // note: dump.yaml:3: node/a is left out: …
//   notes.Finish();                                    // note: and 480 more objects are left out
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "cli/cli.h"

namespace quadra::cli {

class CappedNotes {
 public:
  // `what` follows the number of those that are not printed. `console` must outlive this.
  CappedNotes(Console& console, std::string_view what) : console_(console), what_(what) {}

  void Add(std::string_view note);
  // To be called once, after the last.
  void Finish();

  std::size_t count() const { return count_; }

 private:
  Console& console_;
  std::string what_;
  std::size_t count_ = 0;
};

}  // namespace quadra::cli
