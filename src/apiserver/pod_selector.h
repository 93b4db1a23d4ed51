// PodSelector: spec.selector of what selects pods (ReplicaSet, PodDisruptionBudget): metav1's
// LabelSelector, read once and asked often.
//
// A value; const members are thread-safe. Cost: matching looks up one label a requirement.
#pragma once

#include <optional>
#include <string>

#include "api/object.h"
#include "api/vocabulary.h"
#include "base/result.h"

namespace quadra::apiserver {

class PodSelector {
 public:
  // Of the tree of a LabelSelector; null, as where there is none, chooses nothing, and an empty one
  // everything. Fails where it has an operator or a value that nobody knows.
  static Result<PodSelector> Read(const api::Value* tree);

  bool Matches(const api::Map<std::string>& labels) const;
  // Whether it says nothing, and so chooses everything.
  bool empty() const { return labels_ && labels_->requirements().empty(); }

  // As Go prints the selector's struct; messages of upstream show it so.
  static std::string GoText(const api::Value* tree);

 private:
  std::optional<api::LabelSelector> labels_;  // absent: nothing
};

}  // namespace quadra::apiserver
