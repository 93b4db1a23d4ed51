// LabelSelector: which objects a query chooses by their labels, in the spelling of labelSelector= and
// of kubectl's -l, read and refused as upstream's labels.Parse does.
//
// A value; const member functions are thread-safe. Cost: parsing is linear; matching looks up one
// label a requirement.
//
//   QUADRA_TRY(const LabelSelector chosen, LabelSelector::Parse("app=web,tier in (a,b),!old"));
//   if (chosen.Matches(pod.metadata.labels)) …
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "api/kinds.h"
#include "base/result.h"

namespace quadra::api {

class LabelSelector {
 public:
  enum class Operator : std::uint8_t {
    kEquals,        // key=value
    kDoubleEquals,  // key==value
    kNotEquals,     // key!=value; also where there is no such label
    kIn,            // key in (a,b)
    kNotIn,         // key notin (a,b); also where there is no such label
    kExists,        // key
    kDoesNotExist,  // !key
    kGreaterThan,   // key>5; both are integers
    kLessThan,      // key<5
  };
  struct Requirement {
    std::string key;
    Operator op = Operator::kExists;
    std::vector<std::string> values;  // sorted, each once
  };

  // Requirements with commas between, all of which must hold; empty text chooses everything. The
  // error is ErrorKind::kUsage with upstream's sentence.
  static Result<LabelSelector> Parse(std::string_view text);

  // Sorted by key.
  std::span<const Requirement> requirements() const { return requirements_; }

  bool Matches(const Map<std::string>& labels) const;
  // For labels kept in another way: `find` maps a key to an optional<string_view>.
  template <typename Find>
  bool MatchesBy(Find find) const {
    return std::ranges::all_of(requirements_,
                               [&](const Requirement& one) { return Holds(one, find(one.key)); });
  }

 private:
  static bool Holds(const Requirement& requirement, std::optional<std::string_view> value);

  std::vector<Requirement> requirements_;
};

}  // namespace quadra::api
