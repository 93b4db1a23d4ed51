// DecodeError: why bytes are no object, worded as upstream's strict decoder words it. Decoded<T>:
// the object, or that.
#pragma once

#include <cstddef>
#include <string>

#include <tl/expected.hpp>

namespace quadra::api {

struct DecodeError {
  enum class Class { kSyntax, kHeader, kValue, kType, kStrict };
  Class error_class = Class::kSyntax;
  std::string path;        // as upstream names it; empty where upstream names none
  std::string exact;       // where it is: ExactPath, empty when it is not known
  std::string message;     // one sentence; names the path where upstream does
  std::size_t offset = 0;  // kSyntax: where in the text
};

template <typename T>
using Decoded = tl::expected<T, DecodeError>;

}  // namespace quadra::api
