// Choice: which objects of a collection a list or watch is about: label and field selectors.
//
// Immutable after Make; any number of threads. Cost of Chooses: a look-up per requirement.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "api/object.h"
#include "api/vocabulary.h"
#include "apiserver/failure.h"
#include "apiserver/request_options.h"
#include "store/store.h"

namespace quadra::apiserver {

class Choice {
 public:
  // Fails with BadRequest where a selector names a field that the kind does not offer. `name`: of the one object the address names, if it does.
  static OrFailure<Choice> Make(const api::KindSchema& kind, const ListOptions& options,
                                std::string_view name = "");

  bool Chooses(const store::Record& record) const;
  // Whether it chooses everything.
  bool empty() const;
  // An index term that every chosen record has; nothing where no field that is indexed is asked for.
  const std::optional<std::string>& term() const { return term_; }

 private:
  OkOrFailure AddFields(const api::KindSchema& kind, api::FieldSelector selector);

  std::string name_;
  api::LabelSelector labels_;
  api::FieldSelector fields_;
  std::optional<std::string> term_;
};

}  // namespace quadra::apiserver
