// The course of a write to a pod or a workload: that of every kind, with defaults before and
// nothing but DRA errors after.
#pragma once

#include <vector>

#include "validation/strategy.h"

namespace quadra::validation {

// What every kind is told about its metadata is no part of the answer.
template <typename T>
Outcome RunDraOnly(const Request& request, T& object, const T* old, const Strategy<T>& strategy,
                   void (*set_defaults)(T&)) {
  set_defaults(object);
  Outcome outcome;
  if (old == nullptr) {
    outcome = Run(request, object, old, strategy);
  } else {
    T stored = *old;
    set_defaults(stored);
    outcome = Run<T>(request, object, &stored, strategy);
  }
  std::erase_if(outcome.errors,
                [](const FieldError& error) { return error.field.starts_with("metadata"); });
  return outcome;
}

}  // namespace quadra::validation
