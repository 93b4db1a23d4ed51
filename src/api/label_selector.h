// LabelSelector: which objects -l chooses, in kubectl's spelling.
//
//   QUADRA_TRY(const LabelSelector chosen, LabelSelector::Parse("app=web,tier in (a,b),!old"));
//   if (chosen.Matches(pod.metadata.labels)) …
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "api/kinds.h"
#include "base/result.h"

namespace quadra::api {

class LabelSelector {
 public:
  // Requirements with commas between, all of which must hold: key, !key, key=value, key==value,
  // key!=value, key in (a,b), key notin (a,b). Empty text chooses everything. An object without the
  // key satisfies != and notin.
  static Result<LabelSelector> Parse(std::string_view text);

  bool Matches(const Map<std::string>& labels) const;

 private:
  struct Requirement {
    std::string key;
    bool negated = false;
    bool any_value = false;  // that the key is there is enough
    std::vector<std::string> values;
  };
  static bool Holds(const Requirement& requirement, const Map<std::string>& labels);
  static Result<Requirement> ParseOne(std::string_view text);

  std::vector<Requirement> requirements_;
};

}  // namespace quadra::api
