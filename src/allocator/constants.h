// Constants: the literals of a selector, and the values that devices publish instead.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "selector/selector.h"

namespace quadra::allocator {

// A text, number, quantity or version that an expression compares with.
struct Literal {
  std::size_t begin = 0;  // in bytes of the expression; without quotes
  std::size_t end = 0;
  std::string text;                  // as written
  std::vector<std::string> instead;  // published values of that type, nearest first
};

// The literals of the expression for which a column that it reads has other values. REQUIRES: it
// compiled.
std::vector<Literal> ReplaceableLiterals(const selector::Expression& expression,
                                         const selector::DeviceTable& table);

}  // namespace quadra::allocator
