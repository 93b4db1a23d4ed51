// For tests of kinds: a row changes a good object and lists what the server then says.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "api/vocabulary.h"
#include "validation/field_error.h"
#include "validation/validate.h"

namespace quadra::validation {

// Each error as a client sees it: "field: message".
inline std::vector<std::string> Texts(const std::vector<FieldError>& errors) {
  std::vector<std::string> texts;
  texts.reserve(errors.size());
  for (const FieldError& error : errors) {
    texts.push_back(error.field + ": " + error.message);
  }
  return texts;
}

// Everything that can be switched on is on.
inline FeatureGates AllGates() { return *FeatureGates::Parse("AllAlpha=true,AllBeta=true"); }

template <typename T>
struct Row {
  std::string what;
  std::function<void(T&)> change;
  std::vector<std::string> expected;
};

}  // namespace quadra::validation
