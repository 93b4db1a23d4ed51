// Body: the object that a request carries, decoded as upstream decodes it: JSON, YAML or protobuf,
// of the version of its address, with what fieldValidation says about unknown and repeated fields.
//
// Pure, thread-safe. Cost: linear in the bytes.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "api/object.h"
#include "apiserver/failure.h"
#include "apiserver/representation.h"

namespace quadra::apiserver {

// What the parameter fieldValidation asks for.
enum class FieldValidation : std::uint8_t { kIgnore, kWarn, kStrict };

struct Body {
  api::Object object;
  std::vector<std::string> warnings;  // of unknown and repeated fields, for Warning headers
  std::vector<std::string> notes;     // for Warning headers whatever fieldValidation says
};

// `expected` is the kind of the address, which a body need not name.
OrFailure<Body> ReadBody(std::string_view bytes, Encoding encoding, const api::KindSchema& expected,
                         FieldValidation validation);

// YAML as JSON, for whoever reads JSON; `remarks`, if given, receives what a strict reader would
// refuse. Fails with BadRequest.
OrFailure<std::string> JsonOf(std::string_view bytes, Encoding encoding,
                              std::vector<std::string>* remarks = nullptr);

}  // namespace quadra::apiserver
