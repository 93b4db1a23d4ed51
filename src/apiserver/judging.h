// Judging: a write's object as it is to be stored, or why it is not.
#pragma once

#include <optional>
#include <string>

#include "apiserver/admission.h"
#include "apiserver/ask.h"
#include "apiserver/failure.h"
#include "validation/judge.h"

namespace quadra::apiserver {

// `old` is given for updates. Adds warnings to the ask.
OrFailure<api::Object> JudgeWrite(const Backend& backend, validation::Operation operation,
                                  api::Object object, std::optional<api::Object> old, Ask& ask);

}  // namespace quadra::apiserver
