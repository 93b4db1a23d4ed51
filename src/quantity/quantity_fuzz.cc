// Any bytes: no crash, and what parses obeys the laws of numbers and of printing.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/check.h"
#include "quantity/quantity.h"

namespace quadra::quantity {
namespace {

// Above exa a decimal suffix is lost in print, so only these read back as the same value.
bool PrintsItsValue(const Quantity& quantity) {
  return quantity < Quantity::Of(1000, Format::kDecimalSi, 18) &&
         Quantity::Of(-1000, Format::kDecimalSi, 18) < quantity;
}

void CheckPrinting(const Quantity& quantity) {
  const std::string text = quantity.ToString();
  const auto again = Quantity::Parse(text);
  QUADRA_CHECK(again.has_value(), "what we print, we read");
  if (PrintsItsValue(quantity)) {
    QUADRA_CHECK(*again == quantity, "text keeps the value");
    QUADRA_CHECK(again->ToString() == text, "text is stable");
  }
}

void CheckPair(const Quantity& a, const Quantity& b) {
  QUADRA_CHECK(a.Cmp(b) == -b.Cmp(a), "order is antisymmetric");
  Quantity difference = a;
  difference.Sub(b);
  QUADRA_CHECK(difference.Sign() == a.Cmp(b), "order is the sign of the difference");
  Quantity sum = difference;
  sum.Add(b);
  QUADRA_CHECK(sum == a, "adding undoes subtracting");
  CheckPrinting(sum);
  Quantity negated = difference;
  negated.Neg();
  negated.Add(difference);
  QUADRA_CHECK(negated.IsZero(), "a number and its negative cancel");
  Quantity rounded = a;
  const bool exact = rounded.RoundUp(0);
  QUADRA_CHECK(exact == (rounded == a) && rounded.Sign() == a.Sign(),
               "rounding goes away from zero");
}

void Check(std::string_view text) {
  const std::size_t middle = text.find('|');
  const auto a = Quantity::Parse(text.substr(0, middle));
  const auto b = Quantity::ParseJson(middle == text.npos ? text : text.substr(middle + 1));
  if (a) {
    CheckPrinting(*a);
  }
  if (a && b) {
    CheckPair(*a, *b);
    CheckPair(*b, *a);
  }
}

}  // namespace
}  // namespace quadra::quantity

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  quadra::quantity::Check({reinterpret_cast<const char*>(data), size});
  return 0;
}
