#include "validation/validate.h"

namespace quadra::validation {
const api::Map<std::string>& NoLabels() {
  static const api::Map<std::string> none;
  return none;
}

}  // namespace quadra::validation
