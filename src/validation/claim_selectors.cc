#include "validation/claim_selectors.h"

#include <optional>

#include "validation/claim_expressions.h"
#include "validation/claim_limits.h"
#include "validation/claim_lists.h"

namespace quadra::validation {

void CheckSelectors(ErrorList& errors, const Path& path,
                    const api::List<api::DeviceSelector>& selectors, Age age,
                    const Request& request) {
  if (ReportSize(errors, path, selectors, kMaxSelectors)) {
    return;
  }
  for (std::size_t i = 0; i < selectors.size(); ++i) {
    const Path item = path.Index(i);
    const std::optional<api::CelDeviceSelector>& cel = selectors[i].cel;
    if (!cel) {
      errors.Required(item.Child("cel"));
    } else if (age == Age::kNew) {
      CheckExpression(errors, item.Child("cel.expression"), cel->expression, CelUse::kSelector,
                      request);
    }
  }
}

}  // namespace quadra::validation
