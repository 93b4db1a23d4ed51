#include "json/float_text.h"

#include <array>
#include <charconv>
#include <cstdlib>
#include <string_view>

namespace quadra::json {
namespace {

std::string WithoutExponent(std::string digits, int exponent) {
  const auto places = static_cast<std::size_t>(std::abs(exponent));
  if (exponent < 0) {
    digits.insert(0, "0." + std::string(places - 1, '0'));
  } else if (digits.size() <= places + 1) {
    digits.append(places + 1 - digits.size(), '0');
  } else {
    digits.insert(places + 1, ".");
  }
  return digits;
}

template <typename Number>
std::string Text(Number number, FloatLayout layout) {
  std::array<char, 64> buffer;
  const char* const end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), number,
                                        std::chars_format::scientific)
                              .ptr;
  const std::string_view spelled(buffer.data(), static_cast<std::size_t>(end - buffer.data()));
  const std::size_t sign = spelled[0] == '-' ? 1 : 0;
  const std::size_t e = spelled.find('e');
  int exponent = 0;
  std::from_chars(buffer.data() + e + (spelled[e + 1] == '+' ? 2 : 1), end, exponent);
  if (exponent < layout.least || exponent >= layout.limit) {
    return std::string(spelled);
  }
  std::string digits(spelled.substr(sign, e - sign));
  std::erase(digits, '.');
  return std::string(sign, '-') + WithoutExponent(std::move(digits), exponent);
}

}  // namespace

std::string FloatText(float number, FloatLayout layout) { return Text(number, layout); }
std::string FloatText(double number, FloatLayout layout) { return Text(number, layout); }

}  // namespace quadra::json
