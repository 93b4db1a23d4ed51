// LabelQuery: a LabelSelector of an object, read once, asked often.
//
// As upstream's LabelSelectorAsSelector: absent selects nothing, empty selects everything.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/kinds.h"
#include "base/result.h"

namespace quadra::scheduler {

class LabelQuery {
 public:
  // Nothing.
  LabelQuery() = default;
  static LabelQuery Everything();
  // The error has upstream's words.
  static Result<LabelQuery> Of(const std::optional<api::LabelSelectorSpec>& selector);

  bool Matches(const api::Map<std::string>& labels) const;
  bool SelectsNothing() const { return nothing_; }
  bool SelectsEverything() const { return !nothing_ && requirements_.empty(); }
  // The same, and the label `key` has this value; what selects nothing still does.
  void AddEquals(std::string key, std::string value);
  // The same, and what `more` says; nothing, where that selects nothing.
  void Add(const LabelQuery& more);
  friend bool operator==(const LabelQuery&, const LabelQuery&) = default;

 private:
  enum class Operator : std::uint8_t { kIn, kNotIn, kExists, kDoesNotExist };
  struct Requirement {
    std::string key;
    Operator op = Operator::kExists;
    std::vector<std::string> values;  // sorted
    friend bool operator==(const Requirement&, const Requirement&) = default;
  };
  static bool Holds(const Requirement& requirement, const api::Map<std::string>& labels);

  bool nothing_ = true;
  std::vector<Requirement> requirements_;
};

}  // namespace quadra::scheduler
