// The fewest digits that read back as the same floating-point number, laid out as Go's strconv
// does.
#pragma once

#include <string>

namespace quadra::json {

// Numbers whose decimal exponent is outside [least, limit) are written with an exponent of at least
// two digits.
struct FloatLayout {
  int least = -4;
  int limit = 6;
};
inline constexpr FloatLayout kGoG = {-4, 6};      // strconv's 'g'
inline constexpr FloatLayout kGoJson = {-6, 21};  // encoding/json, before it shortens e-09 to e-9

// REQUIRES: `number` is finite.
std::string FloatText(float number, FloatLayout layout);
std::string FloatText(double number, FloatLayout layout);

}  // namespace quadra::json
