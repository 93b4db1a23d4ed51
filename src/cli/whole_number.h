// WholeNumber: flags that are numbers from 0 on.
#pragma once

#include <charconv>
#include <string>
#include <string_view>
#include <system_error>

#include <fmt/format.h>

#include "base/result.h"
#include "cli/verb.h"

namespace quadra::cli {

// Leaves `number` alone where the flag was not given. Errors are of kind kUsage and name the flag.
template <typename Number>
Status TakeWholeNumber(const Invocation& invocation, std::string_view flag, Number& number) {
  if (!invocation.Has(flag)) {
    return {};
  }
  const std::string text = invocation.Value(flag);
  const char* const end = text.data() + text.size();
  Number read = 0;
  const auto [stopped, error] = std::from_chars(text.data(), end, read);
  if (error != std::errc() || stopped != end || text.starts_with('-')) {
    return Fail(ErrorKind::kUsage,
                fmt::format("--{}: \"{}\" is no whole number from 0 on", flag, text));
  }
  number = read;
  return {};
}

}  // namespace quadra::cli
