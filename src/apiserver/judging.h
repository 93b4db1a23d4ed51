// Judging: a write's object as it is to be stored, or why it is not.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "apiserver/admission.h"
#include "apiserver/ask.h"
#include "apiserver/failure.h"
#include "validation/judge.h"

namespace quadra::apiserver {

// `old` is given for updates. `more` is what else is wrong with it. Adds warnings to the ask.
OrFailure<api::Object> JudgeWrite(const Backend& backend, validation::Operation operation,
                                  api::Object object, std::optional<api::Object> old, Ask& ask,
                                  const std::vector<validation::FieldError>& more = {});

}  // namespace quadra::apiserver
