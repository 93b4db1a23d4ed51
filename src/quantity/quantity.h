// Quantity: Kubernetes' resource quantity, exact to the letter of k8s.io/apimachinery/pkg/api/resource.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"

namespace quadra::quantity {

class Quantity {
 public:
  Quantity() = default;
  static Result<Quantity> Parse(std::string_view text);
  std::string ToString() const;
  friend bool operator==(const Quantity&, const Quantity&) = default;
};

}  // namespace quadra::quantity
