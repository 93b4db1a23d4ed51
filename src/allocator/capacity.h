// Capacity: how much of a device a request consumes, and whether that is left.
//
// What a request consumes follows from the request and the device's shape alone, so it is worked
// out once for all devices of a shape (a Portion); what others took of one device is compared when
// the search gets there. Amounts are exact and follow upstream's arithmetic, its limits included.
//
//   QUADRA_TRY(const Portion portion, Portion::Of(wanted, shape.capacity, fractional));
//   if (portion.FitsBeside(held, taking)) …
#pragma once

#include <span>
#include <string>
#include <vector>

#include "api/kinds.h"
#include "base/result.h"
#include "inventory/inventory.h"

namespace quadra::allocator {

using inventory::Amounts;

// What is asked for; null where a request names no capacities.
using Wanted = const api::Map<quantity::Quantity>*;

// Immutable. Points into the capacity that it was made of, which must outlive it.
class Portion {
 public:
  // What a request consumes of each capacity of a device, requested or not: rounded up as the
  // policy says; unrequested the policy's default, else all of it. `fractional`: ranges may be
  // computed in thousandths. Fails where an amount cannot be computed or is negative; the message
  // is upstream's.
  static Result<Portion> Of(Wanted wanted, const api::Map<api::DeviceCapacity>& capacity,
                            bool fractional);

  // Whether the device has every capacity that is asked for, each amount is one the policy allows,
  // and it is left beside what others hold and what this allocation takes already: `taking` has a
  // sum for each of amounts(), or is empty.
  bool FitsBeside(const Amounts& held, std::span<const quantity::Quantity> taking) const;
  // The same of a device that nobody took anything of.
  bool FitsAlone() const { return fits_alone_; }

  struct Amount {
    const std::string* capacity;      // its name
    const quantity::Quantity* whole;  // of the device
    quantity::Quantity consumed;
  };
  // By name; empty where a capacity is asked for that the device lacks.
  std::span<const Amount> amounts() const { return amounts_; }

 private:
  std::vector<Amount> amounts_;
  bool is_allowed_ = true;
  bool fits_alone_ = false;
};

}  // namespace quadra::allocator
