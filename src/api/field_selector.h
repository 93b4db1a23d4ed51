// FieldSelector: which objects a query chooses by their fields, in the spelling of fieldSelector=,
// read and refused as upstream's fields.ParseSelector does.
//
// Which fields a kind has for this is not known here. A value; const member functions are
// thread-safe. Cost: parsing is linear but for sorting the terms.
//
//   QUADRA_TRY(const FieldSelector chosen, FieldSelector::Parse("spec.nodeName=n1,status.phase!=Failed"));
//   if (chosen.MatchesBy([&](std::string_view field) { return FieldOf(pod, field); })) …
#pragma once

#include <algorithm>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace quadra::api {

class FieldSelector {
 public:
  struct Requirement {
    std::string field;
    bool negated = false;  // !=, which a field that is not there satisfies
    std::string value;     // a field that is not there is empty
  };

  // Terms field=value, field==value, field!=value with commas between, all of which must hold;
  // empty text chooses everything. In values a backslash stands before a comma, an equals sign and
  // a backslash. The error is ErrorKind::kUsage with upstream's sentence.
  static Result<FieldSelector> Parse(std::string_view text);

  // In the order of the terms as texts.
  std::span<const Requirement> requirements() const { return requirements_; }

  // `find` gives the text of a field, empty where there is none.
  template <typename Find>
  bool MatchesBy(Find find) const {
    return std::ranges::all_of(requirements_, [&](const Requirement& one) {
      return (find(one.field) == one.value) != one.negated;
    });
  }

  // Calls each field what `rename` calls it.
  template <typename Rename>
  void RenameBy(Rename rename) {
    for (Requirement& one : requirements_) {
      one.field = rename(one.field);
    }
  }

 private:
  std::vector<Requirement> requirements_;
};

}  // namespace quadra::api
