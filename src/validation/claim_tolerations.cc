#include "validation/claim_tolerations.h"

#include <algorithm>
#include <iterator>

#include "validation/formats.h"

namespace quadra::validation {
namespace {

void CheckKey(ErrorList& errors, const Path& path, std::string_view key) {
  if (!key.empty()) {
    const std::size_t start = errors.size();
    CheckLabelKey(errors, path, key);
    errors.CoverSince(start);
  }
}

// Also looks at the value, which an operator wants or not. An empty key is fine with any.
void CheckOperator(ErrorList& errors, const Path& path, const api::DeviceToleration& toleration) {
  if (toleration.op == "Exists") {
    if (!toleration.value.empty()) {
      errors.Invalid(path.Child("value"), toleration.value, "must be empty for operator `Exists`");
    }
  } else if (toleration.op == "Equal") {
    CheckLabelValue(errors, path.Child("value"), toleration.value);
  } else if (toleration.op.empty()) {
    errors.Required(path.Child("operator")).Cover();
  } else {
    errors.NotSupported(path.Child("operator"), Named(toleration.op), kTolerationOperators).Cover();
  }
}

void CheckEffect(ErrorList& errors, const Path& path, std::string_view effect) {
  if (!effect.empty() && std::ranges::find(kTaintEffects, effect) == std::end(kTaintEffects)) {
    errors.NotSupported(path, Named(effect), kTaintEffects).Cover();
  }
}

}  // namespace

void CheckTolerations(ErrorList& errors, const Path& path,
                      const api::List<api::DeviceToleration>& tolerations) {
  for (std::size_t i = 0; i < tolerations.size(); ++i) {
    const Path item = path.Index(i);
    CheckKey(errors, item.Child("key"), tolerations[i].key);
    CheckOperator(errors, item, tolerations[i]);
    CheckEffect(errors, item.Child("effect"), tolerations[i].effect);
  }
}

}  // namespace quadra::validation
