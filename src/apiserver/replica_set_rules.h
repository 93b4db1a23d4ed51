// What a server refuses of ReplicaSets beyond their metadata: whatever would let one take pods that it
// was not made for, or make pods without end.
#pragma once

#include <vector>

#include "api/object.h"
#include "validation/validate.h"

namespace quadra::apiserver {

// None of objects of other kinds. `old` is null where there is none; both in the stored version.
std::vector<validation::FieldError> JudgeReplicaSet(const api::Object& set, const api::Object* old);

}  // namespace quadra::apiserver
