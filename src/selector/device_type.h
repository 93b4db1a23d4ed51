// The type of the variable `device`: its declaration for the checker and its sizes for the
// estimate. Private to selector/.
#pragma once

#include <memory>

#include "cel/checked.h"
#include "selector/expression.h"

namespace quadra::selector {

// An attribute's type: Any in environments that know no lists, else dyn.
bool HasListAttributes(const Profile& profile);
cel::Type AttributeType(const Profile& profile);

std::unique_ptr<cel::Environment> MakeEnvironment(const Profile& profile);

// How large the parts of `device` may get, from the limits of the API.
class DeviceSizes : public cel::SizeHints {
 public:
  explicit DeviceSizes(const Profile& profile) : profile_(profile) {}
  std::optional<cel::CostRange> Size(std::span<const std::string_view> path) const override;

 private:
  Profile profile_;
};

}  // namespace quadra::selector
